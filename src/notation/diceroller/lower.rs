//! Lowers values to core programs.
//!
//! A value that is used once becomes a term at the place of its use. A value that is used several times, or by the runs of a
//! block, is bound by a `Let`. An unused value is left out, unless it can fail. So the engine sees a chain of instructions as
//! one expression, and two uses of a roll share one roll.
//!
//! Values that can fail are evaluated in the order of the script, because an error hides the errors after it. A bound value is
//! evaluated before all values in their places, so the values before it that can fail are bound, too.

use super::compile::{Compiled, Known, Op, Page, ValueId};
use super::tree::{End, Sign};
use crate::error::ErrorKind;
use crate::ir::{
    Arithmetic, Builder, Comparison, Expr, Folding, Name, Program, Selection, Site, SiteId,
};
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The programs of the results: one for each `G`, or one if there is no `G`.
pub(super) fn results(compiled: &Compiled) -> Vec<Program> {
    let page = &compiled.page;
    let all = page.values.len();
    let graphs: Vec<Program> = compiled
        .steps
        .iter()
        .filter(|step| step.is_graph)
        .map(|step| share(page, step.pool, all, step.span))
        .collect();
    if !graphs.is_empty() {
        return graphs;
    }
    let program = program(page, page.result, all, |_, result| result);
    vec![if compiled.is_stack {
        program
    } else {
        // A pool has no order.
        program.sorted()
    }]
}

/// The program for the share of each number in a pool, after the first `values` values of a page.
///
/// If the pool is the joined result of several runs of a block, the program evaluates one run: expectations are linear, so
/// the shares are the same.
pub(super) fn share(page: &Page, pool: ValueId, values: usize, place: Span) -> Program {
    let mut build = Builder::new();
    let asked = Asked {
        result: pool,
        values,
        is_share: true,
    };
    let root = lower_page(&mut build, page, asked, None, |_, pool| pool);
    build.program(root).as_share(place)
}

/// The program for a fold of a pool, after the first `values` values of a page.
pub(super) fn fold(page: &Page, folding: Folding, pool: ValueId, values: usize) -> Program {
    program(page, pool, values, |build, pool| {
        let site = build.site(Site::at(Span::default()));
        build.fold(folding, pool, site)
    })
}

fn program(
    page: &Page,
    result: ValueId,
    values: usize,
    finish: impl FnOnce(&mut Builder, Expr) -> Expr,
) -> Program {
    let mut build = Builder::new();
    let asked = Asked {
        result,
        values,
        is_share: false,
    };
    let root = lower_page(&mut build, page, asked, None, finish);
    build.program(root)
}

/// The question that a program asks of a page.
#[derive(Clone, Copy)]
struct Asked {
    result: ValueId,
    /// The first `values` values are evaluated if they can fail, even if they are not used.
    values: usize,
    /// Whether only the shares in the result matter.
    is_share: bool,
}

/// The term of a page. `input` is the name of the pool that the page begins with.
fn lower_page(
    build: &mut Builder,
    page: &Page,
    asked: Asked,
    input: Option<Name>,
    finish: impl FnOnce(&mut Builder, Expr) -> Expr,
) -> Expr {
    let mut lowering = Lowering {
        build,
        page,
        input,
        names: vec![None; page.values.len()],
    };
    let mut bound = Vec::new();
    for id in to_bind(page, asked.result, asked.values) {
        let value = lowering.value(id);
        let name = lowering.build.name();
        bound.push((name, value));
        lowering.names[id.0] = Some(name);
    }
    let is_alone = asked.is_share && lowering.names[asked.result.0].is_none();
    let term = match &page.values[asked.result.0].op {
        Op::Repeat(count, input, body) if is_alone && is_positive(page, *count) => {
            lowering.run(*input, body)
        }
        _ => lowering.value(asked.result),
    };
    let term = finish(build, term);
    bound
        .into_iter()
        .rev()
        .fold(term, |body, (name, value)| build.bind(name, value, body))
}

fn is_positive(page: &Page, number: ValueId) -> bool {
    match &page.values[number.0].op {
        Op::Integer(Some(value)) => *value >= Integer::ONE,
        _ => false,
    }
}

/// The values that a `Let` binds, in the order of the page.
fn to_bind(page: &Page, result: ValueId, values: usize) -> Vec<ValueId> {
    let mut uses = vec![0_u32; page.values.len()];
    let mut is_bound = vec![false; page.values.len()];
    uses[result.0] = 1;
    let mut found = Vec::new();
    // The values that are evaluated and can fail.
    let mut failing = Vec::new();
    for index in (0..page.values.len()).rev() {
        let known = &page.values[index];
        let must_run = known.may_fail && index < values;
        if uses[index] == 0 && !must_run {
            continue;
        }
        if known.may_fail {
            failing.push(ValueId(index));
        }
        each_operand(&known.op, |operand| uses[operand.0] += 1);
        if let Op::Repeat(_, input, body) = &known.op
            && uses_input(body)
        {
            uses[input.0] += 1;
            is_bound[input.0] = true;
        }
        if let Op::Roll(_, sides) = known.op
            && !matches!(page.values[sides.0].op, Op::Integer(Some(_)))
        {
            // The sides are evaluated once, so that every die has the same number of sides.
            is_bound[sides.0] = true;
        }
        let is_simple = match &known.op {
            Op::Input => true,
            Op::Integer(Some(_)) => !is_bound[index],
            Op::Join(parts) => parts.is_empty() && !is_bound[index],
            _ => false,
        };
        if !is_simple && (uses[index] != 1 || is_bound[index]) {
            found.push(ValueId(index));
        }
    }
    found.reverse();
    if let Some(last) = last_late(page, result, &found) {
        found.extend(failing.into_iter().filter(|&id| id <= last));
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// The last value that can fail and is evaluated after a later value that can fail, if the values `bound` are bound.
fn last_late(page: &Page, result: ValueId, bound: &[ValueId]) -> Option<ValueId> {
    let mut is_bound = vec![false; page.values.len()];
    for id in bound {
        is_bound[id.0] = true;
    }
    let mut order = Order {
        page,
        is_bound,
        latest: ValueId(0),
        last_late: None,
    };
    for &id in bound {
        order.evaluate(id);
    }
    if !order.is_bound[result.0] {
        order.evaluate(result);
    }
    order.last_late
}

/// The values that can fail, in the order in which the terms of a page evaluate them.
struct Order<'a> {
    page: &'a Page,
    is_bound: Vec<bool>,
    /// The latest value of the page so far.
    latest: ValueId,
    last_late: Option<ValueId>,
}

impl Order<'_> {
    /// Evaluates a value after its operands in their places.
    fn evaluate(&mut self, id: ValueId) {
        let known = &self.page.values[id.0];
        let mut operands = Vec::new();
        each_operand(&known.op, |operand| operands.push(operand));
        if let Op::Multiply(..) = known.op {
            // The pool is drawn before it is repeated.
            operands.reverse();
        }
        for operand in operands {
            if !self.is_bound[operand.0] {
                stack::level(|| self.evaluate(operand));
            }
        }
        if known.may_fail {
            if id < self.latest {
                self.last_late = self.last_late.max(Some(id));
            }
            self.latest = self.latest.max(id);
        }
    }
}

/// Whether a block uses the pool that it begins with.
fn uses_input(page: &Page) -> bool {
    let mut is_used = vec![false; page.values.len()];
    is_used[page.result.0] = true;
    for index in (0..page.values.len()).rev() {
        let known = &page.values[index];
        if is_used[index] || known.may_fail {
            is_used[index] = true;
            each_operand(&known.op, |operand| is_used[operand.0] = true);
            if let Op::Repeat(_, input, body) = &known.op {
                let uses = stack::level(|| uses_input(body));
                is_used[input.0] |= uses;
            }
        }
    }
    page.values
        .iter()
        .zip(is_used)
        .any(|(known, is_used)| is_used && matches!(known.op, Op::Input))
}

/// Visits the operands that are evaluated together with the value: all but the pool of a repeated block.
fn each_operand(op: &Op, mut visit: impl FnMut(ValueId)) {
    match op {
        Op::Input | Op::Integer(_) => {}
        Op::Fold(_, a) | Op::Repeat(a, _, _) => visit(*a),
        Op::Append(a, _, b)
        | Op::Difference(a, b)
        | Op::Keep(_, a, b)
        | Op::Multiply(a, b)
        | Op::Roll(a, b)
        | Op::Select(_, a, b) => {
            visit(*a);
            visit(*b);
        }
        Op::Join(parts) => parts.iter().copied().for_each(visit),
    }
}

struct Lowering<'a> {
    build: &'a mut Builder,
    page: &'a Page,
    /// The name of the pool that the page begins with.
    input: Option<Name>,
    /// The name of each value that is bound.
    names: Vec<Option<Name>>,
}

impl Lowering<'_> {
    fn value(&mut self, id: ValueId) -> Expr {
        match self.names[id.0] {
            Some(name) => self.build.variable(name),
            None => stack::level(|| self.op(id)),
        }
    }

    fn op(&mut self, id: ValueId) -> Expr {
        let page = self.page;
        let known = &page.values[id.0];
        match &known.op {
            Op::Append(..) => self.appended(id),
            Op::Difference(whole, part) => {
                let (whole, part) = (self.value(*whole), self.value(*part));
                let site = self.site(known);
                self.build.difference(whole, part, site)
            }
            Op::Fold(folding, pool) => {
                let pool = self.value(*pool);
                let site = self.site(known);
                self.build.fold(*folding, pool, site)
            }
            Op::Input => match self.input {
                Some(name) => self.build.variable(name),
                None => self.build.empty(),
            },
            Op::Integer(Some(value)) => self.build.integer(value.clone()),
            Op::Integer(None) => {
                let site = self.site(known);
                self.build.fail(ErrorKind::Overflow, site)
            }
            Op::Join(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|&part| self.value(part)).collect();
                self.build.join(&parts)
            }
            Op::Keep(sign, number, pool) => {
                let comparison = match sign {
                    Sign::Minus => Comparison::LessOrEqual,
                    Sign::Plus => Comparison::GreaterOrEqual,
                };
                let (number, pool) = (self.value(*number), self.value(*pool));
                let site = self.site(known);
                self.build.filter(comparison, number, pool, site)
            }
            Op::Multiply(times, pool) => self.multiply(known, *times, *pool),
            Op::Repeat(count, input, body) => self.repeat(known, *count, *input, body),
            Op::Roll(count, sides) => {
                let (count, sides) = (self.value(*count), self.value(*sides));
                let site = self.site(known);
                let die = self.build.die(sides, site);
                match self.build.constant(count) {
                    Some(count) if *count == Integer::ONE => die,
                    _ => self.build.repeat(count, die, site),
                }
            }
            Op::Select(end, count, pool) => {
                let selection = match end {
                    End::High => Selection::High,
                    End::Low => Selection::Low,
                };
                let (count, pool) = (self.value(*count), self.value(*pool));
                let site = self.site(known);
                self.build.select(selection, count, pool, site)
            }
        }
    }

    /// One join for a chain of appends.
    fn appended(&mut self, id: ValueId) -> Expr {
        let page = self.page;
        let (mut pool, mut numbers) = (id, Vec::new());
        while let Op::Append(inner, sign, number) = &page.values[pool.0].op
            && (pool == id || self.names[pool.0].is_none())
        {
            numbers.push((*sign, *number, page.values[pool.0].operands[1]));
            pool = *inner;
        }
        let mut parts = vec![self.value(pool)];
        for (sign, number, place) in numbers.into_iter().rev() {
            let mut number = self.value(number);
            if sign == Sign::Minus {
                let site = self.build.site(Site::at(place));
                number = self.build.negate(number, site);
            }
            parts.push(number);
        }
        self.build.join(&parts)
    }

    /// Each member of a pool `times` times: the pool is drawn once, and the drawn pool is repeated.
    fn multiply(&mut self, known: &Known, times: ValueId, pool: ValueId) -> Expr {
        let site = self.site(known);
        if self.names[pool.0].is_some() {
            let (times, pool) = (self.value(times), self.value(pool));
            return self.build.repeat(times, pool, site);
        }
        let drawn = self.value(pool);
        let times = self.value(times);
        let name = self.build.name();
        let pool = self.build.variable(name);
        let copies = self.build.repeat(times, pool, site);
        self.build.bind(name, drawn, copies)
    }

    fn repeat(&mut self, known: &Known, count: ValueId, input: ValueId, body: &Page) -> Expr {
        let is_natural = self.page.values[count.0].is_natural;
        let count = self.value(count);
        let site = self.site(known);
        let count = if is_natural {
            count
        } else {
            let none = self.build.integer(Integer::ZERO);
            self.build.arithmetic(Arithmetic::Max, none, count, site)
        };
        let body = self.run(input, body);
        self.build.repeat(count, body, site)
    }

    /// One run of a block.
    fn run(&mut self, input: ValueId, body: &Page) -> Expr {
        let name = match self.page.values[input.0].op {
            Op::Input => self.input,
            _ => self.names[input.0],
        };
        let asked = Asked {
            result: body.result,
            values: body.values.len(),
            is_share: false,
        };
        lower_page(self.build, body, asked, name, |_, body| body)
    }

    fn site(&mut self, known: &Known) -> SiteId {
        let [left, right] = known.operands;
        self.build.site(Site::new(known.whole, left, right))
    }
}
