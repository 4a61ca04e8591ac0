//! The probability of one number, and of all numbers below and above it, for a rule whose distribution may be too
//! large to list.

use super::analyze::analyze_within;
use super::answer::Answer;
use crate::algebra::weight::lcm;
use crate::algebra::{Law, Mass, Numbers, Weight};
use crate::error::Error;
use crate::ir::{Aim, Comparison, Folding, Program, Site, Term};
use crate::limits::{Budget, Limits, Observer};
use crate::number::Integer;
use crate::source::Span;

/// The probability of a number, listed, and of the numbers below and above it, as tails. All are exact.
///
/// Two other programs are analyzed: whether the value is at least the number, and whether it is the number. So a
/// distribution that is too large to be computed or to be held is no hindrance. The number of sixes of a million dice
/// takes a terabyte; whether that many dice show a six is one number. Where [`super::analyze()`] answers in
/// reasonable time, its answer says more and costs no more.
///
/// `None` if the value may be a list of another length, if the program leaves rolls out, if some of its weight is unresolved or never ends, or if the
/// program asks for shares.
///
/// # Errors
///
/// Those of [`super::analyze()`].
///
/// # Examples
///
/// ```
/// use dicedist::engine;
/// use dicedist::limits::{Limits, Unobserved};
/// use dicedist::Rule;
///
/// let program = Rule::bones("sum(2#d6)")?.into_program()?;
/// let answer = engine::analyze_around(&program, &9.into(), &Limits::default(), &Unobserved)?.unwrap();
/// assert_eq!(answer.probability(&answer.numbers().unwrap().mass()).to_string(), "1/9");
/// let (below, above) = (answer.below().unwrap(), answer.above().unwrap());
/// assert_eq!((&below.bound, &above.bound), (&8.into(), &10.into()));
/// assert_eq!(answer.probability(&above.weight).to_string(), "1/6");
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn analyze_around(
    program: &Program,
    number: &Integer,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Option<Answer>, Error> {
    if program.aim() != Aim::Value || program.rejects_at().is_some() {
        return Ok(None);
    }
    let (Ok(before), Ok(after)) = (number.sub(&Integer::ONE), number.add(&Integer::ONE)) else {
        return Ok(None);
    };
    let budget = Budget::start(limits, observer);
    let asked = |program: Program| -> Result<Option<[Weight; 2]>, Error> {
        let answer = analyze_within(&program, &budget)?;
        let total = answer.total().clone();
        let ones = answer.numbers().filter(|_| answer.is_complete());
        Ok(ones.map(|ones| [ones.weight_of(&Integer::ONE), total]))
    };
    let Some([one, all]) = asked(counted(program, None))? else {
        return Ok(None);
    };
    if one != all {
        return Ok(None);
    }
    let at_least = counted(program, Some((Comparison::GreaterOrEqual, number)));
    let equal = counted(program, Some((Comparison::Equal, number)));
    let (Some([at_least, total]), Some([equal, other_total])) = (asked(at_least)?, asked(equal)?)
    else {
        return Ok(None);
    };
    let common = lcm(&total, &other_total);
    let [at_least, equal] = [
        at_least * (&common / total),
        equal * (&common / other_total),
    ];
    let tails = vec![
        Mass::at_or_below(before, &common - &at_least),
        Mass::at_or_above(after, at_least - &equal),
    ];
    let listed = Numbers::new([(number.clone(), equal)], common);
    let law = Law::new(listed, tails, Weight::ZERO, None);
    Ok(Some(Answer::new(law, budget.states()).of_program(program)))
}

/// The program that counts the members of another program's value, or those for which a comparison with a number
/// holds.
fn counted(program: &Program, compared: Option<(Comparison, &Integer)>) -> Program {
    let mut arena = program.arena().clone();
    let site = arena.site(Site::at(Span::default()));
    let mut list = program.root();
    if let Some((comparison, number)) = compared {
        let number = arena.integer(number.clone());
        list = arena.add(Term::Filter(comparison, number, list, site));
    }
    let root = arena.add(Term::Fold(Folding::Count, list, site));
    Program::new(arena, root)
}
