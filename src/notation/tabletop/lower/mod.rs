//! Lowers a tree to a core program.
//!
//! Every number is an exact rational, in a unit that is known before rolling: see [`value`]. The modifiers of dice are
//! applied stage by stage: see [`dice`] for what they show, [`choices`] for which stay, and [`score`] for what they count.

mod arithmetic;
mod choices;
mod conditions;
mod dice;
mod power;
mod rounding;
mod score;
mod support;
mod unique;
mod value;

use self::support::Support;
use self::value::{NumberValue, Rolled, fraction, numerator, ratio};
use super::error;
use super::token::Operator;
use super::tree::{self, Node, Tree};
use super::words::Function;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Builder, Comparison, Expr, Folding, Name, Program, Site, SiteId};
use crate::limits::{Budget, LimitReached};
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::notation::settings::Settings;
use crate::number::{Fraction, Integer, Unit};
use crate::stack;

/// The work that a part of a rule counts as, in limbs, because its numbers may be long.
const WORK_OF_PART: u64 = 1 << 12;

/// The program of a tree, within a budget.
pub(super) fn program(
    tree: &Tree,
    settings: &Settings,
    budget: &Budget<'_>,
) -> Result<Program, Error> {
    let mut build = Builder::new();
    let (root, unit) = roll(tree, settings, &mut build, budget)?;
    let unit = Unit::new(unit).expect("a unit is positive");
    Ok(build.program(root).in_parts(unit))
}

/// Adds a roll to a program, and returns its value and unit.
pub(super) fn roll(
    tree: &Tree,
    settings: &Settings,
    build: &mut Builder,
    budget: &Budget<'_>,
) -> Result<(Expr, Integer), Error> {
    let mut lowering = Lowering {
        tree,
        settings,
        budget,
        over: None,
        build: std::mem::take(build),
        pending: Vec::new(),
        refusals: Vec::new(),
        advantage: None,
    };
    let lowered = lowering.root();
    *build = lowering.build;
    if let Some(reached) = lowering.over {
        return Err(reached.into());
    }
    let mut refusals = lowering.refusals;
    if let Some(&(kind, _)) = refusals.first() {
        refusals.retain(|(other, _)| *other == kind);
        refusals.dedup_by(|(_, a), (_, b)| a.message == b.message);
        let findings = refusals.into_iter().map(|(_, finding)| finding);
        return Err(Error::with_all(kind, findings.collect()));
    }
    Ok(lowered)
}

struct Lowering<'t> {
    tree: &'t Tree,
    settings: &'t Settings,
    budget: &'t Budget<'t>,
    /// The limit that is reached. Nothing more is lowered then.
    over: Option<LimitReached>,
    build: Builder,
    /// The bindings of the innermost block.
    pending: Vec<(Name, Expr)>,
    /// The errors of parts that cannot be lowered.
    refusals: Vec<(ErrorKind, Diagnostic)>,
    /// The die that is rolled twice.
    advantage: Option<(NodeId, Extreme)>,
}

impl Lowering<'_> {
    /// The whole roll, and its unit.
    fn root(&mut self) -> (Expr, Integer) {
        let mut id = self.tree.root;
        let mut count = None;
        if let Node::Repeat(number, roll) = *self.tree.node(id) {
            count = Some(number);
            id = roll;
        }
        if let Node::Advantage(end, roll) = *self.tree.node(id) {
            self.advantage = Some((tree::leftmost(self.tree, roll), end));
            id = roll;
        }
        let total = self.number(id);
        let unit = total.unit();
        let total = self.in_unit(total, &unit);
        let Some(number) = count else {
            return (total, unit);
        };
        let (count, site) = (self.number(number), self.site(number));
        let count = self.whole(count, number);
        (self.build.repeat(count, total, site), unit)
    }

    /// The number of a part.
    fn number(&mut self, id: NodeId) -> NumberValue {
        // Long sums nest to the left, and need no recursion.
        let mut chain = Vec::new();
        let mut first = id;
        while let Node::Binary(_, left, _) | Node::Compare(_, left, _) = *self.tree.node(first) {
            chain.push(first);
            first = left;
        }
        let first = stack::level(|| self.number_of_node(first));
        chain
            .into_iter()
            .rev()
            .fold(first, |left, id| stack::level(|| self.combined(left, id)))
    }

    /// Whether a limit is reached. Fractions with long terms take long.
    fn is_over(&mut self) -> bool {
        let within = self
            .budget
            .work(WORK_OF_PART)
            .and_then(|()| self.build.within(self.budget));
        self.over = self.over.or(within.err());
        self.over.is_some()
    }

    /// The number of an operation whose left operand has this number.
    fn combined(&mut self, left: NumberValue, id: NodeId) -> NumberValue {
        if self.is_over() {
            return left;
        }
        let site = self.site(id);
        match *self.tree.node(id) {
            Node::Compare(comparison, _, right) => {
                let right = self.number(right);
                self.compare(comparison, left, right, site)
            }
            Node::Binary(operator, _, right) => {
                let right = self.number(right);
                self.value(|this| match operator {
                    Operator::Add => this.add(left, right, site),
                    Operator::Divide => this.divide(left, right, id),
                    Operator::Floor => this.floor_of_quotient(left, right, site),
                    Operator::Modulo => this.modulo(left, right, site),
                    Operator::Multiply => this.multiply(left, right, site),
                    Operator::Power => this.power(left, right, id),
                    Operator::Subtract => this.subtract(left, right, site),
                })
            }
            _ => left,
        }
    }

    fn number_of_node(&mut self, id: NodeId) -> NumberValue {
        if self.is_over() {
            return NumberValue::Known(Fraction::default());
        }
        let site = self.site(id);
        match self.tree.node(id) {
            Node::Advantage(_, inner) | Node::Group(inner) | Node::Repeat(_, inner) => {
                self.number(*inner)
            }
            Node::Call(function, arguments) => {
                self.value(|this| this.call(*function, arguments, id))
            }
            Node::Binary(..) | Node::Compare(..) => self.number(id),
            Node::Die(die) => self.value(|this| this.die(id, die)),
            Node::Name => self.parameter(id),
            Node::Negate(inner) => {
                let value = self.number(*inner);
                self.negate(value, site)
            }
            Node::Number => match parsed(self.tree.words(id)) {
                Some(value) => value,
                None => self.fail(ErrorKind::Overflow, site),
            },
            Node::Pool(pool) => self.value(|this| this.group(id, pool)),
        }
    }

    fn call(&mut self, function: Function, arguments: &[NodeId], id: NodeId) -> NumberValue {
        let site = self.site(id);
        let first = arguments[0];
        match function {
            Function::Abs => {
                let value = self.number(first);
                self.absolute(value, site)
            }
            Function::Ceil | Function::Floor | Function::Round | Function::Trunc => {
                self.rounded(function, first, site)
            }
            Function::Max | Function::Min => {
                let values: Vec<NumberValue> =
                    arguments.iter().map(|&id| self.number(id)).collect();
                self.extreme(function == Function::Max, values, site)
            }
            Function::Pow => {
                let (a, b) = (self.number(first), self.number(arguments[1]));
                self.power(a, b, id)
            }
            Function::Sign => {
                let value = self.number(first);
                self.signum(value, site)
            }
            Function::Sqrt => {
                let value = self.number(first);
                self.root_of(value, id)
            }
        }
    }

    /// A value from outside.
    fn parameter(&mut self, id: NodeId) -> NumberValue {
        let (name, default) = outside(self.tree.words(id));
        if let Some(value) = self.settings.parameters.get(name) {
            return NumberValue::whole(value.clone());
        }
        if let Some(value) = default.and_then(|default| default.parse::<Integer>().ok()) {
            return NumberValue::whole(value);
        }
        let unbound = error::unbound(self.tree.span(id), name, default);
        self.refusals.push((ErrorKind::Unbound, unbound));
        NumberValue::whole(0)
    }

    /// A value made within the bindings that it needs.
    fn value(&mut self, make: impl FnOnce(&mut Self) -> NumberValue) -> NumberValue {
        let outer = std::mem::take(&mut self.pending);
        let made = make(self);
        let pending = std::mem::replace(&mut self.pending, outer);
        match made {
            NumberValue::Known(number) if pending.is_empty() => NumberValue::Known(number),
            made => {
                let unit = made.unit();
                let support = match &made {
                    NumberValue::Known(number) => Support::only(&numerator(number)),
                    NumberValue::Rolled(rolled) => rolled.support.clone(),
                };
                let term = self.in_unit(made, &unit);
                let term = self.within(pending, term);
                NumberValue::Rolled(Rolled {
                    term,
                    unit,
                    support,
                })
            }
        }
    }

    /// A term made within the bindings that it needs.
    fn block(&mut self, make: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = std::mem::take(&mut self.pending);
        let made = make(self);
        let pending = std::mem::replace(&mut self.pending, outer);
        self.within(pending, made)
    }

    fn within(&mut self, pending: Vec<(Name, Expr)>, body: Expr) -> Expr {
        let bindings = pending.into_iter().rev();
        bindings.fold(body, |body, (name, value)| {
            if self.build.variable_of(body) == Some(name) {
                return value;
            }
            self.build.bind(name, value, body)
        })
    }

    /// A term for a value that is used more than once, or that is evaluated before what follows.
    fn bind(&mut self, term: Expr) -> Expr {
        if self.build.constant(term).is_some() || self.build.variable_of(term).is_some() {
            return term;
        }
        let name = self.build.name();
        self.pending.push((name, term));
        self.build.variable(name)
    }

    /// The same number, evaluated once.
    fn held(&mut self, value: NumberValue) -> NumberValue {
        match value {
            NumberValue::Known(number) => NumberValue::Known(number),
            NumberValue::Rolled(rolled) => NumberValue::Rolled(Rolled {
                term: self.bind(rolled.term),
                ..rolled
            }),
        }
    }

    /// The number times a unit that is a multiple of its own.
    fn in_unit(&mut self, value: NumberValue, unit: &Integer) -> Expr {
        match value {
            NumberValue::Known(number) => {
                let scaled = number * fraction(unit);
                if let Ok(scaled) = Integer::from_big(scaled.to_integer()) {
                    return self.build.integer(scaled);
                }
                let site = self.site(self.tree.root);
                self.build.fail(ErrorKind::Overflow, site)
            }
            NumberValue::Rolled(rolled) => {
                let site = self.site(self.tree.root);
                self.times(rolled.term, &ratio(unit, &rolled.unit), site)
            }
        }
    }

    /// A term as a whole number; an error if the number is not whole.
    fn whole(&mut self, value: NumberValue, id: NodeId) -> Expr {
        let site = self.site(id);
        match value {
            NumberValue::Known(number) if number.is_integer() => {
                self.build.integer(numerator(&number))
            }
            NumberValue::Known(_) => self.build.fail(ErrorKind::Domain, site),
            NumberValue::Rolled(Rolled { term, unit, .. }) if unit == Integer::ONE => term,
            NumberValue::Rolled(Rolled { term, unit, .. }) => self.block(|this| {
                let term = this.bind(term);
                let unit = this.build.integer(unit);
                let rest = this.arithmetic(crate::ir::Arithmetic::Remainder, term, unit, site);
                let zero = this.constant(0);
                let is_whole = this.build.filter(Comparison::Equal, zero, rest, site);
                let whole = this.arithmetic(crate::ir::Arithmetic::Divide, term, unit, site);
                let fails = this.build.fail(ErrorKind::Domain, site);
                this.build.choose(is_whole, whole, fails)
            }),
        }
    }

    fn fail(&mut self, kind: ErrorKind, site: SiteId) -> NumberValue {
        let none = Support::within(crate::notation::reader::range::Range::only(1));
        NumberValue::rolled(self.build.fail(kind, site), none)
    }

    fn constant(&mut self, value: i64) -> Expr {
        self.build.integer(value)
    }

    fn arithmetic(
        &mut self,
        operator: crate::ir::Arithmetic,
        a: Expr,
        b: Expr,
        site: SiteId,
    ) -> Expr {
        self.build.arithmetic(operator, a, b, site)
    }

    fn sum(&mut self, list: Expr, site: SiteId) -> Expr {
        self.build.fold(Folding::Sum, list, site)
    }

    fn count(&mut self, list: Expr, site: SiteId) -> Expr {
        self.build.fold(Folding::Count, list, site)
    }

    /// The values of a body for each member of a list.
    fn each(&mut self, list: Expr, body: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        let name = self.build.name();
        let member = self.build.variable(name);
        let body = self.block(|this| body(this, member));
        self.build.foreach(name, list, body)
    }

    fn site(&mut self, id: NodeId) -> SiteId {
        let whole = self.tree.span(id);
        let mut operands = [whole; 2];
        let mut place = 0;
        self.tree.node(id).each_operand(|operand| {
            if place < operands.len() {
                operands[place] = self.tree.span(operand);
            }
            place += 1;
        });
        self.build.site(Site { whole, operands })
    }
}

/// The name of a value from outside, and its default.
pub(super) fn outside(words: &str) -> (&str, Option<&str>) {
    if let Some(query) = words.strip_prefix("?{") {
        let query = query.strip_suffix('}').unwrap_or(query);
        return match query.split_once('|') {
            Some((name, default)) => (name.trim(), Some(default.trim())),
            None => (query.trim(), None),
        };
    }
    let name = words.strip_prefix('@').unwrap_or(words);
    let name = name.strip_prefix('{').unwrap_or(name);
    (name.strip_suffix('}').unwrap_or(name).trim(), None)
}

/// The value of a number as written.
fn parsed(words: &str) -> Option<NumberValue> {
    let (is_negative, digits) = match words.strip_prefix(['-', '−', '–']) {
        Some(digits) => (true, digits),
        None => (false, words),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let places = u64::try_from(decimals.len()).ok()?;
    let digits: Integer = format!("{whole}{decimals}").parse().ok()?;
    let unit = Integer::from(10).pow(places).ok()?;
    let (digits, unit) = (digits.to_big(), unit.to_big());
    // Most numbers are in lowest terms as they are written.
    let mut number = match decimals.bytes().next_back() {
        Some(b'1' | b'3' | b'7' | b'9') => Fraction::new_raw(digits, unit),
        _ => Fraction::new(digits, unit),
    };
    if is_negative {
        number = -number;
    }
    NumberValue::known(number).ok()
}
