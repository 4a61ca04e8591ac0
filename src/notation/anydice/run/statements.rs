//! Statements, run one after the other, where all values are known.

use super::dice::check_dice;
use super::machine::{Machine, Output};
use super::operators::summed;
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::anydice::code::{Operation, Variable};
use crate::notation::anydice::term::Term;
use crate::notation::anydice::tree::{Chosen, Infix, Prefix};
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The most outputs of a program.
const MOST_OUTPUTS: usize = 10_000;

impl Machine<'_> {
    /// Runs the whole program.
    pub(super) fn program(&mut self) -> Result<(), Error> {
        let given: Vec<_> = self.settings.parameters.iter().collect();
        for (name, value) in given {
            if let Some(variable) = self.code.variable(name) {
                self.variables[variable] = Some(Value::Number(value.clone()));
                self.warn_of_assigned(variable);
            }
        }
        let root = self.code.tree.root;
        let outcome = self.statement(root);
        outcome
            .map(|_| ())
            .map_err(|stop| stop.error(self.code.span(root)))
    }

    /// Warns of a value from outside that the program replaces before it reads it.
    fn warn_of_assigned(&mut self, variable: Variable) {
        let code = self.code;
        let Operation::Block(statements) = code.operation(code.tree.root) else {
            return;
        };
        let read = code.tree.ids().find(
            |&id| matches!(code.operation(id), Operation::Variable(read) if *read == variable),
        );
        let assignment = statements.iter().find(|&&id| matches!(code.operation(id), Operation::Assign(assigned, _) if *assigned == variable));
        let Some(&assignment) = assignment else {
            return;
        };
        let place = code.span(assignment);
        if read.is_none_or(|read| code.span(read).start > place.end) {
            let name = code.variables[variable];
            let message = format!(
                "the program gives `{name}` a value itself, so the one from outside is lost"
            );
            let warning = Diagnostic::new(place, message)
                .with_code("lost-value")
                .with_help("leave this statement out");
            self.warn(warning);
        }
    }

    /// Runs a statement; the result of the function, if it ends here.
    pub(super) fn statement(&mut self, id: NodeId) -> Attempt<Option<Value>> {
        self.budget.check()?;
        let code = self.code;
        match code.operation(id) {
            Operation::Assign(variable, value) => {
                let value = self.value(*value)?;
                self.variables[*variable] = Some(value);
            }
            Operation::Block(statements) => {
                for &statement in statements {
                    let result = stack::level(|| self.statement(statement))?;
                    if result.is_some() {
                        return Ok(result);
                    }
                }
            }
            Operation::Define(function) => {
                self.functions.insert(function.name, function.clone());
                self.forget();
            }
            Operation::If(branches, otherwise) => {
                for &(condition, block) in branches {
                    let value = self.value(condition)?;
                    if self.holds(value, condition)? {
                        return self.statement(block);
                    }
                }
                if let Some(block) = otherwise {
                    return self.statement(*block);
                }
            }
            Operation::Loop(variable, members, block) => {
                let value = self.value(*members)?;
                let members = self.members(value, *members)?;
                return self.repeat(*variable, &members, *block);
            }
            Operation::Output(value, name) => self.output(*value, *name)?,
            Operation::Result(value) => return self.value(*value).map(Some),
            Operation::Set(name, chosen) => {
                self.set(*name, *chosen)?;
                self.forget();
            }
            _ => {}
        }
        Ok(None)
    }

    fn repeat(
        &mut self,
        variable: Variable,
        members: &[Integer],
        block: NodeId,
    ) -> Attempt<Option<Value>> {
        for member in members {
            self.variables[variable] = Some(Value::Number(member.clone()));
            let result = self.statement(block)?;
            if result.is_some() {
                return Ok(result);
            }
        }
        Ok(None)
    }

    /// Whether a condition that must be a number holds.
    pub(super) fn holds(&self, value: Value, id: NodeId) -> Attempt<bool> {
        let span = self.code.span(id);
        let wrong = |what: &str, help: String| {
            let message = format!("the condition of `if` must be a number, but this is {what}");
            Stop::new(
                ErrorKind::Type,
                Diagnostic::new(span, message).with_help(help),
            )
        };
        match value {
            Value::Number(number) => Ok(!number.is_zero()),
            Value::Sequence(_) | Value::Pool(_) | Value::Row(_) => Err(wrong(
                "a sequence",
                "compare its members or its length with a number, as in `if #S > 0 { … }`".into(),
            )),
            Value::Dice(_) | Value::Nothing | Value::Throw(..) => {
                Err(wrong("a die", self.how_to_look(id)))
            }
            Value::Unknown(_) => Err(Stop::Open("a condition depends on the roll here")),
        }
    }

    /// How a program can look at the dice of a condition.
    fn how_to_look(&self, condition: NodeId) -> String {
        let mut id = self.code.tree.ungrouped(condition);
        while let Operation::Infix(operator, left, _) = self.code.operation(id) {
            if *operator == Infix::Dice {
                break;
            }
            id = self.code.tree.ungrouped(*left);
        }
        let words = self.code.tree.words(id);
        match self.code.operation(id) {
            Operation::Variable(_) if self.depth > 0 => format!(
                "give the parameter a type: write `{words}:n` in the name of the function to look at each number"
            ),
            _ if words.len() <= 40 && !words.contains('\n') => {
                format!(
                    "give `{words}` to a function with a parameter `:n`, which looks at each number"
                )
            }
            _ => "give the dice to a function with a parameter `:n`, which looks at each number"
                .into(),
        }
    }

    /// The members that a loop runs over.
    fn members(&mut self, value: Value, id: NodeId) -> Attempt<std::rc::Rc<[Integer]>> {
        let span = self.code.span(id);
        match value {
            Value::Sequence(members) => Ok(members),
            Value::Number(number) => {
                let warning = Diagnostic::new(
                    span,
                    "this loop runs over a number, which is its only member",
                )
                .with_code("loop-over-number")
                .with_help(format!("write `{{1..{number}}}` for all numbers up to it"));
                self.warn(warning);
                Ok([number].into())
            }
            Value::Unknown(_) | Value::Pool(_) | Value::Row(_) => {
                Err(Stop::Open("a loop runs over the roll here"))
            }
            Value::Dice(_) | Value::Nothing | Value::Throw(..) => {
                let wrong = Diagnostic::new(span, "a loop runs over a sequence, but this is a die")
                    .with_help("write `{…}` around it for all its values, or give it to a function with a parameter `:s` for each roll");
                Err(Stop::new(ErrorKind::Type, wrong))
            }
        }
    }

    fn output(&mut self, id: NodeId, name: Option<Span>) -> Attempt<()> {
        let value = self.value(id)?;
        let number = self.done.outputs.len() + 1;
        if number > MOST_OUTPUTS {
            let message = format!("the program has more outputs than the limit of {MOST_OUTPUTS}");
            let place = Diagnostic::new(self.code.span(id), message);
            return Err(Stop::new(ErrorKind::Limit, place));
        }
        let is_named = name.is_some();
        let name = match name {
            Some(span) => self.title(span)?,
            None => format!("output {number}"),
        };
        let is_condition = is_condition(self.code.ungrouped(id));
        let is_dice = matches!(value, Value::Dice(_));
        if let Value::Number(number) = &value
            && number.to_i64().is_none_or(|number| number.abs() > 1 << 53)
        {
            let message = "AnyDice rounds numbers above 2^53; this is the exact one";
            self.warn(Diagnostic::new(self.code.span(id), message).with_code("large-number"));
        }
        let term = match value {
            value if value.is_open() => {
                return Err(Stop::Open("a call that is in progress has no value yet"));
            }
            Value::Sequence(members) => self.faces_of(&members)?.map(Term::faces),
            value => summed(&value)?.term(),
        };
        if let Some(term) = &term {
            check_dice(term, self.code.span(id))?;
        } else {
            let span = self.code.span(id);
            let warning = Diagnostic::new(span, "nothing comes out of this").with_code("nothing");
            self.warn(warning);
        }
        self.done.outputs.push(Output {
            name,
            is_named,
            span: self.code.span(id),
            term,
            is_condition: is_condition && is_dice,
            warned: self.done.warnings.len(),
        });
        Ok(())
    }

    fn set(&mut self, name: Span, chosen: Chosen) -> Attempt<()> {
        let tree = self.code.tree;
        let wrong = |span: Span, message: String, help: &str| {
            let finding = Diagnostic::new(span, message).with_help(help);
            Stop::new(ErrorKind::Domain, finding)
        };
        let named = unquoted(tree.slice(name));
        match named {
            "position order" => {
                let value = match chosen {
                    Chosen::Text(text) => unquoted(tree.slice(text)),
                    Chosen::Value(_) => "",
                };
                self.rules.lowest_first = match value {
                    "highest first" => false,
                    "lowest first" => true,
                    _ => {
                        let message = "the position order is \"highest first\" or \"lowest first\"";
                        let help = "write `set \"position order\" to \"lowest first\"`";
                        return Err(wrong(name, message.into(), help));
                    }
                };
            }
            "explode depth" => self.rules.explode_depth = self.depth_of(named, name, chosen)?,
            "maximum function depth" => {
                self.rules.function_depth = self.depth_of(named, name, chosen)?;
            }
            _ => {
                return Err(wrong(
                    name,
                    format!(
                        "there is no setting {}",
                        crate::notation::reader::quote::shortened(tree.slice(name))
                    ),
                    "the settings are \"explode depth\", \"maximum function depth\" and \"position order\"",
                ));
            }
        }
        Ok(())
    }

    /// A depth: a number above 0, or `None` for "unlimited".
    fn depth_of(&mut self, name: &str, place: Span, chosen: Chosen) -> Attempt<Option<u32>> {
        let (span, value) = match chosen {
            Chosen::Text(text) if unquoted(self.code.tree.slice(text)) == "unlimited" => {
                return Ok(None);
            }
            Chosen::Text(text) => (text, None),
            Chosen::Value(value) => (self.code.span(value), Some(self.value(value)?)),
        };
        let kind = match &value {
            Some(Value::Number(_)) | None => ErrorKind::Domain,
            Some(_) => ErrorKind::Type,
        };
        let depth = match value {
            Some(Value::Number(depth)) => depth.to_i64().filter(|depth| *depth > 0),
            _ => None,
        };
        let Some(depth) = depth else {
            let message =
                format!("\"{name}\" can only be set to a number above 0 or to \"unlimited\"");
            let finding =
                Diagnostic::new(span, message).with_help(format!("write `set \"{name}\" to 5`"));
            let _ = place;
            return Err(Stop::new(kind, finding));
        };
        Ok(Some(u32::try_from(depth).unwrap_or(u32::MAX)))
    }
}

/// The text between quotes.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

/// Whether a value is a condition, as written.
fn is_condition(operation: &Operation) -> bool {
    match operation {
        Operation::Infix(operator, ..) => operator.is_truth(),
        Operation::Prefix(operator, _) => *operator == Prefix::Not,
        _ => false,
    }
}
