//! The judge's own tree of Bones, which is printed as text.
//!
//! A node has a form and parts, in the order of the text. So one can walk through all forms, replace a part, and shrink.

use std::fmt;
use std::rc::Rc;

pub(super) type Word = Rc<str>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// Any number of parts, with commas between them.
    Join,
    Number(i128),
    Label(Word),
    Name(Word),
    /// `sum`, `prod`, `count`, `sort`, `rev`, `perm`, `distinct`, `-` or `not`, before one part.
    Prefix(&'static str),
    /// An operator between two parts, also `#`, `..`, comparisons, `and`, `or`.
    Infix(&'static str),
    /// A selection or a comparison before two parts, also `rank`, `without`, `compare` and `draw`; and whether `drop` stands before it.
    Take(&'static str, bool),
    /// `max`, `min`, `abs` or a definition with arguments.
    Call(Word),
    Die,
    /// `d{…}`, or `draw n {…}` whose first part is n. Says for each face whether its weight follows.
    Faces {
        is_drawn: bool,
        weighted: Vec<bool>,
    },
    Let(Word),
    Foreach(Word),
    While(Word),
    If,
    /// The value, the bodies of the arms, and the body of `else`.
    Case(Vec<Vec<Arm>>, bool),
    Record(Rc<[Word]>),
    Of(Word),
    /// The value and the condition.
    Given,
    /// The first values, the condition or list, the round, and what follows `then`.
    Repeat {
        names: Rc<[Word]>,
        how: How,
        has_then: bool,
    },
    /// The value and the condition.
    Reroll(Word),
    /// `explode`, `reroll`, or `once` for `reroll … once`, before dice; and whether on what stands behind them.
    Again(&'static str, bool),
    /// The list and the condition.
    Select(Word),
    /// `case` without a value: conditions, each with its value, and whether the last part is that of `else`.
    Cases(bool),
    /// The list and the value; whether parts of the list are chosen, and the part of the value whose mean is to be greatest.
    Best(Word, bool, Option<Word>),
    /// The new values of a loop with several states.
    Values,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum How {
    While,
    Until,
    For(Word),
}

/// What an arm of `case` is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arm {
    Is(Tree),
    Between(Option<Tree>, Option<Tree>),
}

/// The functions that need no definition.
pub(super) const FUNCTIONS: [&str; 3] = ["max", "min", "abs"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    pub(super) form: Form,
    pub(super) parts: Vec<Tree>,
}

/// A definition; without parameters, if it is a named roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: Word,
    pub(super) parameters: Option<Vec<Word>>,
    pub(super) body: Tree,
}

/// A rule with the definitions before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) definitions: Vec<Definition>,
    pub(super) rule: Tree,
}

impl Tree {
    pub(super) fn new(form: Form, parts: impl Into<Vec<Self>>) -> Self {
        let parts = parts.into();
        Self { form, parts }
    }

    pub(super) fn number(number: i128) -> Self {
        Self::new(Form::Number(number), [])
    }

    pub(super) fn name(name: &Word) -> Self {
        Self::new(Form::Name(name.clone()), [])
    }

    /// Whether this is a round of a loop with several states.
    pub(super) fn gives_states(&self) -> bool {
        match self.form {
            Form::Values => true,
            Form::Let(_) | Form::If | Form::Case(..) | Form::Cases(_) => {
                self.parts.iter().any(Self::gives_states)
            }
            _ => false,
        }
    }

    /// Whether a part is left out under a condition (`given`).
    pub(super) fn has_condition(&self) -> bool {
        self.form == Form::Given || self.parts.iter().any(Self::has_condition)
    }

    /// How many nodes there are.
    pub(super) fn size(&self) -> usize {
        1 + self.parts.iter().map(Self::size).sum::<usize>()
    }

    /// The names that a form binds in a part.
    pub(super) fn bound_in(&self, part: usize) -> Vec<Word> {
        match &self.form {
            Form::Let(name)
            | Form::Foreach(name)
            | Form::While(name)
            | Form::Select(name)
            | Form::Best(name, ..) => Vec::from_iter((part == 1).then(|| name.clone())),
            Form::Reroll(name) if part == 1 => vec![name.clone()],
            Form::Repeat { names, how, .. } => {
                let at = part.checked_sub(names.len());
                let counter = match (how, at) {
                    (How::For(_), Some(0)) | (_, None) => return Vec::new(),
                    (How::For(name), Some(1)) => Some(name.clone()),
                    _ => None,
                };
                names.iter().cloned().chain(counter).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names that are used and not bound.
    pub(super) fn free(&self) -> Vec<Word> {
        let mut found = match &self.form {
            Form::Name(name) => vec![name.clone()],
            Form::Call(name) if !FUNCTIONS.contains(&&**name) => vec![name.clone()],
            Form::Case(arms, _) => {
                let ends = arms.iter().flatten().flat_map(|arm| match arm {
                    Arm::Is(one) => [Some(one), None],
                    Arm::Between(low, high) => [low.as_ref(), high.as_ref()],
                });
                ends.flatten().flat_map(Self::free).collect()
            }
            _ => Vec::new(),
        };
        for (place, part) in self.parts.iter().enumerate() {
            let bound = self.bound_in(place);
            let names = part.free().into_iter();
            found.extend(names.filter(|name| !bound.contains(name)));
        }
        found.sort();
        found.dedup();
        found
    }

    /// Whether a part gives a value one of these names.
    pub(super) fn binds(&self, names: &[Word]) -> bool {
        let mut parts = self.parts.iter().enumerate();
        parts.any(|(place, part)| {
            let bound = self.bound_in(place);
            bound.iter().any(|name| names.contains(name)) || part.binds(names)
        })
    }

    /// Whether a name of this form can stand as an operand without parentheses.
    fn is_closed(&self) -> bool {
        match &self.form {
            Form::Number(number) => *number >= 0,
            Form::Join
            | Form::Label(_)
            | Form::Name(_)
            | Form::Call(_)
            | Form::Case(..)
            | Form::Cases(_)
            | Form::Record(_) => true,
            Form::Die => matches!(self.parts[0].form, Form::Number(1..)),
            Form::Faces { is_drawn, .. } => !is_drawn,
            _ => false,
        }
    }

    fn list(parts: impl Iterator<Item = String>) -> String {
        let parts: Vec<String> = parts.collect();
        parts.join(", ")
    }

    fn faces(&self, from: usize, weighted: &[bool]) -> String {
        let mut parts = self.parts[from..].iter();
        let mut next = || parts.next().expect("each face has its parts");
        Self::list(weighted.iter().map(|has_weight| match has_weight {
            true => format!("{}: {}", Inner(next()), Inner(next())),
            false => Inner(next()).to_string(),
        }))
    }

    fn write_loop(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        names: &[Word],
        how: &How,
        has_then: bool,
    ) -> fmt::Result {
        let states = names.len();
        let firsts = names.iter().zip(&self.parts);
        let firsts = Self::list(firsts.map(|(name, first)| format!("{name} = {}", Inner(first))));
        let (round, asked) = (&self.parts[states + 1], Inner(&self.parts[states]));
        write!(formatter, "repeat {firsts} ")?;
        match how {
            How::While => write!(formatter, "while {asked} do ")?,
            How::Until => write!(formatter, "until {asked} do ")?,
            How::For(name) => write!(formatter, "for {name} in {asked} do ")?,
        }
        match states {
            1 => write!(formatter, "{}", Inner(round))?,
            _ => write!(formatter, "{}", Round(round))?,
        }
        match has_then {
            true => write!(formatter, " then {}", self.parts[states + 2]),
            false => Ok(()),
        }
    }
}

/// An operand, in parentheses if they may matter.
struct Inner<'a>(&'a Tree);

impl fmt::Display for Inner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.is_closed() {
            true => self.0.fmt(formatter),
            false => write!(formatter, "({})", self.0),
        }
    }
}

/// The round of a loop with several states, whose values stand between commas without parentheses.
struct Round<'a>(&'a Tree);

impl fmt::Display for Round<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.0.parts;
        match &self.0.form {
            Form::Values => {
                let values = Tree::list(parts.iter().map(|part| Inner(part).to_string()));
                formatter.write_str(&values)
            }
            Form::Let(name) => {
                let (value, round) = (Inner(&parts[0]), Round(&parts[1]));
                write!(formatter, "let {name} = {value} in {round}")
            }
            Form::If => {
                let (condition, one, other) =
                    (Inner(&parts[0]), Round(&parts[1]), Round(&parts[2]));
                write!(formatter, "if {condition} then {one} else {other}")
            }
            Form::Best(name, is_part, None) => {
                let (list, round) = (Inner(&parts[0]), Round(&parts[1]));
                let from = if *is_part { "from" } else { "in" };
                write!(formatter, "best {name} {from} {list} do {round}")
            }
            Form::Case(arms, has_else) => write_case(self.0, arms, *has_else, formatter, |round| {
                format!("({})", Round(round))
            }),
            form => unreachable!("{form:?} gives no values"),
        }
    }
}

fn write_case(
    tree: &Tree,
    arms: &[Vec<Arm>],
    has_else: bool,
    formatter: &mut fmt::Formatter<'_>,
    body: impl Fn(&Tree) -> String,
) -> fmt::Result {
    let names = arms.iter().map(|arms| {
        let arms: Vec<String> = arms.iter().map(ToString::to_string).collect();
        arms.join(" or ")
    });
    let names = names.chain(has_else.then(|| "else".to_owned()));
    let bodies = tree.parts[1..].iter().map(body);
    let all = Tree::list(
        names
            .zip(bodies)
            .map(|(name, body)| format!("{name}: {body}")),
    );
    write!(formatter, "case {} {{{all}}}", Inner(&tree.parts[0]))
}

impl fmt::Display for Arm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: &Option<Tree>| end.as_ref().map(ToString::to_string).unwrap_or_default();
        match self {
            Self::Is(value) => value.fmt(formatter),
            Self::Between(low, high) => write!(formatter, "{}..{}", end(low), end(high)),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |place: usize| Inner(&self.parts[place]);
        let inners = || Self::list(self.parts.iter().map(|part| Inner(part).to_string()));
        match &self.form {
            Form::Join if self.parts.len() == 1 => inner(0).fmt(formatter),
            Form::Join => write!(formatter, "({})", inners()),
            Form::Values => write!(formatter, "{}", Round(self)),
            Form::Number(number) => write!(formatter, "{number}"),
            Form::Label(text) => write!(formatter, "\"{text}\""),
            Form::Name(name) => write!(formatter, "{name}"),
            Form::Prefix(word) => write!(formatter, "{word} {}", inner(0)),
            Form::Infix(word) => write!(formatter, "{} {word} {}", inner(0), inner(1)),
            Form::Take("draw", _) => write!(formatter, "draw {} from {}", inner(0), inner(1)),
            Form::Take(word, drops) => {
                let drop = if *drops { "drop " } else { "" };
                // A brace after the first operand would be its own.
                match self.parts[1].form {
                    Form::Record(_) => {
                        write!(formatter, "{drop}{word} {} ({})", inner(0), inner(1))
                    }
                    _ => write!(formatter, "{drop}{word} {} {}", inner(0), inner(1)),
                }
            }
            Form::Call(name) => {
                write!(formatter, "{name}({})", inners())
            }
            Form::Die => match self.parts[0].form {
                Form::Number(sides @ 1..) => write!(formatter, "d{sides}"),
                _ => write!(formatter, "d {}", inner(0)),
            },
            Form::Faces { is_drawn, weighted } => {
                let faces = self.faces(usize::from(*is_drawn), weighted);
                match is_drawn {
                    true => write!(formatter, "draw {} {{{faces}}}", inner(0)),
                    false => write!(formatter, "d{{{faces}}}"),
                }
            }
            Form::Let(name) => {
                write!(formatter, "let {name} = {} in {}", inner(0), self.parts[1])
            }
            Form::Foreach(name) => {
                write!(formatter, "foreach {name} in {} do {}", inner(0), inner(1))
            }
            Form::While(name) => write!(formatter, "while {name} = {} do {}", inner(0), inner(1)),
            Form::If => write!(
                formatter,
                "if {} then {} else {}",
                inner(0),
                inner(1),
                inner(2)
            ),
            Form::Case(arms, has_else) => write_case(self, arms, *has_else, formatter, |body| {
                Inner(body).to_string()
            }),
            Form::Record(names) => {
                let parts = names.iter().zip(&self.parts);
                let parts =
                    Self::list(parts.map(|(name, part)| format!("{name}: {}", Inner(part))));
                write!(formatter, "{{{parts}}}")
            }
            Form::Of(name) => write!(formatter, "{name} of {}", inner(0)),
            Form::Given => write!(formatter, "{} given {}", inner(0), inner(1)),
            Form::Repeat {
                names,
                how,
                has_then,
            } => self.write_loop(formatter, names, how, *has_then),
            Form::Reroll(name) => {
                write!(formatter, "reroll {name} = {} until {}", inner(0), inner(1))
            }
            Form::Again(word, has_on) => {
                let (word, once) = match *word {
                    "once" => ("reroll", " once"),
                    word => (word, ""),
                };
                write!(formatter, "{word} {}", inner(0))?;
                match has_on {
                    true => write!(formatter, "{once} on ({})", self.parts[1]),
                    false => Ok(()),
                }
            }
            Form::Select(name) => {
                write!(
                    formatter,
                    "select {name} in {} where {}",
                    inner(0),
                    inner(1)
                )
            }
            Form::Cases(_) => {
                let arms = self.parts.chunks(2).map(|arm| match arm {
                    [condition, value] => format!("{}: {}", Inner(condition), Inner(value)),
                    _ => format!("else: {}", Inner(&arm[0])),
                });
                write!(formatter, "case {{{}}}", Self::list(arms))
            }
            Form::Best(name, is_part, by) => {
                let from = if *is_part { "from" } else { "in" };
                write!(formatter, "best {name} {from} {}", inner(0))?;
                if let Some(by) = by {
                    write!(formatter, " by {by}")?;
                }
                write!(formatter, " do {}", inner(1))
            }
        }
    }
}

impl Program {
    /// Whether every name is bound or defined before.
    pub(super) fn is_whole(&self) -> bool {
        let mut known: Vec<Word> = Vec::new();
        for Definition {
            name,
            parameters,
            body,
        } in &self.definitions
        {
            known.push(name.clone());
            let own: Vec<Word> = parameters.iter().flatten().cloned().collect();
            if !body
                .free()
                .iter()
                .all(|name| known.contains(name) || own.contains(name))
            {
                return false;
            }
        }
        self.rule.free().iter().all(|name| known.contains(name))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Definition {
            name,
            parameters,
            body,
        } in &self.definitions
        {
            match parameters {
                Some(names) => writeln!(formatter, "def {name}({}) = {body}", names.join(", "))?,
                None => writeln!(formatter, "def {name} = {body}")?,
            }
        }
        self.rule.fmt(formatter)
    }
}
