//! Compiles a script to a straight-line list of values: each instruction becomes a value of earlier values.
//!
//! The compiler runs the script with names of values in place of the pool and of the numbers on the stack. This is possible
//! because the size of the stack is known everywhere. A list of values is a [`Page`]. A filter, or a block that runs exactly
//! once, adds its values to the page of the instructions around it. A repeated block has its own page, in which value 0 is
//! the pool at the beginning of each run.

use super::tree::{Block, End, Instruction, Kind, Script, Sign, Value, ValueKind};
use crate::ir::Folding;
use crate::notation::reader::tree::NodeId as BlockId;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The index of a value of a [`Page`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueId(pub(super) usize);

/// How a value is computed. An operand is a number unless it is called a pool.
#[derive(Debug)]
pub(super) enum Op {
    /// A pool with a number, or its opposite, appended.
    Append(ValueId, Sign, ValueId),
    /// The first pool without the members of the second.
    Difference(ValueId, ValueId),
    /// The sum or the size of a pool.
    Fold(Folding, ValueId),
    /// The pool at the beginning of a block.
    Input,
    /// A constant; `None` for one that is too long.
    Integer(Option<Integer>),
    /// The members of a pool that are at least, or at most, a number.
    Keep(Sign, ValueId, ValueId),
    /// Pools and numbers joined to one pool.
    Join(Vec<ValueId>),
    /// A number, and the pool whose members are repeated that often.
    Multiply(ValueId, ValueId),
    /// A number of runs of a block, each on a copy of a pool.
    Repeat(ValueId, ValueId, Box<Page>),
    /// A number of dice, and their number of sides.
    Roll(ValueId, ValueId),
    /// The number of highest, or lowest, members of a pool that are kept.
    Select(End, ValueId, ValueId),
}

/// The definition of a value, its place, and its properties.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) op: Op,
    /// The place of the instruction, with the number that it takes.
    pub(super) whole: Span,
    /// The places of the operands: the number from the stack, and the value behind the instruction.
    pub(super) operands: [Span; 2],
    /// Whether the number, or each member, is proved to be zero or more.
    pub(super) is_natural: bool,
    /// Whether evaluating the value can fail.
    pub(super) may_fail: bool,
}

/// Values in the order of the script, and the result: the values of a script, or of a repeated block.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) values: Vec<Known>,
    /// The numbers on the stack at the end, or else the pool.
    pub(super) result: ValueId,
}

/// A top-level instruction that was compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) span: Span,
    /// The pool after the instruction.
    pub(super) pool: ValueId,
    /// The number of values on the page after the instruction.
    pub(super) values: usize,
    pub(super) is_graph: bool,
}

/// A compiled script.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) page: Page,
    pub(super) steps: Vec<Step>,
    /// Whether the result is the final stack.
    pub(super) is_stack: bool,
}

/// Compiles a script.
pub(super) fn compile(script: &Script) -> Compiled {
    let mut compiler = Compiler {
        script,
        values: Vec::new(),
    };
    let mut context = Context {
        pool: compiler.empty(),
        stack: Vec::new(),
    };
    let mut steps = Vec::new();
    for &instruction in script.node(script.root) {
        let popped = context.stack.last().copied();
        let size = context.stack.len();
        compiler.instruction(instruction, &mut context);
        let taken = popped.filter(|_| context.stack.len() < size);
        steps.push(Step {
            span: taken.map_or(instruction.span, |(_, span)| {
                nearby(script, span, instruction.span)
            }),
            pool: context.pool,
            values: compiler.values.len(),
            is_graph: instruction.kind == Kind::Graph,
        });
    }
    let is_stack = !context.stack.is_empty();
    let result = compiler.result(&context);
    Compiled {
        page: Page {
            values: compiler.values,
            result,
        },
        steps,
        is_stack,
    }
}

/// The pool and the stack of one context. Each entry of the stack has the place of its instruction.
struct Context {
    pool: ValueId,
    stack: Vec<(ValueId, Span)>,
}

struct Compiler<'t> {
    script: &'t Script,
    values: Vec<Known>,
}

impl Compiler<'_> {
    fn empty(&mut self) -> ValueId {
        let nowhere = Span::default();
        self.add(Op::Join(Vec::new()), nowhere, [nowhere; 2])
    }

    /// Adds a value, whose properties follow from those of its operands.
    fn add(&mut self, op: Op, whole: Span, operands: [Span; 2]) -> ValueId {
        let natural = |id: &ValueId| self.values[id.0].is_natural;
        let is_natural = match &op {
            Op::Append(_, Sign::Minus, _) | Op::Input => false,
            Op::Append(a, Sign::Plus, b) => natural(a) && natural(b),
            Op::Fold(Folding::Count, _) | Op::Integer(_) | Op::Roll(..) => true,
            Op::Difference(pool, _)
            | Op::Fold(_, pool)
            | Op::Multiply(_, pool)
            | Op::Select(_, _, pool) => natural(pool),
            Op::Keep(sign, number, pool) => {
                natural(pool) || (*sign == Sign::Plus && natural(number))
            }
            Op::Join(parts) => parts.iter().all(natural),
            Op::Repeat(_, _, page) => page.values[page.result.0].is_natural,
        };
        let may_fail = match &op {
            Op::Append(..) | Op::Fold(..) | Op::Input | Op::Join(_) | Op::Keep(..) => false,
            Op::Difference(..) => true,
            Op::Integer(value) => value.is_none(),
            Op::Multiply(n, _) | Op::Select(_, n, _) => !natural(n),
            Op::Repeat(_, _, page) => page.values.iter().any(|value| value.may_fail),
            Op::Roll(count, sides) => {
                let has_sides = match &self.values[sides.0].op {
                    Op::Integer(Some(sides)) => *sides >= Integer::ONE,
                    _ => false,
                };
                !natural(count) || !has_sides
            }
        };
        self.values.push(Known {
            op,
            whole,
            operands,
            is_natural,
            may_fail,
        });
        ValueId(self.values.len() - 1)
    }

    fn integer(&mut self, value: Integer, span: Span) -> ValueId {
        self.add(Op::Integer(Some(value)), span, [span; 2])
    }

    /// Adds the value behind an instruction, or the value of a push.
    fn value(&mut self, value: Value, pool: ValueId) -> ValueId {
        let op = match value.kind {
            ValueKind::Count => Op::Fold(Folding::Count, pool),
            ValueKind::Integer => Op::Integer(self.script.slice(value.span).parse().ok()),
            ValueKind::Sum => Op::Fold(Folding::Sum, pool),
        };
        self.add(op, value.span, [value.span; 2])
    }

    fn instruction(&mut self, Instruction { span, kind }: Instruction, context: &mut Context) {
        let pool = context.pool;
        match kind {
            // These change neither the pool nor the stack.
            Kind::Graph | Kind::Print | Kind::Verbosity(_) => {}
            Kind::Append(sign, added) => {
                let number = self.value(added, pool);
                let op = Op::Append(pool, sign, number);
                context.pool = self.add(op, span, [span, added.span]);
            }
            Kind::Block { pops, body } => {
                let count = pops.then(|| context.stack.pop()).flatten();
                context.pool = self.runs(count, pool, body, span);
            }
            Kind::Keep(sign) => {
                if let Some((number, pushed)) = context.stack.pop() {
                    let whole = nearby(self.script, pushed, span);
                    let op = Op::Keep(sign, number, pool);
                    context.pool = self.add(op, whole, [pushed, span]);
                }
            }
            Kind::Multiply(times) => {
                let number = self.value(times, pool);
                let op = Op::Multiply(number, pool);
                context.pool = self.add(op, span, [times.span, span]);
            }
            Kind::Push(value) => {
                let number = self.value(value, pool);
                context.stack.push((number, value.span));
            }
            Kind::Remove { filter, then } => {
                let taken = stack::level(|| self.block(self.script.node(filter), pool)).pool;
                let op = Op::Difference(pool, taken);
                context.pool = self.add(op, span, [span, span]);
                if let Some(then) = then {
                    let count = then.pops.then(|| context.stack.pop()).flatten();
                    let added = self.runs(count, taken, then.body, then.span);
                    let op = Op::Join(vec![context.pool, added]);
                    context.pool = self.add(op, span, [span, span]);
                }
            }
            Kind::Roll { pops, sides } => {
                let one = (!pops).then(|| self.integer(Integer::ONE, span));
                let sides_value = self.value(sides, pool);
                let popped = pops.then(|| context.stack.pop()).flatten();
                let Some((count, counted)) = popped.or(one.map(|one| (one, span))) else {
                    return;
                };
                let whole = nearby(self.script, counted, span);
                let op = Op::Roll(count, sides_value);
                context.pool = self.add(op, whole, [counted, sides.span]);
            }
            Kind::Select(end, count) => {
                let number = self.value(count, pool);
                let op = Op::Select(end, number, pool);
                context.pool = self.add(op, span, [count.span, span]);
            }
        }
    }

    /// The joined results of `count` runs of a block, each on a copy of a pool; of one run without a count.
    fn runs(
        &mut self,
        count: Option<(ValueId, Span)>,
        pool: ValueId,
        body: BlockId,
        span: Span,
    ) -> ValueId {
        let body = self.script.node(body);
        let is_one = |count: ValueId| match &self.values[count.0].op {
            Op::Integer(Some(value)) => *value == Integer::ONE,
            _ => false,
        };
        match count {
            Some((count, counted)) if !is_one(count) => {
                let outside = std::mem::take(&mut self.values);
                let is_natural = outside[pool.0].is_natural;
                let input = self.add(Op::Input, span, [span; 2]);
                self.values[input.0].is_natural = is_natural;
                let context = stack::level(|| self.block(body, input));
                let result = self.result(&context);
                let values = std::mem::replace(&mut self.values, outside);
                let page = Box::new(Page { values, result });
                let whole = nearby(self.script, counted, span);
                self.add(Op::Repeat(count, pool, page), whole, [counted, span])
            }
            _ => {
                let context = stack::level(|| self.block(body, pool));
                self.result(&context)
            }
        }
    }

    /// Compiles a block that begins with this pool.
    fn block(&mut self, block: &Block, pool: ValueId) -> Context {
        let mut context = Context {
            pool,
            stack: Vec::new(),
        };
        for &instruction in block {
            self.instruction(instruction, &mut context);
        }
        context
    }

    /// The result of a context: its stack, or its pool if the stack is empty.
    fn result(&mut self, context: &Context) -> ValueId {
        match context.stack[..] {
            [] => context.pool,
            [(number, _)] => number,
            _ => {
                let numbers = context.stack.iter().map(|&(number, _)| number).collect();
                let nowhere = Span::default();
                self.add(Op::Join(numbers), nowhere, [nowhere; 2])
            }
        }
    }
}

/// The place of an instruction, with the number that it takes if only blanks lie between them.
fn nearby(script: &Script, pushed: Span, instruction: Span) -> Span {
    let is_near = pushed.end <= instruction.start
        && script
            .slice(Span::new(pushed.end, instruction.start))
            .chars()
            .all(char::is_whitespace);
    if is_near {
        pushed.to(instruction)
    } else {
        instruction
    }
}
