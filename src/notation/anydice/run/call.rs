//! Calls of functions.

use std::rc::Rc;

use super::arguments::{Argument, all_fixed, arguments_of};
use super::library;
use super::machine::{CallAnswer, FunctionCall, Machine};
use super::sequence::total;
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::anydice::code::{Function, Name, Variable};
use crate::notation::anydice::tree::ParameterType;
use crate::notation::anydice::value::Value;
use crate::notation::reader::spelling;
use crate::notation::reader::tree::NodeId;

/// The most calls that are remembered.
const MOST_KNOWN: usize = 1 << 20;

impl Machine<'_> {
    /// The value of a call.
    pub(super) fn call(&mut self, name: Name, values: &[NodeId], id: NodeId) -> Attempt<Value> {
        let mut arguments = Vec::with_capacity(values.len());
        for &value in values {
            arguments.push(self.value(value)?);
        }
        if let Some(function) = self.functions.get(&name).cloned() {
            return self.call_function(&function, arguments, id);
        }
        let code = self.code;
        match library::find(&code.names[name]) {
            Some(function) => self.call_library(function, arguments, id),
            None => Err(self.no_function(name, id)),
        }
    }

    fn call_function(
        &mut self,
        function: &Rc<Function>,
        values: Vec<Value>,
        id: NodeId,
    ) -> Attempt<Value> {
        let kinds: Vec<ParameterType> = function.parameters.iter().map(|(_, kind)| *kind).collect();
        let is_summed = |(kind, value): (&ParameterType, &Value)| {
            *kind == ParameterType::Number
                && matches!(value, Value::Sequence(_) | Value::Pool(_) | Value::Row(_))
        };
        let sums = kinds.iter().zip(&values).any(is_summed);
        let Some(arguments) = arguments_of(&kinds, values)? else {
            return Ok(Value::Nothing);
        };
        if self
            .rules
            .function_depth
            .is_some_and(|most| self.depth >= most)
        {
            return self.too_deep(id);
        }
        if self.rules.function_depth.is_none() && self.depth >= 2_000 {
            let message = "more than 2000 calls are in progress within one another";
            let finding = Diagnostic::new(self.code.span(id), message)
                .with_help("set \"maximum function depth\" to a number");
            return Err(Stop::new(ErrorKind::Limit, finding));
        }
        self.depth += 1;
        let value = self.call_within(function, &arguments, id);
        self.depth -= 1;
        match value? {
            Value::Sequence(members) if sums => Ok(Value::Number(total(&members)?)),
            value => Ok(value),
        }
    }

    fn call_within(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Argument],
        id: NodeId,
    ) -> Attempt<Value> {
        let is_open = |argument: &Argument| match argument {
            Argument::Fixed(value) => value.is_open(),
            Argument::Each(term) => term.is_open(),
            Argument::EachRoll(dice) => dice.die.is_open(),
        };
        let seen = self.seen(function);
        let sees_open = seen.iter().flatten().any(Value::is_open);
        if arguments.iter().any(is_open) || sees_open {
            return self.call_on_open(function, arguments);
        }
        let values = arguments.iter().map(|argument| match argument {
            Argument::Fixed(value) => value.clone(),
            Argument::Each(term) => Value::single(term.clone()),
            Argument::EachRoll(dice) => Value::Dice(dice.clone()),
        });
        let mut key = FunctionCall {
            function: Rc::as_ptr(function) as usize,
            depth: None,
            arguments: values.collect(),
            seen,
        };
        let most = self.rules.function_depth.unwrap_or(u32::MAX);
        if let Some(known) = self.memory.0.get(&key)
            && self.depth.saturating_add(known.height) <= most
        {
            self.deepest = self.deepest.max(self.depth + known.height);
            return Ok(known.value.clone());
        }
        let is_unlimited = self.rules.function_depth.is_none();
        if is_unlimited && let Some(value) = self.came_back(&key, id)? {
            return Ok(value);
        }
        let unlimited = is_unlimited.then(|| (key.clone(), self.begin(&key)));
        key.depth = Some(self.depth);
        if let Some(known) = self.memory.0.get(&key) {
            self.deepest = u32::MAX;
            return Ok(known.value.clone());
        }
        let deepest = std::mem::replace(&mut self.deepest, self.depth);
        // A body that is run on hidden values here is closed, so it is run with steps of its own.
        let open_steps = self.open_steps.take();
        let value = self.run_function(function, arguments, id);
        self.open_steps = open_steps;
        let value = match unlimited {
            Some((key, name)) => self.end(&key, name, value, id),
            None => value,
        };
        let reached = self.deepest;
        self.deepest = deepest.max(reached);
        let value = value?;
        if value.is_open() {
            return Ok(value);
        }
        let height = if reached == u32::MAX {
            0
        } else {
            reached - self.depth
        };
        if reached != u32::MAX {
            key.depth = None;
        }
        if self.memory.0.len() < MOST_KNOWN {
            let value = value.clone();
            self.memory.0.insert(key, CallAnswer { value, height });
        }
        Ok(value)
    }

    /// Runs a body for all values of its arguments.
    fn run_function(
        &mut self,
        function: &Rc<Function>,
        arguments: &[Argument],
        id: NodeId,
    ) -> Attempt<Value> {
        if let Some(fixed) = all_fixed(arguments) {
            return self.run_body(function, &fixed);
        }
        self.warn_of_carried(function);
        self.chances(function, arguments, id)
    }

    /// Runs a body with the values of its parameters, and forgets what it has assigned.
    pub(super) fn run_body(&mut self, function: &Function, values: &[Value]) -> Attempt<Value> {
        self.budget.count_states(1)?;
        let outside = self.variables.clone();
        // Of parameters with equal names the first counts.
        for ((variable, _), value) in function.parameters.iter().zip(values).rev() {
            self.variables[*variable] = Some(value.clone());
        }
        let result = self.statement(function.body);
        self.variables = outside;
        result.map(|result| result.unwrap_or(Value::Nothing))
    }

    /// The values of the variables that a body can see from outside.
    fn seen(&self, function: &Function) -> Vec<Option<Value>> {
        let mut variables: Vec<Variable> = Vec::new();
        let mut called: Vec<Name> = Vec::new();
        let mut open: Vec<&Function> = vec![function];
        while let Some(next) = open.pop() {
            let is_parameter = |variable: &Variable| {
                function
                    .parameters
                    .iter()
                    .any(|(parameter, _)| parameter == variable)
            };
            let seen = next
                .mentions
                .iter()
                .filter(|variable| !is_parameter(variable));
            variables.extend(seen);
            for name in &next.calls {
                if !called.contains(name) {
                    called.push(*name);
                    open.extend(self.functions.get(name).map(|function| &**function));
                }
            }
        }
        variables.sort_unstable();
        variables.dedup();
        variables
            .iter()
            .map(|&variable| self.variables[variable].clone())
            .collect()
    }

    fn too_deep(&mut self, id: NodeId) -> Attempt<Value> {
        if self.open_steps.is_some() {
            return Err(Stop::Open("calls reach the maximum function depth"));
        }
        self.deepest = u32::MAX;
        let most = self.rules.function_depth.unwrap_or_default();
        let message =
            format!("the maximum function depth of {most} was reached; results are cut off");
        let warning = Diagnostic::new(self.code.span(id), message)
            .with_code("depth-reached")
            .with_help("write `set \"maximum function depth\" to 20` for more");
        self.warn(warning);
        Ok(Value::Nothing)
    }

    /// Warns of a body whose variables AnyDice carries from one outcome to the next.
    fn warn_of_carried(&mut self, function: &Function) {
        let parameters = function.parameters.iter().map(|(parameter, _)| *parameter);
        let mut assigned = parameters.filter(|parameter| function.assigns.contains(parameter));
        let carried = assigned.next().or(function.carries);
        if let Some(variable) = carried {
            let name = self.code.variables[variable];
            let message = format!(
                "AnyDice carries `{name}` from one outcome to the next; its numbers differ, and here every outcome starts afresh"
            );
            self.warn(
                Diagnostic::new(self.code.span(function.id), message).with_code("changed-variable"),
            );
        }
    }

    fn no_function(&self, name: Name, id: NodeId) -> Stop {
        let code = self.code;
        let wanted = &code.names[name];
        let shown: String = wanted.chars().take(80).collect();
        let finding = Diagnostic::new(
            self.code.span(id),
            format!("there is no function `[{shown}]`"),
        );
        let own = self.functions.keys().map(|name| code.names[*name].as_str());
        let mut defined: Vec<&str> = own.collect();
        defined.extend(library::names());
        defined.sort_unstable();
        let near = spelling::nearest(wanted, defined.iter().copied());
        let words = |name: &str| -> Vec<String> {
            let words = name.split(' ').filter(|word| *word != "_");
            words.map(str::to_owned).collect()
        };
        let same = |name: &&&str| !words(name).is_empty() && words(name) == words(wanted);
        let alike: Vec<&str> = near.map_or_else(
            || defined.iter().filter(same).copied().take(3).collect(),
            |near| vec![near],
        );
        let help = if alike.is_empty() {
            "write `function: name X:n { result: X }` to define one".into()
        } else {
            let alike: Vec<String> = alike.iter().map(|name| format!("`[{name}]`")).collect();
            format!(
                "did you mean {}? each `_` is one value, and `1 -2` or `d6 d8` are one: write `1 (-2)` and `1d6 1d8`",
                alike.join(" or ")
            )
        };
        let finding = finding.with_help(help);
        Stop::new(ErrorKind::Unbound, finding)
    }
}
