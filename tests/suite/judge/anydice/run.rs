//! The judge's run of a program, path by path: a body is run for each number and each roll that it looks at.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use dicedist::number::Fraction;
use num_traits::One;

use super::text::{Block, Expr, Function, Statement};
use super::value::{
    Found, Halt, Law, Value, drawn, error, few, infix, library, mixture, parameters, prefix, rolls,
};

type Variables = BTreeMap<String, Value>;

/// The most runs of bodies, the most calls within one another, and the most members of a sequence.
const MOST_RUNS: u32 = 800;
const DEEPEST: u32 = 12;
const LONGEST: usize = 400;

/// Runs a program: each output with its name, and the error that stops it.
pub(super) fn run(program: &Block) -> (Vec<(String, Law)>, Found<()>) {
    let mut machine = Machine {
        most_depth: 10,
        explode: 2,
        ..Machine::default()
    };
    let end = machine.block(program).map(|_| ());
    (machine.outputs, end)
}

#[derive(Default)]
struct Machine {
    variables: Variables,
    functions: BTreeMap<String, Rc<Function>>,
    /// The calls that were answered: a name, the arguments, the variables, and the depth.
    known: HashMap<(String, Vec<Value>, Variables, u32), Value>,
    depth: u32,
    most_depth: u32,
    explode: usize,
    lowest_first: bool,
    runs: u32,
    outputs: Vec<(String, Law)>,
}

impl Machine {
    /// Runs statements up to a result.
    fn block(&mut self, statements: &Block) -> Found<Option<Value>> {
        for statement in statements {
            let result = self.statement(statement)?;
            if result.is_some() {
                return Ok(result);
            }
        }
        Ok(None)
    }

    fn statement(&mut self, statement: &Statement) -> Found<Option<Value>> {
        match statement {
            Statement::Assign(name, value) => {
                let value = self.value(value)?;
                self.variables.insert(name.clone(), value);
            }
            Statement::If(condition, yes, no) => match self.value(condition)? {
                Value::Number(number) => return self.block(if number == 0 { no } else { yes }),
                _ => return Err(error("type")),
            },
            Statement::Loop(name, members, block) => {
                let members = match self.value(members)? {
                    Value::Sequence(members) => members,
                    Value::Number(number) => vec![number],
                    _ => return Err(error("type")),
                };
                for member in members {
                    self.variables.insert(name.clone(), Value::Number(member));
                    let result = self.block(block)?;
                    if result.is_some() {
                        return Ok(result);
                    }
                }
            }
            Statement::Output(value, name) => {
                let law = match self.value(value)? {
                    Value::Sequence(members) => drawn(members)?.law()?,
                    value => value.law()?,
                };
                let name = match name {
                    Some(name) => self.title(name)?,
                    None => format!("output {}", self.outputs.len() + 1),
                };
                self.outputs.push((name, law));
            }
            Statement::Set(name, value) => self.set(name, value)?,
            Statement::Function(function) => {
                self.known.clear();
                self.functions
                    .insert(function.name.clone(), function.clone());
            }
            Statement::Result(value) => return self.value(value).map(Some),
        }
        Ok(None)
    }

    /// The name of an output.
    fn title(&self, text: &str) -> Found<String> {
        let is_of_name = |c: char| c == '_' || c.is_ascii_uppercase();
        let mut pieces = text.split('[');
        let mut title = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let rest = piece.trim_start_matches(is_of_name);
            let name = &piece[..piece.len() - rest.len()];
            title += &match rest.strip_prefix(']') {
                Some(rest) if !name.is_empty() => shown(self.variable(name)?) + rest,
                _ => ["[", piece].concat(),
            };
        }
        Ok(title)
    }

    fn variable(&self, name: &str) -> Found<&Value> {
        self.variables.get(name).ok_or_else(|| error("unbound"))
    }

    fn set(&mut self, name: &str, value: &Expr) -> Found<()> {
        self.known.clear();
        let order = match value {
            Expr::Text(order) => order,
            _ => "",
        };
        match (name, order) {
            ("position order", "highest first") => self.lowest_first = false,
            ("position order", "lowest first") => self.lowest_first = true,
            ("maximum function depth", "unlimited") => self.most_depth = u32::MAX,
            ("explode depth", "unlimited") => return Err(Halt::Unclear),
            ("explode depth" | "maximum function depth", "") => {
                let Value::Number(depth) = self.value(value)? else {
                    return Err(error("type"));
                };
                let depth = u32::try_from(depth).unwrap_or(0);
                match name {
                    _ if depth == 0 => return Err(error("domain")),
                    "explode depth" => self.explode = few(depth.into(), LONGEST)?,
                    _ => self.most_depth = depth,
                }
            }
            _ => return Err(error("domain")),
        }
        Ok(())
    }

    fn value(&mut self, expr: &Expr) -> Found<Value> {
        match expr {
            Expr::Number(number) => Ok(Value::Number(*number)),
            Expr::Text(_) => Err(Halt::Unclear),
            Expr::Variable(name) => self.variable(name).cloned(),
            Expr::Sequence(parts) => {
                let mut members = Vec::new();
                for part in parts {
                    self.part(part, &mut members)?;
                }
                few(members.len() as i128, LONGEST).map(|_| Value::Sequence(members))
            }
            Expr::Apply(name, operands) => {
                let values: Found<Vec<Value>> =
                    operands.iter().map(|value| self.value(value)).collect();
                match &values?[..] {
                    values if name.contains('_') => self.call(name, values),
                    [a] => prefix(name, a.clone()),
                    [a, b] => infix(name, a, b, self.lowest_first),
                    values => self.call(name, values),
                }
            }
        }
    }

    /// Adds the members of a part of a sequence.
    fn part(
        &mut self,
        [first, last, times]: &[Option<Expr>; 3],
        members: &mut Vec<i128>,
    ) -> Found<()> {
        let some: Vec<i128> = if last.is_some() {
            let (first, last) = (self.bound(first.as_ref())?, self.bound(last.as_ref())?);
            few((last - first).max(0), LONGEST)?;
            (first..=last).collect()
        } else {
            match first
                .as_ref()
                .map_or(Ok(Value::Empty), |first| self.value(first))?
            {
                Value::Sequence(members) => members,
                value => value.law()?.into_keys().collect(),
            }
        };
        let times = few(self.bound(times.as_ref())?.max(0), LONGEST)?;
        members.extend(some.repeat(times));
        Ok(())
    }

    /// A number that bounds a range; 1 where none is written.
    fn bound(&mut self, expr: Option<&Expr>) -> Found<i128> {
        let value = expr.map_or(Ok(Value::Number(1)), |expr| self.value(expr))?;
        match value {
            Value::Dice(..) | Value::Empty => Err(error("type")),
            value => value.number(),
        }
    }

    fn call(&mut self, name: &str, values: &[Value]) -> Found<Value> {
        let function = self.functions.get(name).cloned();
        let kinds: Vec<char> = match (&function, parameters(name)) {
            (Some(function), _) => function.parameters.iter().map(|(_, kind)| *kind).collect(),
            (None, Some(kinds)) => kinds.chars().collect(),
            (None, None) => return Err(error("unbound")),
        };
        let mut cases = vec![(Fraction::one(), Vec::new())];
        let (mut looks, mut sums) = (false, false);
        for (kind, value) in kinds.into_iter().zip(values) {
            looks |= "ns".contains(kind) && value.is_die();
            sums |= kind == 'n' && matches!(value, Value::Sequence(_));
            let received = received(kind, value.clone(), self.lowest_first)?;
            few((cases.len() * received.len()) as i128, LONGEST)?;
            let with = |(chance, arguments): (Fraction, Vec<Value>)| {
                let one = move |(more, argument): &(Fraction, Value)| {
                    (
                        &chance * more,
                        [&arguments[..], std::slice::from_ref(argument)].concat(),
                    )
                };
                received.iter().map(one).collect::<Vec<_>>()
            };
            cases = cases.into_iter().flat_map(with).collect();
        }
        if cases.is_empty() || function.is_some() && self.depth >= self.most_depth {
            return Ok(Value::Empty);
        }
        let mut run = |arguments: &[Value]| match &function {
            Some(function) => self.body(function, arguments),
            None => library(name, arguments, self.explode, self.lowest_first),
        };
        if looks {
            return mixture(
                cases
                    .into_iter()
                    .map(|(chance, arguments)| (chance, run(&arguments))),
            );
        }
        match run(&cases[0].1)? {
            value @ Value::Sequence(_) if sums => value.number().map(Value::Number),
            value => Ok(value),
        }
    }

    fn body(&mut self, function: &Function, arguments: &[Value]) -> Found<Value> {
        let key = (
            function.name.clone(),
            arguments.to_vec(),
            self.variables.clone(),
            self.depth,
        );
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        self.runs += 1;
        if self.runs > MOST_RUNS || self.depth > DEEPEST {
            return Err(Halt::Unclear);
        }
        // Of parameters with equal names the first counts.
        for ((name, _), value) in function.parameters.iter().zip(arguments).rev() {
            self.variables.insert(name.clone(), value.clone());
        }
        self.depth += 1;
        let result = self.block(&function.body);
        self.depth -= 1;
        self.variables.clone_from(&key.2);
        let value = result?.unwrap_or(Value::Empty);
        self.known.insert(key, value.clone());
        Ok(value)
    }
}

/// What a parameter of a type receives, with the probabilities; nothing if the call is the empty die.
fn received(kind: char, value: Value, lowest_first: bool) -> Found<Vec<(Fraction, Value)>> {
    let one = |value| vec![(Fraction::one(), value)];
    Ok(match (kind, value) {
        ('n', value) => {
            let law = value.law()?.into_iter();
            law.map(|(number, chance)| (chance, Value::Number(number)))
                .collect()
        }
        ('s', Value::Empty) => Vec::new(),
        ('s', Value::Number(number)) => one(Value::Sequence(vec![number])),
        ('s', Value::Dice(count, law, _)) => {
            let sorted = rolls(&[(count, &law)])?.into_iter();
            let turned = sorted.map(|(mut roll, chance)| {
                if lowest_first {
                    roll.reverse();
                }
                (chance, Value::Sequence(roll))
            });
            turned.collect()
        }
        ('d', value) if !value.is_die() => one(drawn([value.number()?])?),
        (_, value) => one(value),
    })
}

/// A value in the name of an output.
fn shown(value: &Value) -> String {
    let (count, sides) = match value {
        Value::Number(number) => return number.to_string(),
        Value::Sequence(_) => return "{?}".into(),
        Value::Empty => return "d{}".into(),
        Value::Dice(count, _, sides) => (count, sides),
    };
    let sign = if sides.is_some_and(|sides| sides < 0) {
        "-"
    } else {
        ""
    };
    let sides = match sides {
        None => "{?}".into(),
        Some(0) => "{0..0}".into(),
        Some(sides) => sides.abs().to_string(),
    };
    match count {
        1 => format!("{sign}d{sides}"),
        _ => format!("{sign}{count}d{sides}"),
    }
}
