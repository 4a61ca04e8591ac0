//! What is known of a value before it is evaluated: whether it is a condition, which counts as 1 or 0 where a number is needed.

use std::rc::Rc;

use super::eval::Judge;
use super::expand::expanded;
use super::tree::{Form, Tree, Word};

/// How deep definitions are followed.
const DEPTH: usize = 24;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// One member, a number or a label.
    One,
    Condition,
    Empty,
    /// A record with these parts.
    Record(Rc<[Word]>),
    /// A list of such records.
    Records(Rc<[Word]>),
    List,
    /// A definition that uses itself.
    Unknown,
}

impl Kind {
    /// The kind of what is of one of two kinds.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, kind) | (kind, Self::Unknown) => kind,
            (one, other) if one == other => one,
            (Self::One, Self::Condition) | (Self::Condition, Self::One) => Self::One,
            (Self::Condition, Self::Empty) | (Self::Empty, Self::Condition) => Self::Condition,
            (
                Self::Record(names) | Self::Records(names),
                Self::Empty | Self::Records(_) | Self::Record(_),
            )
            | (Self::Empty, Self::Record(names) | Self::Records(names)) => Self::Records(names),
            _ => Self::List,
        }
    }

    /// The kind of a list of such values.
    fn several(self) -> Self {
        match self {
            Self::Record(names) => Self::Records(names),
            Self::Records(_) | Self::Empty | Self::Unknown => self,
            _ => Self::List,
        }
    }

    /// The kind of a member.
    fn member(self) -> Self {
        match self {
            Self::Records(names) | Self::Record(names) => Self::Record(names),
            _ => Self::One,
        }
    }

    pub(super) fn parts(&self) -> Option<&Rc<[Word]>> {
        match self {
            Self::Record(names) | Self::Records(names) => Some(names),
            _ => None,
        }
    }
}

pub(super) type Scope = Vec<(Word, Kind)>;

impl Judge<'_> {
    pub(super) fn kind_in(&self, tree: &Tree, scope: &Scope, depth: usize) -> Kind {
        let part = |place: usize| self.kind_in(&tree.parts[place], scope, depth);
        let with = |bound: Scope, place: usize| {
            let scope = [scope.as_slice(), &bound].concat();
            self.kind_in(&tree.parts[place], &scope, depth)
        };
        let called = |name: &Word| {
            let Some((_, definition)) = self.definition(name).filter(|_| depth < DEPTH) else {
                return Kind::Unknown;
            };
            let names = definition.parameters.iter().flatten().cloned();
            let kinds = (0..tree.parts.len()).map(part);
            self.kind_in(&definition.body, &names.zip(kinds).collect(), depth + 1)
        };
        match &tree.form {
            Form::Number(_) | Form::Label(_) | Form::Die => Kind::One,
            Form::Name(name) => {
                let mut bound = scope.iter().rev();
                match bound.find(|(other, _)| other == name) {
                    Some((_, kind)) => kind.clone(),
                    None if self.definition(name).is_some() => called(name),
                    None => Kind::One,
                }
            }
            Form::Join => match tree.parts.len() {
                0 => Kind::Empty,
                1 => part(0),
                parts => (1..parts).fold(part(0).several(), |kind, place| {
                    kind.or(part(place).several())
                }),
            },
            Form::Prefix(word) => match *word {
                "not" => Kind::Condition,
                "sum" => match part(0) {
                    Kind::Record(names) | Kind::Records(names) => Kind::Record(names),
                    _ => Kind::One,
                },
                "prod" | "count" | "straight" | "-" => Kind::One,
                "sets" => Kind::List,
                _ => part(0).several(),
            },
            Form::Infix(word) => match *word {
                "#" => part(1).several(),
                ".." => Kind::List,
                "+" | "-" | "*" => match part(0).parts().or(part(1).parts()) {
                    Some(names) => Kind::Record(names.clone()),
                    None => Kind::One,
                },
                "/" | "%" | "^" | "div" | "mod" | "." => Kind::One,
                _ => Kind::Condition,
            },
            Form::Take("compare", _) => Kind::One,
            Form::Take(..) => part(1).several(),
            Form::Call(name) => match &**name {
                "max" | "min" | "abs" => Kind::One,
                _ => called(name),
            },
            Form::Faces { is_drawn, weighted } => {
                let mut place = usize::from(*is_drawn);
                let mut kind = Kind::Unknown;
                for has_weight in weighted {
                    kind = kind.or(part(place));
                    place += 1 + usize::from(*has_weight);
                }
                match (is_drawn, kind) {
                    (true, kind) => kind.several(),
                    (false, kind) => kind.member(),
                }
            }
            Form::Let(name) => with(vec![(name.clone(), part(0))], 1),
            Form::Foreach(name) => with(vec![(name.clone(), part(0).member())], 1).several(),
            Form::While(name) => {
                let kind = part(0).several();
                kind.clone()
                    .or(with(vec![(name.clone(), kind)], 1).several())
            }
            Form::If => part(1).or(part(2)),
            Form::Case(..) => {
                (1..tree.parts.len()).fold(Kind::Unknown, |kind, place| kind.or(part(place)))
            }
            Form::Record(names) => Kind::Record(names.clone()),
            Form::Of(_) => match part(0) {
                Kind::Record(_) => Kind::One,
                _ => Kind::List,
            },
            Form::Given | Form::Reroll(_) => part(0),
            Form::Best(name, is_part, _) => {
                let list = part(0);
                let kind = if *is_part {
                    list.several()
                } else {
                    list.member()
                };
                with(vec![(name.clone(), kind)], 1)
            }
            Form::Repeat {
                names, has_then, ..
            } => {
                let bound = self.state_kinds(tree, scope, depth);
                match (has_then, &bound[..]) {
                    (true, _) => with(bound, names.len() + 2),
                    (_, [(_, kind)]) => kind.clone(),
                    _ => Kind::Record(names.clone()),
                }
            }
            Form::Again(..) | Form::Cases(_) | Form::Select(_) => {
                let long = expanded(tree).expect("the form stands for others");
                self.kind_in(&long, scope, depth)
            }
            Form::Values => unreachable!("the values of states are no value"),
        }
    }

    /// The kinds of the states of a loop, whose rounds may give other kinds than the first values have.
    pub(super) fn state_kinds(&self, tree: &Tree, scope: &Scope, depth: usize) -> Scope {
        let Form::Repeat { names, .. } = &tree.form else {
            unreachable!("{tree} has no states");
        };
        let counter = tree.bound_in(names.len() + 1).into_iter().skip(names.len());
        let counter: Scope = counter.map(|name| (name, Kind::One)).collect();
        let firsts = names.iter().zip(&tree.parts);
        let mut bound: Scope = (firsts)
            .map(|(name, first)| (name.clone(), self.kind_in(first, scope, depth)))
            .collect();
        for _ in 0..3 {
            let scope = [scope.as_slice(), &bound, &counter].concat();
            let mut next = vec![Kind::Unknown; names.len()];
            self.round_kinds(&tree.parts[names.len() + 1], &scope, depth, &mut next);
            for ((_, kind), next) in bound.iter_mut().zip(next) {
                *kind = kind.clone().or(next);
            }
        }
        bound
    }

    fn round_kinds(&self, round: &Tree, scope: &Scope, depth: usize, found: &mut [Kind]) {
        let parts = &round.parts;
        match (&round.form, found.len()) {
            (_, 1) => found[0] = self.kind_in(round, scope, depth),
            (Form::Let(name), _) => {
                let kind = self.kind_in(&parts[0], scope, depth);
                let scope = [scope.as_slice(), &[(name.clone(), kind)]].concat();
                self.round_kinds(&parts[1], &scope, depth, found);
            }
            (Form::Values, _) => {
                for (found, part) in found.iter_mut().zip(parts) {
                    *found = found.clone().or(self.kind_in(part, scope, depth));
                }
            }
            (Form::Cases(_), _) => {
                let long = expanded(round).expect("it stands for conditions");
                self.round_kinds(&long, scope, depth, found);
            }
            _ => {
                for part in &parts[1..] {
                    self.round_kinds(part, scope, depth, found);
                }
            }
        }
    }
}
