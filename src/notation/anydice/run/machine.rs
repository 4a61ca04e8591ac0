//! A program while it is run: its variables, its functions, and what is known so far.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::error::{Diagnostic, Error};
use crate::limits::{Budget, LimitReached};
use crate::map::{Map, ValueMap};
use crate::notation::anydice::code::{Code, Function, Name, Variable};
use crate::notation::anydice::faces::Faces;
use crate::notation::anydice::term::{Hidden, Term};
use crate::notation::anydice::value::Value;
use crate::notation::settings::Settings;
use crate::number::Integer;
use crate::source::Span;

/// A list of at least this many bytes needs permission.
const MUCH: u64 = 1 << 16;

/// What a program has done.
#[derive(Debug, Default)]
pub(in crate::notation::anydice) struct Done {
    pub(in crate::notation::anydice) outputs: Vec<Output>,
    pub(in crate::notation::anydice) warnings: Vec<Diagnostic>,
    /// How calls with dice were answered, for `--explain`.
    pub(in crate::notation::anydice) remarks: Vec<Diagnostic>,
    /// The error that stopped the program.
    pub(in crate::notation::anydice) error: Option<Error>,
}

/// One executed `output`.
#[derive(Debug)]
pub(in crate::notation::anydice) struct Output {
    pub(in crate::notation::anydice) name: String,
    /// Whether the program gives the name.
    pub(in crate::notation::anydice) is_named: bool,
    /// The value as it is written.
    pub(in crate::notation::anydice) span: Span,
    /// `None` if nothing comes out.
    pub(in crate::notation::anydice) term: Option<Term>,
    pub(in crate::notation::anydice) is_condition: bool,
    /// The number of warnings so far: those since the output before belong to this one.
    pub(in crate::notation::anydice) warned: usize,
}

/// The settings of a program that `set` changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rules {
    /// `None` for "unlimited".
    pub(super) explode_depth: Option<u32>,
    pub(super) function_depth: Option<u32>,
    pub(super) lowest_first: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            explode_depth: Some(2),
            function_depth: Some(10),
            lowest_first: false,
        }
    }
}

/// A program that is run.
pub(super) struct Machine<'c> {
    pub(super) code: &'c Code<'c>,
    pub(super) budget: &'c Budget<'c>,
    pub(super) settings: &'c Settings,
    pub(super) variables: Vec<Option<Value>>,
    pub(super) functions: Map<Name, Rc<Function>>,
    /// The number of calls in progress within one another.
    pub(super) depth: u32,
    pub(super) rules: Rules,
    pub(super) memory: Memory,
    /// The calls of a recursion to an unlimited depth that have begun.
    pub(super) calls: Calls,
    /// The distributions that were asked for.
    pub(super) known: ValueMap<Term, Faces>,
    /// The number of hidden names so far.
    pub(super) hidden: u32,
    /// The hidden numbers that are at least 0.
    pub(super) never_negative: BTreeSet<Hidden>,
    /// The greatest depth of a call so far; [`u32::MAX`] if one was too deep.
    pub(super) deepest: u32,
    /// The names that were given to terms of the body that is run on hidden values.
    pub(super) pending: Vec<(Hidden, Term)>,
    /// The steps that are left while a body is run on hidden values; `None` while all values are known.
    pub(super) open_steps: Option<u32>,
    pub(super) done: Done,
}

impl Machine<'_> {
    /// Adds a warning, once for each place and text.
    pub(super) fn warn(&mut self, warning: Diagnostic) {
        let is_known =
            |known: &Diagnostic| known.span == warning.span && known.message == warning.message;
        if self.open_steps.is_none() && !self.done.warnings.iter().any(is_known) {
            self.done.warnings.push(warning);
        }
    }

    /// Checks, before a list is made, whether there is room for so many members of so many bytes each.
    pub(super) fn has_room(&self, members: usize, each: u64) -> Result<(), LimitReached> {
        let bytes = (members as u64).saturating_mul(each);
        self.budget.work(members as u64)?;
        if bytes < MUCH {
            return Ok(());
        }
        let variables = self.variables.iter().flatten();
        let held: u64 = variables.map(Value::members).sum();
        self.budget
            .has_room_beside(held.saturating_mul(size_of::<Integer>() as u64), bytes)
    }

    /// Forgets all calls, because functions or settings have changed.
    pub(super) fn forget(&mut self) {
        self.memory.0.clear();
        self.calls = Calls::default();
    }

    /// A hidden name that nothing has yet.
    pub(super) fn hide(&mut self) -> Hidden {
        self.hidden += 1;
        Hidden(self.hidden)
    }

    pub(super) fn value_of(&self, variable: Variable) -> Option<&Value> {
        self.variables[variable].as_ref()
    }
}

/// The calls that were answered.
#[derive(Debug, Default)]
pub(super) struct Memory(pub(super) ValueMap<FunctionCall, CallAnswer>);

/// A call: nothing else matters for its value, as long as functions and settings stay the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FunctionCall {
    pub(super) function: usize,
    /// The depth of the call, if the answer depends on it.
    pub(super) depth: Option<u32>,
    pub(super) arguments: Vec<Value>,
    /// The variables that the body can see.
    pub(super) seen: Vec<Option<Value>>,
}

/// The value of a call, and how many calls within one another it needs.
#[derive(Clone, Debug)]
pub(super) struct CallAnswer {
    pub(super) value: Value,
    pub(super) height: u32,
}

/// The calls of a recursion to an unlimited depth.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The names of those that have begun, and of those that mention others.
    pub(super) names: ValueMap<FunctionCall, Hidden>,
    /// The values of those that have ended.
    pub(super) ended: BTreeMap<Hidden, Term>,
}
