//! Lowers a script to core programs, one instruction after the other.
//!
//! The pool is a term of the pool before, so that the engine sees a chain of instructions as one expression. A pool that is used
//! more than once, or by the runs of a block, is *held*: a `Let` binds it, and its uses share one roll. What is not used is left
//! out, unless it can fail.
//!
//! An error hides the errors after it. So what can fail is held before anything is bound that the script evaluates later.

use super::tree::{Action, Block, Instruction, Operand, OperandKind, Script, Sign, Then};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Folding, Name, Program, Site, SiteId};
use crate::notation::reader::tree::NodeId as BlockId;
use crate::notation::syntax::Step;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The programs of the results: one for each `G`, or one if there is no `G`.
pub(super) fn results(script: &Script) -> Vec<Program> {
    let root = script.node(script.root);
    let graphs = (0..root.len()).filter(|&at| root[at].kind == Action::Graph);
    let graphs: Vec<Program> = graphs
        .map(|at| shares(script, at + 1, root.len(), root[at].span))
        .collect();
    if !graphs.is_empty() {
        return graphs;
    }
    let mut lowering = Lowering::new(script);
    let context = lowering.block(root, Pool::default());
    let is_stack = !context.stack.is_empty();
    let result = lowering.result(context);
    let result = lowering.list(&result);
    let program = lowering.program(result);
    vec![if is_stack {
        program
    } else {
        // A pool has no order.
        program.sorted()
    }]
}

/// The instructions of a script that change the pool, with what the pool is after each of them.
pub(super) fn steps(script: &Script) -> Vec<Step> {
    let mut pushed = Vec::new();
    let mut steps = Vec::new();
    for (at, &Instruction { span, kind }) in script.node(script.root).iter().enumerate() {
        let taken = (kind.stack_effect().0 > 0).then(|| pushed.pop()).flatten();
        let span = taken.map_or(span, |taken| nearby(script, taken, span));
        match kind {
            Action::Push(value) => pushed.push(value.span),
            Action::Graph | Action::Print | Action::Verbosity(_) => {}
            _ => steps.push(Step {
                span,
                members: shares(script, at + 1, at + 1, span),
                size: folded(script, at + 1, Folding::Count),
                sum: folded(script, at + 1, Folding::Sum),
            }),
        }
    }
    steps
}

/// The program for the share of each number in the pool after the first `until` instructions, where the first `all` are evaluated
/// if they can fail.
///
/// If the pool is the joined result of several runs of a block, the program evaluates one run: expectations are linear, so
/// the shares are the same.
fn shares(script: &Script, until: usize, all: usize, place: Span) -> Program {
    let mut lowering = Lowering::new(script);
    let (before, after) = script.node(script.root)[..all].split_at(until);
    let mut context = lowering.block(before, Pool::default());
    let (asked, bound) = (context.pool.clone(), lowering.bound.len());
    lowering.hold(&mut context);
    let mut result = lowering.list(&context.pool);
    lowering.may_fail = false;
    lowering.instructions(after, &mut context);
    lowering.leave(&mut context);
    if !lowering.may_fail {
        // Nothing that follows matters.
        lowering.bound.truncate(bound);
        result = asked.run.unwrap_or_else(|| lowering.list(&asked));
    }
    lowering.program(result).as_share(place)
}

/// The program for a fold of the pool after the first `until` instructions.
fn folded(script: &Script, until: usize, folding: Folding) -> Program {
    let mut lowering = Lowering::new(script);
    let context = lowering.block(&script.node(script.root)[..until], Pool::default());
    let folded = lowering.fold(folding, &context.pool, Span::default());
    lowering.program(folded.expr)
}

/// A pool while a script is lowered.
#[derive(Clone, Debug, Default)]
struct Pool {
    /// The lists that are joined to the pool.
    lists: Vec<Expr>,
    /// One of the runs of a block, at least one, that the pool is the result of.
    run: Option<Expr>,
    /// Whether a member may be negative.
    is_signed: bool,
    /// Whether evaluating the lists can fail.
    may_fail: bool,
}

/// A number while a script is lowered.
#[derive(Clone, Copy, Debug)]
struct Number {
    expr: Expr,
    is_signed: bool,
    may_fail: bool,
}

/// A number on the stack.
#[derive(Clone, Copy, Debug)]
enum Pushed {
    /// A number that cannot fail.
    Known(Number),
    /// A fold of the pool. When the pool changes, it becomes known.
    Waiting(Folding),
}

/// The pool and the stack of one context. Each entry of the stack has the place of its instruction.
#[derive(Debug)]
struct Context {
    pool: Pool,
    stack: Vec<(Pushed, Span)>,
}

impl Context {
    /// How many numbers on the stack wait for the pool.
    fn waiting(&self) -> usize {
        let stack = self.stack.iter();
        let waiting = stack.filter(|(pushed, _)| matches!(pushed, Pushed::Waiting(_)));
        waiting.count()
    }
}

struct Lowering<'s> {
    script: &'s Script,
    build: Builder,
    /// What is held, in the order of the script.
    bound: Vec<(Name, Expr)>,
    /// Whether anything so far can fail.
    may_fail: bool,
}

impl<'s> Lowering<'s> {
    fn new(script: &'s Script) -> Self {
        Self {
            script,
            build: Builder::new(),
            bound: Vec::new(),
            may_fail: false,
        }
    }

    /// The program for a term within what is held.
    fn program(mut self, term: Expr) -> Program {
        let root = self.within(0, term);
        self.build.program(root)
    }

    /// A term within all that was held since then.
    fn within(&mut self, since: usize, term: Expr) -> Expr {
        let bound = self.bound.split_off(since).into_iter().rev();
        bound.fold(term, |body, (name, value)| {
            self.build.bind(name, value, body)
        })
    }

    /// The context after a block that begins with this pool.
    fn block(&mut self, block: &[Instruction], pool: Pool) -> Context {
        let stack = Vec::new();
        let mut context = Context { pool, stack };
        self.instructions(block, &mut context);
        context
    }

    /// The result of a context: its stack, or its pool if the stack is empty.
    fn result(&mut self, mut context: Context) -> Pool {
        if context.stack.is_empty() {
            return context.pool;
        }
        let mut result = Pool::default();
        if context.waiting() == 1 {
            result.may_fail = context.pool.may_fail;
            self.settle(&mut context);
        } else {
            self.leave(&mut context);
        }
        for (pushed, span) in context.stack {
            let number = self.pushed(pushed, &context.pool, span);
            result.is_signed |= number.is_signed;
            result.lists.push(number.expr);
        }
        result
    }

    fn instructions(&mut self, block: &[Instruction], context: &mut Context) {
        for &instruction in block {
            self.instruction(instruction, context);
        }
    }

    fn instruction(&mut self, Instruction { span, kind }: Instruction, context: &mut Context) {
        match kind {
            // These change neither the pool nor the stack.
            Action::Graph | Action::Print | Action::Verbosity(_) => {}
            Action::Append(sign, added) => {
                let number = self.beside(added, context);
                let mut expr = number.expr;
                if sign == Sign::Minus {
                    let site = self.build.site(Site::at(added.span));
                    expr = self.build.negate(expr, site);
                }
                let pool = &mut context.pool;
                pool.lists.push(expr);
                pool.run = None;
                pool.is_signed |= number.is_signed || sign == Sign::Minus;
                pool.may_fail |= number.may_fail;
            }
            Action::Block { pops, body } => {
                let (result, uses_pool) = self.runs(context, pops, body, span);
                if !uses_pool {
                    self.leave(context);
                }
                context.pool = result;
            }
            Action::Keep(sign) => {
                if context.waiting() > 0 {
                    self.hold(context);
                }
                let Some((pushed, place)) = context.stack.pop() else {
                    return;
                };
                let number = self.pushed(pushed, &context.pool, place);
                let comparison = match sign {
                    Sign::Minus => Comparison::LessOrEqual,
                    Sign::Plus => Comparison::GreaterOrEqual,
                };
                let site = self.site_behind(place, span, span);
                let pool = self.list(&context.pool);
                let kept = self.build.filter(comparison, number.expr, pool, site);
                let is_bounded = sign == Sign::Plus && !number.is_signed;
                context.pool = Pool {
                    lists: vec![kept],
                    run: None,
                    is_signed: context.pool.is_signed && !is_bounded,
                    may_fail: context.pool.may_fail,
                };
            }
            Action::Multiply(times) => {
                let number = self.beside(times, context);
                let site = self.build.site(Site::new(span, times.span, span));
                let pool = self.list(&context.pool);
                // The pool is drawn once, and the drawn pool is repeated.
                let copies = if self.is_held(&context.pool) {
                    self.build.repeat(number.expr, pool, site)
                } else {
                    let name = self.build.name();
                    let drawn = self.build.variable(name);
                    let copies = self.build.repeat(number.expr, drawn, site);
                    self.build.bind(name, pool, copies)
                };
                self.counted(context, number, copies);
            }
            Action::Push(value) => {
                let pushed = self.push(value, context);
                context.stack.push((pushed, value.span));
            }
            Action::Remove { filter, then } => self.remove(filter, then, span, context),
            Action::Roll { pops, sides } => self.roll(pops, sides, span, context),
            Action::Select(end, count) => {
                let number = self.beside(count, context);
                let selection = end.selection();
                let site = self.build.site(Site::new(span, count.span, span));
                let pool = self.list(&context.pool);
                let selected = self.build.select(selection, number.expr, pool, site);
                self.counted(context, number, selected);
            }
        }
    }

    /// Replaces the pool by a list that was made of it by a number, which must not be negative.
    fn counted(&mut self, context: &mut Context, number: Number, list: Expr) {
        let may_fail = self.fails_if(number.is_signed);
        let pool = &mut context.pool;
        pool.lists = vec![list];
        pool.run = None;
        pool.may_fail |= number.may_fail || may_fail;
    }

    fn remove(&mut self, filter: BlockId, then: Option<Then>, span: Span, context: &mut Context) {
        self.hold(context);
        let filter = self.script.node(filter);
        let filtered = stack::level(|| self.block(filter, context.pool.clone()));
        let mut taken = Context {
            pool: filtered.pool,
            stack: Vec::new(),
        };
        let count = then.filter(|then| then.pops);
        taken.stack.extend(count.and_then(|_| context.stack.pop()));
        let is_once = then.is_some() && self.is_once(&taken, count.is_some());
        if is_once {
            self.hold(&mut taken);
        }
        let since = self.bound.len();
        let mut added = then.map_or_else(Pool::default, |then| {
            self.runs(&mut taken, then.pops, then.body, then.span).0
        });
        let [whole, part] = [&context.pool, &taken.pool].map(|pool| self.list(pool));
        let site = self.build.site(Site::new(span, span, span));
        let mut rest = self.build.difference(whole, part, site);
        if is_once && self.bound.len() > since {
            // It can fail before what the block holds.
            let name = self.build.name();
            self.bound.insert(since, (name, rest));
            rest = self.build.variable(name);
        }
        let mut lists = vec![rest];
        lists.append(&mut added.lists);
        context.pool = Pool {
            lists,
            run: None,
            is_signed: context.pool.is_signed || added.is_signed,
            may_fail: self.fails_if(true),
        };
    }

    fn roll(&mut self, pops: bool, sides: Operand, span: Span, context: &mut Context) {
        let looks = sides.kind != OperandKind::Integer;
        if context.waiting() + usize::from(looks) > 1 {
            self.hold(context);
        }
        let mut uses_pool = looks;
        let mut faces = self.number(sides, context);
        let has_faces = self.build.constant(faces.expr);
        let has_faces = has_faces.map(|sides| *sides >= Integer::ONE);
        if has_faces.is_none() {
            // The sides are evaluated once, so that every die has the same number of sides.
            faces = self.held(faces);
        }
        let popped = pops.then(|| context.stack.pop()).flatten();
        let (count, counted) = match popped {
            Some((pushed, place)) => {
                uses_pool |= matches!(pushed, Pushed::Waiting(_));
                (self.pushed(pushed, &context.pool, place), place)
            }
            None => (self.integer(Integer::ONE), span),
        };
        if !uses_pool {
            self.leave(context);
        }
        let site = self.site_behind(counted, span, sides.span);
        let die = self.build.die(faces.expr, site);
        let dice = if self.is_one(count) {
            die
        } else {
            self.build.repeat(count.expr, die, site)
        };
        let may_fail = self.fails_if(count.is_signed || has_faces != Some(true));
        context.pool = Pool {
            lists: vec![dice],
            may_fail: count.may_fail || may_fail,
            ..Pool::default()
        };
    }

    /// The joined results of the runs of a block, each on a copy of the pool, and whether they use the pool.
    fn runs(
        &mut self,
        context: &mut Context,
        pops: bool,
        body: BlockId,
        span: Span,
    ) -> (Pool, bool) {
        let body: &'s Block = self.script.node(body);
        if self.is_once(context, pops) {
            let below = context.stack.len() - usize::from(pops);
            context.stack.truncate(below);
            if context.waiting() > 0 {
                self.hold(context);
            }
            let inner = stack::level(|| self.block(body, context.pool.clone()));
            return (self.result(inner), true);
        }
        let (name, since) = (self.build.name(), self.bound.len());
        let is_held = self.is_held(&context.pool);
        let mut input = context.pool.clone();
        if !is_held {
            input.lists = vec![self.build.variable(name)];
            input.may_fail = false;
        }
        let fails_before = std::mem::replace(&mut self.may_fail, false);
        let inner = stack::level(|| self.block(body, input));
        let result = self.result(inner);
        let run = self.list(&result);
        let run = self.within(since, run);
        let may_fail = std::mem::replace(&mut self.may_fail, fails_before);
        let mut uses_pool = !is_held && self.build.free(run).contains(&name);
        if uses_pool {
            self.hold_as(name, context);
        } else if context.waiting() > 1 {
            self.hold(context);
        }
        let Some((pushed, counted)) = context.stack.pop() else {
            return (result, uses_pool);
        };
        uses_pool |= matches!(pushed, Pushed::Waiting(_));
        let count = self.pushed(pushed, &context.pool, counted);
        let is_positive = self.build.constant(count.expr);
        let is_positive = is_positive.is_some_and(|count| *count >= Integer::ONE);
        let site = self.site_behind(counted, span, span);
        let mut times = count.expr;
        if count.is_signed {
            let none = self.build.integer(Integer::ZERO);
            times = self.build.arithmetic(Arithmetic::Max, none, times, site);
        }
        let all = Pool {
            lists: vec![self.build.repeat(times, run, site)],
            run: is_positive.then_some(run),
            is_signed: result.is_signed,
            may_fail: count.may_fail || self.fails_if(may_fail),
        };
        (all, uses_pool)
    }

    /// Whether a block surely runs once.
    fn is_once(&self, context: &Context, pops: bool) -> bool {
        match context.stack.last() {
            Some((Pushed::Known(count), _)) if pops => self.is_one(*count),
            _ => !pops,
        }
    }

    /// Notes that something can fail, and returns whether it can.
    fn fails_if(&mut self, may_fail: bool) -> bool {
        self.may_fail |= may_fail;
        may_fail
    }

    /// The list of a pool.
    fn list(&mut self, pool: &Pool) -> Expr {
        self.build.join(&pool.lists)
    }

    /// Whether a pool can be used again: it is empty, or held.
    fn is_held(&self, pool: &Pool) -> bool {
        match pool.lists[..] {
            [] => true,
            [only] => self.build.variable_of(only).is_some(),
            _ => false,
        }
    }

    /// Holds the pool, so that it can be used again.
    fn hold(&mut self, context: &mut Context) {
        if self.is_held(&context.pool) {
            self.settle(context);
        } else {
            let name = self.build.name();
            self.hold_as(name, context);
        }
    }

    fn hold_as(&mut self, name: Name, context: &mut Context) {
        let list = self.list(&context.pool);
        self.bound.push((name, list));
        context.pool = Pool {
            lists: vec![self.build.variable(name)],
            run: None,
            is_signed: context.pool.is_signed,
            may_fail: false,
        };
        self.settle(context);
    }

    /// Holds a number.
    fn held(&mut self, number: Number) -> Number {
        let name = self.build.name();
        self.bound.push((name, number.expr));
        Number {
            expr: self.build.variable(name),
            may_fail: false,
            ..number
        }
    }

    /// Makes the numbers that wait for the pool known, as folds of the present pool.
    fn settle(&mut self, context: &mut Context) {
        for (pushed, span) in &mut context.stack {
            *pushed = Pushed::Known(self.pushed(*pushed, &context.pool, *span));
        }
    }

    /// Must be called before the pool is replaced by one that is not computed from it.
    fn leave(&mut self, context: &mut Context) {
        if context.pool.may_fail || context.waiting() > 1 {
            self.hold(context);
        } else {
            self.settle(context);
        }
    }

    /// The value behind an instruction that uses the pool, too.
    fn beside(&mut self, value: Operand, context: &mut Context) -> Number {
        if value.kind != OperandKind::Integer || context.waiting() > 0 {
            self.hold(context);
        }
        self.number(value, context)
    }

    fn number(&mut self, value: Operand, context: &mut Context) -> Number {
        match value.kind {
            OperandKind::Count => self.fold(Folding::Count, &context.pool, value.span),
            OperandKind::Integer => {
                let number = self.script.slice(value.span).parse();
                let number = number.ok().map(|number| self.integer(number));
                number.unwrap_or_else(|| self.too_long(value, context))
            }
            OperandKind::Sum => self.fold(Folding::Sum, &context.pool, value.span),
        }
    }

    /// A number that is too long.
    fn too_long(&mut self, value: Operand, context: &mut Context) -> Number {
        if context.pool.may_fail {
            self.hold(context);
        }
        let site = self.build.site(Site::at(value.span));
        Number {
            expr: self.build.fail(ErrorKind::Overflow, site),
            is_signed: false,
            may_fail: self.fails_if(true),
        }
    }

    fn push(&mut self, value: Operand, context: &mut Context) -> Pushed {
        match value.kind {
            OperandKind::Count => Pushed::Waiting(Folding::Count),
            OperandKind::Integer => {
                let number = self.number(value, context);
                Pushed::Known(if number.may_fail {
                    self.held(number)
                } else {
                    number
                })
            }
            OperandKind::Sum => Pushed::Waiting(Folding::Sum),
        }
    }

    /// The number of an entry of the stack; a waiting entry is a fold of this pool.
    fn pushed(&mut self, pushed: Pushed, pool: &Pool, span: Span) -> Number {
        match pushed {
            Pushed::Known(number) => number,
            Pushed::Waiting(folding) => self.fold(folding, pool, span),
        }
    }

    fn fold(&mut self, folding: Folding, pool: &Pool, span: Span) -> Number {
        let site = self.build.site(Site::at(span));
        let list = self.list(pool);
        Number {
            expr: self.build.fold(folding, list, site),
            is_signed: folding == Folding::Sum && pool.is_signed,
            may_fail: pool.may_fail,
        }
    }

    fn integer(&mut self, number: Integer) -> Number {
        Number {
            expr: self.build.integer(number),
            is_signed: false,
            may_fail: false,
        }
    }

    fn is_one(&self, number: Number) -> bool {
        self.build.constant(number.expr) == Some(&Integer::ONE)
    }

    /// The site of an instruction behind the number that it takes, and of the value behind it.
    fn site_behind(&mut self, taken: Span, instruction: Span, value: Span) -> SiteId {
        let whole = nearby(self.script, taken, instruction);
        self.build.site(Site::new(whole, taken, value))
    }
}

/// The place of an instruction, with the number that it takes if only blanks lie between them.
fn nearby(script: &Script, taken: Span, instruction: Span) -> Span {
    let is_near = taken.end <= instruction.start
        && script
            .slice(Span::new(taken.end, instruction.start))
            .chars()
            .all(char::is_whitespace);
    if is_near {
        taken.to(instruction)
    } else {
        instruction
    }
}
