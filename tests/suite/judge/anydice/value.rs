//! Values, and what operators and the library make of them. Everything is listed, with fractions for chances.

use std::collections::BTreeMap;

use dicedist::number::Fraction;
use num_traits::{One, Zero};

/// Outcomes with their probabilities.
pub(super) type Chances<T> = BTreeMap<T, Fraction>;
pub(super) type Law = Chances<i128>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Number(i128),
    Sequence(Vec<i128>),
    /// So many dice of one kind, and their sides as `d6` has them.
    Dice(usize, Law, Option<i128>),
    /// The empty die.
    Empty,
}

use Value::{Dice, Empty, Number, Sequence};

/// Why there is no value.
pub(super) enum Halt {
    /// An error of one of some kinds, with its probability.
    Error(Vec<&'static str>, Fraction),
    /// The judge does not know, or it takes too long.
    Unclear,
}

pub(super) type Found<T> = Result<T, Halt>;

/// An error that happens for certain.
pub(super) fn error(kind: &'static str) -> Halt {
    Halt::Error(vec![kind], Fraction::one())
}

/// The most outcomes and members, and the most dice.
const MOST: usize = 400;
const MOST_DICE: usize = 8;

/// A number of outcomes or members that is not too large.
pub(super) fn few(count: i128, most: usize) -> Found<usize> {
    let count = usize::try_from(count.abs()).ok();
    count.filter(|count| *count <= most).ok_or(Halt::Unclear)
}

/// Outcomes, of which some are equal.
pub(super) fn added<T: Ord>(parts: impl IntoIterator<Item = (T, Fraction)>) -> Found<Chances<T>> {
    let mut all = Chances::new();
    for (outcome, chance) in parts {
        *all.entry(outcome).or_insert_with(Fraction::zero) += chance;
        few(all.len() as i128, MOST)?;
    }
    Ok(all)
}

/// The mixture of some values: the empty die is left out, and the probabilities of errors add up.
pub(super) fn mixture(parts: impl IntoIterator<Item = (Fraction, Found<Value>)>) -> Found<Value> {
    let (mut laws, mut kinds, mut failed) = (Vec::new(), Vec::new(), Fraction::zero());
    for (weight, part) in parts {
        match part {
            Ok(value) => laws.extend(
                value
                    .law()?
                    .into_iter()
                    .map(|(n, chance)| (n, chance * &weight)),
            ),
            Err(Halt::Error(more, chance)) => {
                kinds.extend(more);
                failed += weight * chance;
            }
            Err(Halt::Unclear) => return Err(Halt::Unclear),
        }
    }
    if !kinds.is_empty() {
        return Err(Halt::Error(kinds, failed));
    }
    let mut law = added(laws)?;
    let all: Fraction = law.values().sum();
    for chance in law.values_mut() {
        *chance /= &all;
    }
    Ok(if law.is_empty() {
        Empty
    } else {
        Dice(1, law, None)
    })
}

/// One member of a sequence, each as likely.
pub(super) fn drawn(members: impl IntoIterator<Item = i128>) -> Found<Value> {
    mixture(
        members
            .into_iter()
            .map(|member| (Fraction::one(), Ok(Number(member)))),
    )
}

/// The rolls of some dice, each sorted from the highest.
pub(super) fn rolls(dice: &[(usize, &Law)]) -> Found<Chances<Vec<i128>>> {
    let mut rolls = Chances::from([(Vec::new(), Fraction::one())]);
    let one_by_one = dice
        .iter()
        .flat_map(|(count, law)| std::iter::repeat_n(*law, *count));
    for law in one_by_one {
        let more = rolls.iter().flat_map(|(roll, chance)| {
            law.iter().map(move |(face, more)| {
                let mut roll = [&roll[..], &[*face]].concat();
                roll.sort_unstable_by(|a, b| b.cmp(a));
                (roll, chance * more)
            })
        });
        rolls = added(more)?;
    }
    Ok(rolls)
}

fn sum(members: &[i128]) -> Found<i128> {
    let sum = members
        .iter()
        .try_fold(0_i128, |sum, member| sum.checked_add(*member));
    sum.ok_or(Halt::Unclear)
}

impl Value {
    pub(super) fn is_die(&self) -> bool {
        matches!(self, Dice(..) | Empty)
    }

    /// The distribution of the sum, without an outcome for the empty die.
    pub(super) fn law(&self) -> Found<Law> {
        Ok(match self {
            Empty => Law::new(),
            Dice(1, law, _) => law.clone(),
            Dice(count, law, _) => {
                let rolls = rolls(&[(*count, law)])?;
                added(
                    rolls
                        .into_iter()
                        .map(|(roll, chance)| (roll.iter().sum(), chance)),
                )?
            }
            _ => Law::from([(self.number()?, Fraction::one())]),
        })
    }

    /// The sum of a number or a sequence.
    pub(super) fn number(&self) -> Found<i128> {
        match self {
            Number(number) => Ok(*number),
            Sequence(members) => sum(members),
            _ => Err(Halt::Unclear),
        }
    }

    /// A function of the sum: of dice outcome by outcome.
    fn each(&self, f: impl Fn(i128) -> Found<Value>) -> Found<Value> {
        match self {
            Dice(..) | Empty => {
                let law = self.law()?.into_iter();
                mixture(law.map(|(number, chance)| (chance, f(number))))
            }
            _ => f(self.number()?),
        }
    }

    fn greatest(&self) -> Found<Option<i128>> {
        Ok(self.law()?.into_keys().next_back())
    }
}

pub(super) fn prefix(sign: &str, value: Value) -> Found<Value> {
    Ok(match (sign, value) {
        ("d", value) => return dice(&Number(1), value),
        ("#", Number(number)) => Number(digits(number).len() as i128),
        ("#", Sequence(members)) => Number(members.len() as i128),
        ("#", Dice(count, ..)) => Number(count as i128),
        ("#", Empty) => Number(0),
        ("-", Dice(count, law, sides)) => {
            let law = law.into_iter().map(|(number, chance)| (-number, chance));
            Dice(count, law.collect(), sides.map(|sides| -sides))
        }
        ("+", value) | ("-", value @ Empty) => value,
        ("-", value) => Number(-value.number()?),
        (_, value) => return value.each(|number| Ok(Number((number == 0).into()))),
    })
}

/// `count d sides`.
fn dice(count: &Value, sides: Value) -> Found<Value> {
    let die = match sides {
        Number(sides) => {
            few(sides, MOST)?;
            let faces = if sides == 0 {
                0..=0
            } else {
                sides.min(1)..=sides.max(-1)
            };
            match drawn(faces)? {
                Dice(_, law, _) => Dice(1, law, Some(sides)),
                other => other,
            }
        }
        Sequence(faces) => drawn(faces)?,
        die => die,
    };
    if die == Empty {
        return Ok(Empty);
    }
    count.each(|count| {
        let name = if let Dice(1, _, sides) = &die {
            *sides
        } else {
            None
        };
        match count {
            0 => dice(&Number(1), Number(0)),
            1 => Ok(die.clone()),
            2.. => Ok(Dice(few(count, MOST_DICE)?, die.law()?, name)),
            _ => prefix("-", Dice(few(count, MOST_DICE)?, die.law()?, name)),
        }
    })
}

/// The decimal digits of a number, each with its sign.
fn digits(number: i128) -> Vec<i128> {
    let digits = number.unsigned_abs().to_string();
    let digits = digits.bytes().map(|digit| i128::from(digit - b'0'));
    digits.map(|digit| digit * number.signum()).collect()
}

fn meets<T: Ord>(operator: &str, a: &T, b: &T) -> bool {
    match operator {
        "=" => a == b,
        "!=" => a != b,
        "<" => a < b,
        ">" => a > b,
        "<=" => a <= b,
        _ => a >= b,
    }
}

fn calculated(operator: &str, a: i128, b: i128) -> Found<Value> {
    let known = match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => Some(a.checked_div(b).unwrap_or(0)),
        "&" => Some((a != 0 && b != 0).into()),
        "|" => Some((a != 0 || b != 0).into()),
        "^" if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        "^" if a == 0 => return Err(error("domain")),
        "^" if a.abs() == 1 => Some(if b % 2 == 0 { 1 } else { a }),
        "^" => Some(0),
        _ => Some(meets(operator, &a, &b).into()),
    };
    known.map(Number).ok_or(Halt::Unclear)
}

pub(super) fn infix(operator: &str, a: &Value, b: &Value, lowest_first: bool) -> Found<Value> {
    let is_condition = operator.starts_with(['=', '!', '<', '>']);
    let count = |members: &[i128], meets: &dyn Fn(&i128) -> bool| {
        Ok(Number(
            members.iter().filter(|member| meets(member)).count() as i128,
        ))
    };
    match (operator, a, b) {
        ("d", ..) => dice(a, b.clone()),
        ("@", ..) => at(a, b, lowest_first),
        ("+" | "|" | "-", Sequence(members), Empty) => sum(members).map(Number),
        ("+" | "|", Empty, other) | ("+" | "|" | "-", other, Empty) => Ok(other.clone()),
        ("-", Empty, other) => prefix("-", other.clone()),
        (_, Empty, _) | (_, _, Empty) => Ok(Empty),
        (_, Sequence(a), Sequence(b)) if is_condition => Ok(Number(meets(operator, a, b).into())),
        (_, Sequence(a), Number(b)) if is_condition => count(a, &|a| meets(operator, a, b)),
        (_, Number(a), Sequence(b)) if is_condition => count(b, &|b| meets(operator, a, b)),
        _ => a.each(|a| b.each(|b| calculated(operator, a, b))),
    }
}

/// `positions @ value`.
fn at(positions: &Value, value: &Value, lowest_first: bool) -> Found<Value> {
    let positions = match positions {
        Number(position) => &vec![*position],
        Sequence(positions) => positions,
        Dice(..) => return Err(error("type")),
        Empty => return Err(Halt::Unclear),
    };
    let pick = |mut members: Vec<i128>, turns: bool| {
        if turns {
            members.reverse();
        }
        let places = positions
            .iter()
            .filter_map(|place| usize::try_from(place - 1).ok());
        Ok(Number(places.filter_map(|place| members.get(place)).sum()))
    };
    match value {
        Empty => Ok(Empty),
        Number(number) => pick(digits(*number), lowest_first),
        Sequence(members) => pick(members.clone(), false),
        Dice(count, law, _) => {
            let rolls = rolls(&[(*count, law)])?.into_iter();
            mixture(rolls.map(|(roll, chance)| (chance, pick(roll, lowest_first))))
        }
    }
}

/// The types of the parameters of a function of the library.
pub(super) fn parameters(name: &str) -> Option<&'static str> {
    Some(match name {
        "absolute _" => "n",
        "_ contains _" => "sn",
        "count _ in _" => "ss",
        "explode _" | "maximum of _" => "d",
        "highest of _ and _" | "lowest of _ and _" => "nn",
        "highest _ of _" | "lowest _ of _" | "middle _ of _" => "nd",
        "highest _ of _ and _" | "lowest _ of _ and _" => "ndd",
        "highest _ of _ and _ and _" | "lowest _ of _ and _ and _" => "nddd",
        "reverse _" | "sort _" => "s",
        _ => return None,
    })
}

/// The value of a function of the library for what its parameters receive.
pub(super) fn library(
    name: &str,
    values: &[Value],
    explode: usize,
    lowest_first: bool,
) -> Found<Value> {
    let first = name.split(' ').next().unwrap_or_default();
    Ok(match (first, values) {
        ("absolute", [Number(number)]) => Number(number.abs()),
        ("_", [Sequence(members), Number(number)]) => Number(members.contains(number).into()),
        ("count", [Sequence(wanted), within]) => {
            let counts = wanted
                .iter()
                .map(|wanted| infix("=", within, &Number(*wanted), false)?.number());
            Number(counts.sum::<Found<i128>>()?)
        }
        ("reverse", [Sequence(members)]) => Sequence(members.iter().rev().copied().collect()),
        ("sort", [Sequence(members)]) => {
            let mut members = members.clone();
            members.sort_unstable_by(|a, b| if lowest_first { a.cmp(b) } else { b.cmp(a) });
            Sequence(members)
        }
        ("highest", [Number(a), Number(b)]) => Number(*a.max(b)),
        ("lowest", [Number(a), Number(b)]) => Number(*a.min(b)),
        ("maximum", [die]) => Number(die.greatest()?.unwrap_or(0)),
        ("explode", [die]) => {
            let greatest = die.greatest()?;
            let mut all = die.each(|number| Ok(Number(number)))?;
            for _ in 0..explode {
                let again = |number: i128| infix("+", &Number(number), &all, false);
                all = die.each(|number| {
                    if Some(number) == greatest {
                        again(number)
                    } else {
                        Ok(Number(number))
                    }
                })?;
            }
            all
        }
        (first, [Number(count), kinds @ ..]) => {
            let mut dice = Vec::new();
            for kind in kinds {
                let Dice(count, law, _) = kind else {
                    return Ok(Empty);
                };
                dice.push((*count, law));
            }
            if *count <= 0 {
                return Ok(Number(0));
            }
            let all: usize = dice.iter().map(|(count, _)| count).sum();
            let count = usize::try_from(*count).map_or(all, |count| count.min(all));
            let start = match first {
                "highest" => 0,
                "lowest" => all - count,
                _ if count == 1 => (all - 1) / 2,
                _ => (all - count) / 2,
            };
            let kept = |roll: Vec<i128>| Ok(Number(roll[start..start + count].iter().sum()));
            mixture(
                rolls(&dice)?
                    .into_iter()
                    .map(|(roll, chance)| (chance, kept(roll))),
            )?
        }
        _ => return Err(Halt::Unclear),
    })
}
