//! The names of outputs, in which `[X]` stands for the value of a variable.

use super::machine::Machine;
use super::statements::unquoted;
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::anydice::lexer::is_of_variable;
use crate::notation::anydice::term::{Shape, Term};
use crate::notation::anydice::value::Value;
use crate::source::Span;

impl Machine<'_> {
    /// The name of an output, from the text with its quotes.
    pub(super) fn title(&self, span: Span) -> Attempt<String> {
        let text = unquoted(self.code.tree.slice(span));
        let mut name = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('[') {
            let (before, inner) = rest.split_at(start);
            name.push_str(before);
            let variable = inner[1..].split(']').next().unwrap_or_default();
            let is_variable = !variable.is_empty()
                && variable.chars().all(is_of_variable)
                && inner[1 + variable.len()..].starts_with(']');
            if !is_variable {
                name.push('[');
                rest = &inner[1..];
                continue;
            }
            let known = self.code.variable(variable);
            match known.and_then(|known| self.value_of(known)) {
                Some(value) => name.push_str(&shown(value)),
                None => return Err(self.unbound(variable, span)),
            }
            rest = &inner[variable.len() + 2..];
        }
        name.push_str(rest);
        Ok(name)
    }

    /// The error for a variable without a value.
    pub(super) fn unbound(&self, name: &str, span: Span) -> Stop {
        let bound = (0..self.variables.len()).filter(|&variable| self.value_of(variable).is_some());
        let names = bound.map(|variable| self.code.variables[variable]);
        let near = crate::notation::reader::spelling::nearest(name, names);
        let shown = crate::notation::reader::quote::shortened(name);
        let finding = Diagnostic::new(span, format!("there is no variable `{shown}`"));
        let finding = match near {
            Some(near) => finding.with_help(format!("did you mean `{near}`?")),
            None => finding.with_help(format!("write `{shown}: 3` before it, for example")),
        };
        let finding = finding.with_remedy(crate::error::Remedy::GiveValue(name.into()));
        Stop::new(ErrorKind::Unbound, finding)
    }
}

/// A value as names show it.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Dice(dice) => shown_dice(dice.count, &dice.die),
        Value::Nothing => "d{}".into(),
        _ => "{?}".into(),
    }
}

fn shown_dice(count: u64, die: &Term) -> String {
    let (sign, sides) = match die.shape() {
        Shape::Uniform(sides) if sides.is_zero() => ("", "{0..0}".to_owned()),
        Shape::Uniform(sides) => {
            let text = sides.to_string();
            match text.strip_prefix('-') {
                Some(sides) => ("-", sides.to_owned()),
                None => ("", text),
            }
        }
        _ => ("", "{?}".to_owned()),
    };
    match count {
        1 => format!("{sign}d{sides}"),
        count => format!("{sign}{count}d{sides}"),
    }
}
