//! What a consumer asks for of a list, and what a rule asks of a variable.

use std::rc::Rc;

use super::judge::{List, Stop};
use super::rule::{Comparison, Fold, Name, Rule, Select};

/// What a consumer asks for of a list: the members that pass the filters, as far as the kind tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ask {
    pub(super) filters: Vec<(Comparison, i128)>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Whether there is any member.
    Any,
    Count,
    /// The remainder of the count.
    CountRemainder(i128),
    First(usize),
    High(usize),
    /// Several questions about one list. Each answer follows its length.
    Joint(Rc<[Ask]>),
    Last(usize),
    List,
    Low(usize),
    Multiset,
    Product,
    /// The remainder of the sum, for members that are not negative.
    Remainder(i128),
    Sum,
}

impl Kind {
    pub(super) fn all(self) -> Ask {
        Ask {
            filters: Vec::new(),
            kind: self,
        }
    }

    /// Whether few values are possible if there are few different members.
    pub(super) fn is_bounded(&self) -> bool {
        match self {
            Self::Count | Self::List | Self::Multiset | Self::Product | Self::Sum => false,
            Self::Joint(asks) => asks.iter().all(|ask| ask.kind.is_bounded()),
            _ => true,
        }
    }

    pub(super) fn has_order(&self) -> bool {
        match self {
            Self::First(_) | Self::Last(_) | Self::List => true,
            Self::Joint(asks) => asks.iter().any(|ask| ask.kind.has_order()),
            _ => false,
        }
    }

    /// How a list is asked for, if its order matters or not.
    pub(super) fn whole(has_order: bool) -> Ask {
        if has_order {
            Self::List
        } else {
            Self::Multiset
        }
        .all()
    }

    /// What is asked for of a list.
    pub(super) fn of(&self, mut list: List) -> Result<List, Stop> {
        let sum = |list: &List| {
            let mut sum = 0_i128;
            for member in list {
                sum = sum.checked_add(*member).ok_or(Stop::TooLong)?;
            }
            Ok(sum)
        };
        Ok(match self {
            Self::Any => {
                list.truncate(1);
                list.iter().map(|_| 0).collect()
            }
            Self::Count => vec![list.len() as i128],
            Self::CountRemainder(modulus) => vec![list.len() as i128 % *modulus],
            Self::First(n) => {
                list.truncate(*n);
                list
            }
            Self::High(n) => {
                list.sort_unstable();
                list.split_off(list.len().saturating_sub(*n))
            }
            Self::Joint(asks) => {
                let answers = asks.iter().map(|ask| ask.of(list.clone()));
                joined(answers)?
            }
            Self::Last(n) => list.split_off(list.len().saturating_sub(*n)),
            Self::List => list,
            Self::Low(n) => {
                list.sort_unstable();
                list.truncate(*n);
                list
            }
            Self::Multiset => {
                list.sort_unstable();
                list
            }
            Self::Product => {
                let mut product = 1_i128;
                for member in list {
                    product = product.checked_mul(member).ok_or(Stop::TooLong)?;
                }
                vec![product]
            }
            Self::Remainder(modulus) => {
                if list.iter().any(|member| *member < 0) {
                    return Err(Stop::Unforeseen);
                }
                vec![sum(&list)? % *modulus]
            }
            Self::Sum => vec![sum(&list)?],
        })
    }

    /// What is asked for of two lists one after the other.
    pub(super) fn merged(&self, a: &List, b: &List) -> Result<List, Stop> {
        let both = [a.as_slice(), b].concat();
        match self {
            Self::Count => Self::Sum.of(both),
            Self::CountRemainder(modulus) => Self::Remainder(*modulus).of(both),
            Self::Joint(asks) => {
                let pairs = answers(a).into_iter().zip(answers(b));
                joined(
                    asks.iter()
                        .zip(pairs)
                        .map(|(ask, (a, b))| ask.kind.merged(&a, &b)),
                )
            }
            _ => self.of(both),
        }
    }
}

/// Several answers in one list, each after its length.
pub(super) fn joined(answers: impl Iterator<Item = Result<List, Stop>>) -> Result<List, Stop> {
    let mut all = Vec::new();
    for answer in answers {
        let answer = answer?;
        all.push(answer.len() as i128);
        all.extend(answer);
    }
    Ok(all)
}

/// The answers in such a list.
pub(super) fn answers(mut all: &[i128]) -> Vec<List> {
    let mut answers = Vec::new();
    while let Some((length, rest)) = all.split_first() {
        let (answer, rest) = rest.split_at(usize::try_from(*length).expect("a length"));
        answers.push(answer.to_vec());
        all = rest;
    }
    answers
}

impl Ask {
    pub(super) fn filtered(&self, comparison: Comparison, bound: i128) -> Self {
        let filters = [(comparison, bound)].into_iter();
        let filters = filters.chain(self.filters.iter().copied()).collect();
        let kind = self.kind.clone();
        Self { filters, kind }
    }

    pub(super) fn of(&self, mut list: List) -> Result<List, Stop> {
        list.retain(|member| {
            let mut filters = self.filters.iter();
            filters.all(|(comparison, bound)| comparison.holds(*member, *bound))
        });
        self.kind.of(list)
    }
}

/// Whether a rule can be evaluated without the order of a variable's members, if the order of its own members is asked for or not.
pub(super) fn ignores_order(rule: &Rule, name: Name, own: bool) -> bool {
    let ignores = |rule: &Rule, own| ignores_order(rule, name, own);
    match rule {
        Rule::Arithmetic(_, a, b) | Rule::Range(a, b) => ignores(a, true) && ignores(b, true),
        Rule::Copies(n, e) | Rule::Filter(_, n, e) => ignores(n, true) && ignores(e, own),
        Rule::Die(e) | Rule::Fold(_, e) | Rule::Sort(e) => ignores(e, true),
        Rule::Foreach(_, e, f) => ignores(e, own) && ignores(f, own),
        Rule::If(c, e, f) => ignores(c, true) && ignores(e, own) && ignores(f, own),
        Rule::Joined(parts) => parts.iter().all(|part| ignores(part, own)),
        Rule::Let(inner, e, f) => ignores(e, ignores_order(f, inner, own)) && ignores(f, own),
        Rule::Number(_) => true,
        Rule::Reverse(e) => ignores(e, own),
        Rule::Select(select, n, e) => {
            let ranked = matches!(
                select,
                Select::DropHigh | Select::DropLow | Select::High | Select::Low
            );
            ignores(n, true) && ignores(e, own && ranked)
        }
        Rule::Variable(found) => *found != name || own,
        Rule::While(inner, e, f) => {
            let own = own && ignores_order(f, inner, true);
            ignores(e, own) && ignores(f, own)
        }
    }
}

/// All that a rule asks of a variable; `None` if it asks for the whole list anywhere, or for more than is known here. As in
/// the judge.
pub(super) fn asks_of(rule: &Rule, name: Name, ask: &Ask, found: &mut Vec<Ask>) -> Option<()> {
    let number = Kind::Multiset.all();
    let whole = Kind::whole(ask.kind.has_order());
    let unused = |rule: &Rule| {
        let mut names = Vec::new();
        free(rule, &mut Vec::new(), &mut names);
        (!names.contains(&name)).then_some(())
    };
    match rule {
        Rule::Arithmetic('%', a, modulus) if remainder_of(a, modulus).is_some() => {
            let (ask, e) = remainder_of(a, modulus)?;
            asks_of(e, name, &ask, found)
        }
        Rule::Arithmetic(_, a, b) | Rule::Range(a, b) => {
            asks_of(a, name, &number, found)?;
            asks_of(b, name, &number, found)
        }
        Rule::Copies(n, e) => {
            asks_of(n, name, &number, found)?;
            asks_of(e, name, ask, found)
        }
        Rule::Die(e) | Rule::Sort(e) => asks_of(e, name, &number, found),
        Rule::Filter(comparison, bound, e) => {
            if let Rule::Number(bound) = **bound {
                return asks_of(e, name, &ask.filtered(*comparison, bound), found);
            }
            asks_of(bound, name, &number, found)?;
            unused(e)
        }
        Rule::Fold(fold, e) => asks_of(e, name, &fold_kind(*fold).all(), found),
        Rule::Foreach(_, e, f) => {
            asks_of(e, name, &whole, found)?;
            asks_of(f, name, ask, found)
        }
        Rule::If(c, e, f) => {
            asks_of(c, name, &Kind::Any.all(), found)?;
            asks_of(e, name, ask, found)?;
            asks_of(f, name, ask, found)
        }
        Rule::Joined(parts) => {
            let mut parts = parts.iter();
            parts.try_for_each(|part| asks_of(part, name, ask, found))
        }
        Rule::Number(_) => Some(()),
        Rule::Reverse(e) => asks_of(e, name, &whole, found),
        Rule::Select(select, n, e) => {
            if let Rule::Number(n) = **n {
                let kind = select_kind(*select, usize::try_from(n).ok(), ask.kind.has_order());
                return asks_of(e, name, &kind.all(), found);
            }
            asks_of(n, name, &number, found)?;
            unused(e)
        }
        Rule::Variable(other) => {
            if *other == name {
                if matches!(ask.kind, Kind::List | Kind::Multiset) {
                    return None;
                }
                if !found.contains(ask) {
                    found.push(ask.clone());
                }
            }
            Some(())
        }
        Rule::Let(..) | Rule::While(..) => unused(rule),
    }
}

pub(super) fn fold_kind(fold: Fold) -> Kind {
    match fold {
        Fold::Count => Kind::Count,
        Fold::Product => Kind::Product,
        Fold::Sum => Kind::Sum,
    }
}

/// What a selection of so many members asks for; `None` is no such number.
pub(super) fn select_kind(select: Select, count: Option<usize>, has_order: bool) -> Kind {
    match (select, count) {
        (_, None) => Kind::Any,
        (Select::First, Some(n)) => Kind::First(n),
        (Select::Last, Some(n)) => Kind::Last(n),
        (Select::High, Some(n)) if !has_order => Kind::High(n),
        (Select::Low, Some(n)) if !has_order => Kind::Low(n),
        (Select::DropHigh | Select::DropLow, _) if !has_order => Kind::Multiset,
        _ => Kind::List,
    }
}

/// The remainder of a sum or a count is known from the remainders of its parts, if none is negative.
pub(super) fn remainder_of<'a>(a: &'a Rule, modulus: &Rule) -> Option<(Ask, &'a Rule)> {
    match (modulus, is_sum_or_count(a)?) {
        (Rule::Number(modulus @ 1..), (Fold::Sum, e)) => Some((Kind::Remainder(*modulus).all(), e)),
        (Rule::Number(modulus @ 1..), (Fold::Count, e)) => {
            Some((Kind::CountRemainder(*modulus).all(), e))
        }
        _ => None,
    }
}

/// The names that a rule uses and does not bind.
pub(super) fn free(rule: &Rule, bound: &mut Vec<Name>, found: &mut Vec<Name>) {
    match rule {
        Rule::Arithmetic(_, a, b)
        | Rule::Copies(a, b)
        | Rule::Filter(_, a, b)
        | Rule::Range(a, b)
        | Rule::Select(_, a, b) => {
            free(a, bound, found);
            free(b, bound, found);
        }
        Rule::Die(e) | Rule::Fold(_, e) | Rule::Reverse(e) | Rule::Sort(e) => free(e, bound, found),
        Rule::Foreach(name, e, f) | Rule::Let(name, e, f) | Rule::While(name, e, f) => {
            free(e, bound, found);
            bound.push(name);
            free(f, bound, found);
            bound.pop();
        }
        Rule::If(c, e, f) => {
            for part in [c, e, f] {
                free(part, bound, found);
            }
        }
        Rule::Joined(parts) => {
            for part in parts {
                free(part, bound, found);
            }
        }
        Rule::Number(_) => {}
        Rule::Variable(name) => {
            if !bound.contains(name) && !found.contains(name) {
                found.push(name);
            }
        }
    }
}

pub(super) fn is_sum_or_count(rule: &Rule) -> Option<(Fold, &Rule)> {
    match rule {
        Rule::Fold(fold @ (Fold::Count | Fold::Sum), e) => Some((*fold, e)),
        _ => None,
    }
}
