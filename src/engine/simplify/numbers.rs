//! Numbers in normal form: linear forms, comparisons, choices and products.

use crate::engine::program::{Compare, LinearScratch, Node, NodeId, Store, narrow, value_or_zero};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::simplify::ranks::with_ranks_together;
use crate::engine::stop::{Attempt, Stop};
use crate::ir::{Arithmetic, Comparison, Folding, Selection};
use crate::number::Integer;

pub(in crate::engine) fn number(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    store.fold(Folding::Sum, id)
}

pub(in crate::engine) fn natural(store: &mut Store<'_>, id: NodeId) -> Attempt<NodeId> {
    if store.bounds(id)?.low >= 0 {
        return Ok(id);
    }
    let zero = store.constant(0);
    store.extremum(Selection::High, id, zero)
}

pub(in crate::engine) fn linear(
    store: &mut Store<'_>,
    constant: i64,
    parts: &[(i64, NodeId)],
) -> Attempt<NodeId> {
    // Most forms have one atom.
    if let &[(coefficient, part)] = parts
        && coefficient != 0
        && !matches!(store.nodes.get(part), Node::Constant(_) | Node::Linear(..))
    {
        let bounds = store.bounds(part)?;
        if bounds.low != bounds.high {
            let (constant, coefficient) = (narrow(constant.into())?, narrow(coefficient.into())?);
            return Ok(match (constant, coefficient) {
                (0, 1) => part,
                _ => store.nodes.linear(constant, &[(coefficient, part)]),
            });
        }
    }
    let mut total = i128::from(constant);
    let LinearScratch {
        mut atoms,
        mut collected,
    } = std::mem::take(&mut store.scratch);
    atoms.clear();
    collected.clear();
    for &(coefficient, part) in parts {
        let coefficient = i128::from(coefficient);
        match store.nodes.get(part) {
            Node::Constant(value) => total += coefficient * i128::from(*value),
            Node::Linear(inner, inner_atoms) => {
                total += coefficient * i128::from(*inner);
                atoms.extend(
                    inner_atoms
                        .iter()
                        .map(|&(factor, atom)| (atom, coefficient * i128::from(factor))),
                );
            }
            _ => atoms.push((part, coefficient)),
        }
    }
    atoms.sort_unstable_by_key(|&(atom, _)| atom);
    let mut index = 0;
    while index < atoms.len() {
        let atom = atoms[index].0;
        let mut coefficient = 0;
        while index < atoms.len() && atoms[index].0 == atom {
            coefficient += atoms[index].1;
            index += 1;
        }
        let bounds = store.bounds(atom)?;
        if bounds.low == bounds.high {
            total += coefficient * i128::from(bounds.low);
        } else if coefficient != 0 {
            collected.push((narrow(coefficient)?, atom));
        }
    }
    let form = match with_ranks_together(store, total, &collected)? {
        Some(form) => form,
        None => match (narrow(total)?, &collected[..]) {
            (total, []) => store.constant(total),
            (0, [(1, only)]) => *only,
            (total, _) => store.nodes.linear(total, &collected),
        },
    };
    store.scratch = LinearScratch { atoms, collected };
    Ok(form)
}

pub(in crate::engine) fn difference_of(
    store: &mut Store<'_>,
    a: NodeId,
    b: NodeId,
) -> Attempt<NodeId> {
    // The number of dice, less those that pass, is the number of those that do not. So it is seen that it is not negative.
    if let Node::Fold(Folding::Count, passing) = *store.nodes.get(b)
        && let Node::Filter(compare, number, dice) = *store.nodes.get(passing)
        && matches!(*store.nodes.get(dice), Node::Draws(count, ..) if count == a)
    {
        let others = store.filtered(compare.negated(), number, dice)?;
        return store.fold(Folding::Count, others);
    }
    store.linear(0, &[(1, a), (-1, b)])
}

pub(in crate::engine) fn complement(store: &mut Store<'_>, a: NodeId) -> Attempt<NodeId> {
    store.linear(1, &[(-1, a)])
}

pub(in crate::engine) fn comparison(
    store: &mut Store<'_>,
    comparison: Comparison,
    a: NodeId,
    b: NodeId,
) -> Attempt<NodeId> {
    let form = store.difference_of(a, b)?;
    match comparison {
        Comparison::Equal => store.equals(form, 0),
        Comparison::Greater => store.at_least(form, 1),
        Comparison::GreaterOrEqual => store.at_least(form, 0),
        Comparison::Less => {
            let not = store.at_least(form, 0)?;
            store.complement(not)
        }
        Comparison::LessOrEqual => {
            let not = store.at_least(form, 1)?;
            store.complement(not)
        }
        Comparison::NotEqual => {
            let not = store.equals(form, 0)?;
            store.complement(not)
        }
    }
}

pub(in crate::engine) fn indicator(
    store: &mut Store<'_>,
    compare: Compare,
    member: NodeId,
    number: NodeId,
) -> Attempt<NodeId> {
    let comparison = match compare {
        Compare::AtLeast => Comparison::GreaterOrEqual,
        Compare::Below => Comparison::Less,
        Compare::Equal => Comparison::Equal,
        Compare::Unequal => Comparison::NotEqual,
    };
    store.comparison(comparison, member, number)
}

/// The form without its constant and with a positive first coefficient, divided by the common factor of the
/// coefficients: `(form', number', factor, negated)` with `form - number = ±(factor·form' - number')`.
fn homogeneous(
    store: &mut Store<'_>,
    form: NodeId,
    number: i64,
) -> Attempt<(NodeId, i128, i64, bool)> {
    let Node::Linear(constant, atoms) = store.nodes.get(form).clone() else {
        return Ok((form, number.into(), 1, false));
    };
    let factor = atoms
        .iter()
        .fold(0, |factor, &(c, _)| num_integer::gcd(factor, c))
        .abs();
    let negated = atoms[0].0 < 0;
    if constant == 0 && factor == 1 && !negated {
        return Ok((form, number.into(), 1, false));
    }
    let sign = if negated { -1 } else { 1 };
    let parts: Vec<_> = atoms
        .iter()
        .map(|&(c, atom)| (sign * (c / factor), atom))
        .collect();
    let number = i128::from(sign) * (i128::from(number) - i128::from(constant));
    Ok((store.linear(0, &parts)?, number, factor, negated))
}

pub(in crate::engine) fn at_least(
    store: &mut Store<'_>,
    form: NodeId,
    number: i64,
) -> Attempt<NodeId> {
    let bounds = store.bounds(form)?;
    if bounds.low >= number || bounds.high < number {
        return Ok(store.constant(i64::from(bounds.low >= number)));
    }
    // f·L >= n  is  L >= ⌈n/f⌉;   -f·L >= -n  is  L <= ⌊n/f⌋  is  not L >= ⌊n/f⌋ + 1.
    let (form, number, factor, negated) = homogeneous(store, form, number)?;
    let factor = i128::from(factor);
    if negated {
        let not = at_least_homogeneous(
            store,
            form,
            narrow(num_integer::Integer::div_floor(&number, &factor) + 1)?,
        )?;
        store.complement(not)
    } else {
        at_least_homogeneous(
            store,
            form,
            narrow(num_integer::Integer::div_ceil(&number, &factor))?,
        )
    }
}

fn at_least_homogeneous(store: &mut Store<'_>, form: NodeId, number: i64) -> Attempt<NodeId> {
    let bounds = store.bounds(form)?;
    Ok(if bounds.low >= number || bounds.high < number {
        store.constant(i64::from(bounds.low >= number))
    } else if bounds.low == 0 && bounds.high == 1 {
        form
    } else {
        store.nodes.intern(Node::AtLeast(form, number))
    })
}

pub(in crate::engine) fn equals(
    store: &mut Store<'_>,
    form: NodeId,
    number: i64,
) -> Attempt<NodeId> {
    let (form, number, factor, _) = homogeneous(store, form, number)?;
    let bounds = store.bounds(form)?;
    let quotient = number / i128::from(factor);
    if number % i128::from(factor) != 0
        || quotient < bounds.low.into()
        || quotient > bounds.high.into()
    {
        return Ok(store.constant(0));
    }
    let number = narrow(quotient)?;
    if bounds.low == bounds.high {
        return Ok(store.constant(1));
    }
    if number == bounds.high {
        return at_least_homogeneous(store, form, number);
    }
    if number == bounds.low {
        let not = at_least_homogeneous(store, form, number + 1)?;
        return store.complement(not);
    }
    Ok(store.nodes.intern(Node::Equals(form, number)))
}

/// `a` if the condition (0 or 1) is 1, else `b`.
///
/// Laws: a decided condition picks a branch; equal branches need no condition; `if 1-c then a else b = if c then b
/// else a`; numbers that differ by a constant `k` are `b + k·c`; an empty branch leaves copies of the other branch.
pub(in crate::engine) fn choose(
    store: &mut Store<'_>,
    condition: NodeId,
    a: NodeId,
    b: NodeId,
) -> Attempt<NodeId> {
    let bounds = store.bounds(condition)?;
    if bounds.low == bounds.high {
        return Ok(if bounds.low == 0 { b } else { a });
    }
    if a == b {
        return Ok(a);
    }
    if let Node::Linear(1, atoms) = store.nodes.get(condition)
        && let [(-1, not)] = **atoms
    {
        return store.choose(not, b, a);
    }
    if store.is_number(a) && store.is_number(b) {
        let difference = store.difference_of(a, b)?;
        if let Some(difference) = store.as_constant(difference) {
            return store.linear(0, &[(1, b), (difference, condition)]);
        }
    }
    if store.is_empty_list(b) {
        return store.copies(condition, a);
    }
    if store.is_empty_list(a) {
        let not = store.complement(condition)?;
        return store.copies(not, b);
    }
    Ok(store.nodes.intern(Node::If(condition, a, b)))
}

pub(in crate::engine) fn is_not_empty(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    let count = store.fold(Folding::Count, list)?;
    store.at_least(count, 1)
}

pub(in crate::engine) fn extremum(
    store: &mut Store<'_>,
    selection: Selection,
    a: NodeId,
    b: NodeId,
) -> Attempt<NodeId> {
    for (bound, number) in [(a, b), (b, a)] {
        let Some(bound) = store.as_constant(bound) else {
            continue;
        };
        let bounds = store.bounds(number)?;
        // Where only one value lies on the other side of the bound, the extremum is linear in a comparison.
        if selection == Selection::Low && bounds.low >= bound - 1 {
            let reached = store.at_least(number, bound)?;
            return store.linear(bound - 1, &[(1, reached)]);
        }
        if selection == Selection::High && bounds.high <= bound + 1 {
            let passed = store.at_least(number, bound + 1)?;
            return store.linear(bound, &[(1, passed)]);
        }
    }
    let both = store.join(&[a, b])?;
    let one = store.constant(1);
    let best = store.select(selection, one, both)?;
    store.fold(Folding::Sum, best)
}

pub(in crate::engine) fn arithmetic(
    store: &mut Store<'_>,
    operator: Arithmetic,
    a: NodeId,
    b: NodeId,
) -> Attempt<NodeId> {
    match operator {
        Arithmetic::Add => return store.linear(0, &[(1, a), (1, b)]),
        Arithmetic::Subtract => return store.difference_of(a, b),
        Arithmetic::Max => return store.extremum(Selection::High, a, b),
        Arithmetic::Min => return store.extremum(Selection::Low, a, b),
        _ => {}
    }
    let a = match store.as_constant(b) {
        // The residue may be known where the number is not.
        Some(modulus) if operator == Arithmetic::Remainder && modulus > 0 => {
            residue(store, a, modulus)?
        }
        _ => a,
    };
    if let (Some(x), Some(y)) = (store.as_constant(a), store.as_constant(b)) {
        let value = value_or_zero(operator, &Integer::from(x), &Integer::from(y))?;
        let value = value
            .to_i64()
            .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
        return Ok(store.constant(narrow(value.into())?));
    }
    if operator == Arithmetic::Multiply {
        return product(store, a, b);
    }
    let id = store.nodes.intern(Node::Arithmetic(operator, a, b));
    let bounds = store.bounds(id)?;
    Ok(if bounds.low == bounds.high {
        store.constant(bounds.low)
    } else {
        id
    })
}

/// A number with the same remainder by a positive modulus, and with the least constant that keeps it from being
/// negative: a remainder has the sign of the number.
fn residue(store: &mut Store<'_>, a: NodeId, modulus: i64) -> Attempt<NodeId> {
    let Node::Linear(constant, ref atoms) = *store.nodes.get(a) else {
        return Ok(a);
    };
    let mut atoms = atoms.to_vec();
    let low = store.bounds(a)?.low;
    if low < 0 {
        return Ok(a);
    }
    let mut never_lower = constant >= 0;
    for &(coefficient, atom) in &atoms {
        never_lower &= coefficient > 0 && store.bounds(atom)?.low >= 0;
    }
    if never_lower {
        for (coefficient, _) in &mut atoms {
            *coefficient %= modulus;
        }
        return store.linear(constant % modulus, &atoms);
    }
    store.linear(constant - low / modulus * modulus, &atoms)
}

/// A product: linear if a factor is constant, a choice if a factor is 0 or 1.
fn product(store: &mut Store<'_>, a: NodeId, b: NodeId) -> Attempt<NodeId> {
    if let Some(factor) = store.as_constant(a) {
        return store.linear(0, &[(factor, b)]);
    }
    if let Some(factor) = store.as_constant(b) {
        return store.linear(0, &[(factor, a)]);
    }
    let zero = store.constant(0);
    for (condition, value) in [(a, b), (b, a)] {
        let bounds = store.bounds(condition)?;
        if bounds.low == 0 && bounds.high == 1 {
            return store.choose(condition, value, zero);
        }
    }
    Ok(store
        .nodes
        .intern(Node::Arithmetic(Arithmetic::Multiply, a.min(b), a.max(b))))
}
