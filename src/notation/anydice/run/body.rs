//! Runs the body of a function on hidden values, once for all rolls.
//!
//! A number that depends on the roll is a [term](crate::notation::anydice::term). Where a condition is such a number, both branches are run:
//! variables that differ afterwards are joined, and results become two cases of one term. Loops over the roll go through its
//! positions. What cannot be run so is [`Stop::Open`], with the reason.

use std::rc::Rc;

use super::arguments::Argument;
use super::machine::Machine;
use super::operators::{length, summed};
use super::places::chosen;
use super::stop::{Attempt, Stop};
use crate::error::Diagnostic;
use crate::notation::anydice::code::{Function, Operation, Variable};
use crate::notation::anydice::term::{Bound, Hidden, List, Run, Shape, Term};
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::stack;

/// The most statements that are run on hidden values for one call.
const MOST_STEPS: u32 = 50_000;

/// The reason for not running a body on hidden values if a number may fail that the result does not need.
const MAY_FAIL: &str = "a number that may fail is not looked at";

/// The tasks that are left in a body, the innermost first.
#[derive(Clone, Default)]
struct Tasks(Option<Rc<Task>>);

struct Task {
    work: Work,
    then: Tasks,
}

enum Work {
    /// The statements of a block, from one on.
    Block(NodeId, usize),
    /// The branches of an `if`, from one on.
    Branches(NodeId, usize),
    /// The rounds of a loop, from one on.
    Rounds(Variable, Rc<[Value]>, usize, NodeId),
}

fn then(work: Work, then: Tasks) -> Tasks {
    Tasks(Some(Rc::new(Task { work, then })))
}

impl Machine<'_> {
    /// The term of a call whose dice are hidden: a number in each case, or nothing.
    pub(super) fn on_hidden(
        &mut self,
        function: &Function,
        arguments: &[Argument],
    ) -> Attempt<Term> {
        let is_first = self.open_steps.is_none();
        let since = self.pending.len();
        if is_first {
            self.open_steps = Some(MOST_STEPS);
        }
        let mut bound = Vec::new();
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Fixed(value) => value.clone(),
                Argument::Each(term) => {
                    let hidden = self.hide();
                    self.note_sign(hidden, term);
                    bound.push((hidden, Bound::Number(term.clone())));
                    Value::Unknown(Term::new(Shape::Hidden(hidden)))
                }
                Argument::EachRoll(dice) => {
                    let hidden = self.hide();
                    self.note_sign(hidden, &dice.die);
                    bound.push((hidden, Bound::Roll(dice.count, dice.die.clone())));
                    Value::Pool(List::Hidden(hidden, dice.count))
                }
            });
        }
        let result = self.open_body(function, values, true);
        if is_first {
            self.open_steps = None;
        }
        // A run that stops leaves names behind.
        self.pending.truncate(since);
        let mut term = as_term(&result?)?;
        for (hidden, bound) in bound.into_iter().rev() {
            term = Term::new(Shape::Let(hidden, bound, term));
        }
        Ok(term)
    }

    /// The value of a call within a body on hidden values that depends on them.
    pub(super) fn call_on_open(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Argument],
    ) -> Attempt<Value> {
        if self.open_steps.is_none() {
            return Err(Stop::Open("a call depends on the roll"));
        }
        if let Some(fixed) = super::arguments::all_fixed(arguments) {
            return self.open_body(function, fixed, false);
        }
        let term = self.on_hidden(function, arguments)?;
        if term.may_be_nothing() {
            return Err(Stop::Open("nothing may come out of a call within the body"));
        }
        Ok(Value::single(term))
    }

    /// The result of a body with the values of its parameters.
    fn open_body(
        &mut self,
        function: &Function,
        values: Vec<Value>,
        mixes: bool,
    ) -> Attempt<Value> {
        let outside = self.variables.clone();
        let since = self.pending.len();
        for ((variable, _), value) in function.parameters.iter().zip(values).rev() {
            let value = self.named(value);
            self.variables[*variable] = Some(value);
        }
        let tasks = then(Work::Block(function.body, 0), Tasks::default());
        let result = stack::level(|| self.open_run(tasks, mixes));
        self.variables = outside;
        self.closed_over(since, result)
    }

    /// A value whose term has a name, so that it is evaluated once.
    pub(super) fn named(&mut self, value: Value) -> Value {
        match value {
            Value::Unknown(term) if term.height() > 1 => {
                let hidden = self.hide();
                self.note_sign(hidden, &term);
                self.pending.push((hidden, term));
                Value::Unknown(Term::new(Shape::Hidden(hidden)))
            }
            value => value,
        }
    }

    /// Notes that a hidden number, or each number of a hidden roll, is at least 0, if its term shows it.
    fn note_sign(&mut self, hidden: Hidden, term: &Term) {
        if self.is_never_negative(term) {
            self.never_negative.insert(hidden);
        }
    }

    /// Whether a number is at least 0, as far as its term shows it.
    pub(super) fn is_never_negative(&self, term: &Term) -> bool {
        term.is_never_negative(&|hidden| self.never_negative.contains(&hidden))
    }

    /// A result with the names that were given since the start of its body.
    fn closed_over(&mut self, since: usize, result: Attempt<Value>) -> Attempt<Value> {
        let names = self.pending.split_off(since);
        let may_fail = names.iter().any(|(_, term)| term.may_fail());
        let bind = |term: Term| {
            let names = names.iter().rev();
            names.fold(term, |term, (hidden, value)| {
                Term::bind(*hidden, value, term)
            })
        };
        Ok(match result? {
            Value::Unknown(term) => Value::unknown(bind(term)),
            _ if may_fail => return Err(Stop::Open(MAY_FAIL)),
            value @ (Value::Pool(_) | Value::Row(_) | Value::Throw(..)) if !names.is_empty() => {
                let mentions = |name: &Hidden| value.mentions(*name);
                if names.iter().any(|(name, _)| mentions(name)) {
                    // The numbers of a sequence keep their names.
                    self.pending.extend(names.iter().cloned());
                }
                value
            }
            Value::Dice(mut dice) if dice.die.is_open() => {
                dice.die = bind(dice.die);
                Value::Dice(dice)
            }
            value => value,
        })
    }

    /// Runs the tasks to the result of the function, or to a number in each case if results are mixed.
    fn open_run(&mut self, tasks: Tasks, mixes: bool) -> Attempt<Value> {
        let value = self.result_of(tasks, mixes)?;
        if mixes {
            as_term(&value).map(Value::unknown)
        } else {
            Ok(value)
        }
    }

    fn result_of(&mut self, mut tasks: Tasks, mixes: bool) -> Attempt<Value> {
        while let Some(task) = tasks.0 {
            self.budget.check()?;
            let rest = task.then.clone();
            tasks = match &task.work {
                Work::Block(block, at) => {
                    let Operation::Block(statements) = self.code.operation(*block) else {
                        return Ok(Value::Nothing);
                    };
                    let Some(&statement) = statements.get(*at) else {
                        tasks = rest;
                        continue;
                    };
                    let rest = then(Work::Block(*block, at + 1), rest);
                    match self.open_statement(statement, rest)? {
                        Next::Result(value) => return Ok(value),
                        Next::Tasks(tasks) => tasks,
                    }
                }
                Work::Branches(id, at) => {
                    let Operation::If(branches, otherwise) = self.code.operation(*id) else {
                        return Ok(Value::Nothing);
                    };
                    let Some(&(condition, block)) = branches.get(*at) else {
                        tasks = match otherwise {
                            Some(block) => then(Work::Block(*block, 0), rest),
                            None => rest,
                        };
                        continue;
                    };
                    let value = self.value(condition)?;
                    if let Value::Unknown(condition) = value {
                        let yes = Work::Block(block, 0);
                        let no = Work::Branches(*id, at + 1);
                        if self.has_result(*id) {
                            return self.both_results(
                                &condition,
                                then(yes, rest.clone()),
                                then(no, rest),
                                mixes,
                            );
                        }
                        self.both_branches(
                            condition,
                            then(yes, Tasks::default()),
                            then(no, Tasks::default()),
                        )?;
                        rest
                    } else if self.holds(value, condition)? {
                        then(Work::Block(block, 0), rest)
                    } else {
                        then(Work::Branches(*id, at + 1), rest)
                    }
                }
                Work::Rounds(variable, members, at, block) => match members.get(*at) {
                    None => rest,
                    Some(member) => {
                        let member = self.named(member.clone());
                        self.variables[*variable] = Some(member);
                        let rounds = Work::Rounds(*variable, members.clone(), at + 1, *block);
                        then(Work::Block(*block, 0), then(rounds, rest))
                    }
                },
            };
        }
        Ok(Value::Nothing)
    }

    /// Runs a block without a result.
    pub(super) fn run_block(&mut self, block: NodeId) -> Attempt<()> {
        let tasks = then(Work::Block(block, 0), Tasks::default());
        stack::level(|| self.open_run(tasks, false)).map(|_| ())
    }

    fn open_statement(&mut self, id: NodeId, rest: Tasks) -> Attempt<Next> {
        let steps = self.open_steps.unwrap_or_default();
        let Some(left) = steps.checked_sub(1) else {
            return Err(Stop::Open("the body has too many cases"));
        };
        self.open_steps = Some(left);
        Ok(Next::Tasks(match self.code.operation(id) {
            Operation::Assign(variable, value) => {
                let value = self.value(*value)?;
                let value = self.named(value);
                self.variables[*variable] = Some(value);
                rest
            }
            Operation::Result(value) => return self.value(*value).map(Next::Result),
            Operation::If(..) => then(Work::Branches(id, 0), rest),
            Operation::Loop(variable, members, block) => {
                let value = self.value(*members)?;
                if let Value::Pool(pool) = &value
                    && self.add_up(*variable, pool, *block)?
                {
                    return Ok(Next::Tasks(rest));
                }
                let members = self.rounds(value)?;
                then(Work::Rounds(*variable, members, 0, *block), rest)
            }
            _ => rest,
        }))
    }

    /// The members that a loop runs over.
    fn rounds(&mut self, value: Value) -> Attempt<Rc<[Value]>> {
        match value {
            Value::Sequence(members) => Ok(members.iter().cloned().map(Value::Number).collect()),
            Value::Pool(list) if list.count() <= 1_000 => Ok(self.members_of(&list).into()),
            Value::Row(members) if length(&members) <= 1_000 => {
                let members = members.iter().map(|member| match member {
                    Value::Pool(list) => self.members_of(list),
                    member => vec![member.clone()],
                });
                Ok(members.flatten().collect())
            }
            Value::Number(number) => Ok([Value::Number(number)].into()),
            value @ Value::Unknown(_) => Ok([value].into()),
            _ => Err(Stop::Open(
                "a loop runs over something that it cannot run over",
            )),
        }
    }

    /// The members of a sorted sequence.
    pub(super) fn members_of(&self, list: &List) -> Vec<Value> {
        let count = list.count();
        let member = |position: u64| {
            let place = if self.rules.lowest_first {
                count + 1 - position
            } else {
                position
            };
            let run = Run {
                first: place,
                last: place,
                times: 1,
            };
            Value::Unknown(chosen(list.clone(), vec![run]))
        };
        (1..=count).map(member).collect()
    }

    /// The results of two cases.
    fn both_results(
        &mut self,
        condition: &Term,
        yes: Tasks,
        no: Tasks,
        mixes: bool,
    ) -> Attempt<Value> {
        let since = self.pending.len();
        let before = self.variables.clone();
        let yes = stack::level(|| self.open_run(yes, mixes));
        let yes = self.closed_over(since, yes)?;
        self.variables = before;
        let no = stack::level(|| self.open_run(no, mixes));
        let no = self.closed_over(since, no)?;
        joined(condition, yes, no)
    }

    /// Runs two branches without results, and joins the variables.
    fn both_branches(&mut self, condition: Term, yes: Tasks, no: Tasks) -> Attempt<()> {
        let since = self.pending.len();
        let before = self.variables.clone();
        stack::level(|| self.open_run(yes, false))?;
        let after_yes = std::mem::replace(&mut self.variables, before);
        let pending_yes = self.pending.split_off(since);
        stack::level(|| self.open_run(no, false))?;
        let after_no = std::mem::take(&mut self.variables);
        let pending_no = self.pending.split_off(since);
        if pending_yes
            .iter()
            .chain(&pending_no)
            .any(|(_, term)| term.may_fail())
        {
            return Err(Stop::Open(MAY_FAIL));
        }
        let mut joined_variables = Vec::with_capacity(after_no.len());
        let Value::Unknown(condition) = self.named(Value::Unknown(condition)) else {
            return Err(Stop::Open("a condition has no value"));
        };
        for (yes, no) in after_yes.into_iter().zip(after_no) {
            joined_variables.push(match (yes, no) {
                (yes, no) if yes == no => yes,
                (Some(yes), Some(no)) => {
                    self.pending.extend(pending_yes.iter().cloned());
                    let yes = self.closed_over(self.pending.len() - pending_yes.len(), Ok(yes))?;
                    self.pending.extend(pending_no.iter().cloned());
                    let no = self.closed_over(self.pending.len() - pending_no.len(), Ok(no))?;
                    let value = joined(&condition, yes, no)?;
                    Some(self.named(value))
                }
                _ => return Err(Stop::Open("a variable has a value in only one case")),
            });
        }
        self.variables = joined_variables;
        Ok(())
    }

    /// Whether a node or one within it is a result.
    pub(super) fn has_result(&self, id: NodeId) -> bool {
        let code = self.code;
        match code.operation(id) {
            Operation::Result(_) => true,
            Operation::Block(statements) => statements.iter().any(|&id| self.has_result(id)),
            Operation::If(branches, otherwise) => {
                let mut blocks = branches.iter().map(|&(_, block)| block).chain(*otherwise);
                blocks.any(|block| self.has_result(block))
            }
            Operation::Loop(_, _, block) => self.has_result(*block),
            _ => false,
        }
    }

    /// A note of a call that was solved by states, for `--explain`.
    pub(super) fn explain_states(&mut self, id: NodeId) {
        let remark = Diagnostic::new(self.code.span(id), "this call is solved by states").as_note();
        if !self.done.remarks.contains(&remark) {
            self.done.remarks.push(remark);
        }
    }
}

/// What follows a statement.
enum Next {
    Result(Value),
    Tasks(Tasks),
}

/// A result as it counts in a mixture.
fn as_term(value: &Value) -> Attempt<Term> {
    let term = summed(value)?.term();
    Ok(term.unwrap_or_else(|| Term::new(Shape::Nothing)))
}

/// The value that a variable or a call has in one of two cases.
fn joined(condition: &Term, yes: Value, no: Value) -> Attempt<Value> {
    if yes == no {
        return Ok(yes);
    }
    let as_number = |value: &Value| match value {
        Value::Number(number) => Some(Term::certain(number.clone())),
        Value::Unknown(term) => Some(term.clone()),
        _ => None,
    };
    if let (Some(yes), Some(no)) = (as_number(&yes), as_number(&no)) {
        return Ok(Value::Unknown(Term::new(Shape::If(
            condition.clone(),
            yes,
            no,
        ))));
    }
    match (yes, no) {
        (Value::Dice(yes), Value::Dice(no)) if yes.count == 1 && no.count == 1 => {
            let die = Term::new(Shape::If(condition.clone(), yes.die, no.die));
            Ok(Value::single(die))
        }
        _ => Err(Stop::Open("two cases have values of different kinds")),
    }
}
