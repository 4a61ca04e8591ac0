//! Terms: what all expressions are made of, and how they become a program.
//!
//! A term knows its operands, and how to make itself in a [`Builder`] from what they became. So a term that stands at several places
//! is made once, and neither lowering nor dropping needs a stack as deep as the term.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Builder, Expr, Name, Program, Site, SiteId};
use crate::limits::{MAX_CHAIN, MAX_TEXT};
use crate::map::Map;
use crate::number::Integer;
use crate::source::Span;

/// How a term is made of its operands.
type Make = dyn Fn(&mut Build, &[Expr]) -> Expr + Send + Sync;

/// A term of the core language.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    operands: Box<[Term]>,
    make: Box<Make>,
    /// The number of levels of the term.
    depth: usize,
    /// The value of a term that is a constant.
    constant: Option<Integer>,
    /// The number of members of a list, where it is always the same.
    length: Option<usize>,
}

/// A name that is bound around some term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Variable(u64);

impl Variable {
    /// A variable that differs from all others.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The term of the variable; `of` is what it stands for, as far as that is known.
    pub(super) fn term(self, length: Option<usize>) -> Term {
        Term::new([], move |build, _| {
            let name = build.name(self);
            build.core.variable(name)
        })
        .with_length(length)
    }
}

/// A program that is being made.
pub(super) struct Build {
    pub(super) core: Builder,
    /// The place of all terms: there is no text.
    pub(super) site: SiteId,
    names: Map<Variable, Name>,
}

impl Build {
    /// The name of a variable.
    pub(super) fn name(&mut self, variable: Variable) -> Name {
        *self
            .names
            .entry(variable)
            .or_insert_with(|| self.core.name())
    }
}

impl Term {
    pub(super) fn new<const N: usize>(
        operands: [Self; N],
        make: impl Fn(&mut Build, [Expr; N]) -> Expr + Send + Sync + 'static,
    ) -> Self {
        Self::of_all(operands.into(), move |build, operands| {
            make(build, operands.try_into().expect("each operand was made"))
        })
    }

    /// A term of any number of operands.
    pub(super) fn of_all(
        operands: Box<[Self]>,
        make: impl Fn(&mut Build, &[Expr]) -> Expr + Send + Sync + 'static,
    ) -> Self {
        let deepest = operands.iter().map(|operand| operand.0.depth).max();
        Self(Arc::new(Node {
            depth: deepest.unwrap_or(0) + 1,
            operands,
            make: Box::new(make),
            constant: None,
            length: None,
        }))
    }

    pub(super) fn constant(number: Integer) -> Self {
        let value = number.clone();
        let mut term = Self::new([], move |build, []| build.core.integer(value.clone()));
        let node = Arc::get_mut(&mut term.0).expect("the term is new");
        node.constant = Some(number);
        term
    }

    /// The same term, of which nobody else has a clone, with a known number of members.
    pub(super) fn with_length(mut self, length: Option<usize>) -> Self {
        let node = Arc::get_mut(&mut self.0).expect("the term is new");
        node.length = length;
        self
    }

    /// The value of a term that is a constant, if it is a count.
    pub(super) fn count(&self) -> Option<usize> {
        self.0.constant.as_ref()?.to_usize()
    }

    /// The number of members of a list, where it is always the same.
    pub(super) fn length(&self) -> Option<usize> {
        self.0.length
    }

    /// `body`, in which the variable stands for the value of this term.
    pub(super) fn bound(self, variable: Variable, body: Self) -> Self {
        let length = body.length();
        Self::new([self, body], move |build, [value, body]| {
            let name = build.name(variable);
            build.core.bind(name, value, body)
        })
        .with_length(length)
    }

    /// The core program of the term.
    pub(super) fn program(&self) -> Result<Program, Error> {
        if self.0.depth > MAX_CHAIN {
            return Err(too_large("levels", MAX_CHAIN));
        }
        let mut core = Builder::new();
        let mut build = Build {
            site: core.site(Site::at(Span::default())),
            core,
            names: Map::default(),
        };
        let root = self.lower(&mut build);
        if !build.core.free(root).is_empty() {
            let message = "a value is used outside of the closure that it was given to";
            let finding = Diagnostic::without_place(message);
            let help = "finish inside the closure what depends on its argument";
            return Err(Error::new(ErrorKind::Unbound, finding.with_help(help)));
        }
        if build.core.size(root) > MAX_TEXT as u64 {
            return Err(too_large("terms", MAX_TEXT));
        }
        Ok(build.core.program(root))
    }

    /// Makes each term after its operands, and once.
    fn lower(&self, build: &mut Build) -> Expr {
        let mut made: Map<*const Node, Expr> = Map::default();
        let mut open = vec![(self, false)];
        while let Some((term, are_made)) = open.pop() {
            let key = Arc::as_ptr(&term.0);
            if made.contains_key(&key) {
                continue;
            }
            let operands = &term.0.operands;
            if !are_made {
                open.push((term, true));
                open.extend(operands.iter().rev().map(|operand| (operand, false)));
                continue;
            }
            let operands: Vec<Expr> = operands
                .iter()
                .map(|operand| made[&Arc::as_ptr(&operand.0)])
                .collect();
            made.insert(key, (term.0.make)(build, &operands));
        }
        made[&Arc::as_ptr(&self.0)]
    }
}

fn too_large(what: &str, limit: usize) -> Error {
    let message = format!("the expression has more than {limit} {what}");
    let finding = Diagnostic::without_place(message);
    let help = "add many dice at once, with `d(6).times(…).sum()` or `pool(…).sum()`";
    Error::new(ErrorKind::Limit, finding.with_help(help))
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.operands).into_vec();
        while let Some(term) = open.pop() {
            if let Some(mut node) = Arc::into_inner(term.0) {
                open.extend(std::mem::take(&mut node.operands));
            }
        }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Term")
            .field("depth", &self.0.depth)
            .finish_non_exhaustive()
    }
}
