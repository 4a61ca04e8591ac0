//! Closed forms: distributions that need no graph.
//!
//! [`RULES`] is their table, in the order in which they are tried. Each rule is a file: one theorem with its
//! conditions, its cost and its source. The rule is a function that looks at the form of a number, and either does
//! not apply (`None`) or gives the whole distribution. The first rule that applies answers, so a special case stands
//! before the general one. Where no evaluator of this engine could do better, as for a random number of loops that
//! may never end, a rule returns an error of kind [`Stop::Unsupported`](crate::engine::stop::Stop::Unsupported), and
//! the slow evaluator takes over. A trace of the analysis shows the name in the table.
//!
//! # To add one
//!
//! - Write a file here (`random_sum.rs` is a short one to start from), name it among the modules below, and give it
//!   its line in [`RULES`].
//! - Add a rule that it answers to `BY_HAND` in `tests/suite/floors.rs`. A test compares every closed form with revealing
//!   there, and fails if a closed form answers no rule.
//! - Mind the form in which a text arrives: filters and folds go into repetitions as they are translated. A sum of draws of a
//!   die that shows 0 or 1 is what `count >2 (d4#d3)` becomes, while `let x=d4#d3 in count >2 x` counts the members that a
//!   filter keeps.
//!
//! Some rules are not in the table, because they are for more than numbers: conditions ([`condition`]), which hold for
//! lists, too; loops that branch ([`branching`]); shares ([`shares`]). Three rewrites, [`REWRITES`], give dice other faces, so that the program is revealed in fewer
//! states.

mod arithmetic;
mod binomial_tail;
mod branching;
mod condition;
mod contest;
mod independent;
mod joined_tables;
mod paired;
mod power;
mod process;
mod product;
mod random_sum;
mod ranks;
mod relabelled;
mod rule;
mod shares;
mod shorter_lists;
mod sum;
mod threshold;

use crate::algebra::Law;
use crate::engine::program::{NodeId, Store};
use crate::engine::stop::Attempt;
pub(super) use branching::law_of_branching;
pub(super) use condition::mixed;
pub(super) use product::long_product;
use rule::ClosedForm;
pub(super) use shares::share_answer;
pub(super) use shorter_lists::shorter_lists;

/// The closed forms of numbers, in the order in which they are tried.
pub(super) const RULES: [ClosedForm; 9] = [
    binomial_tail::RULE,
    threshold::RULE,
    contest::RULE,
    independent::RULE,
    power::RULE,
    product::RULE,
    random_sum::RULE,
    ranks::RULE,
    sum::RULE,
];

/// A program of the same distribution, if the rewrite applies.
type Rewrite = fn(&mut Store<'_>, NodeId) -> Attempt<Option<NodeId>>;

/// Rewrites of programs that are to be revealed, in the order in which they are tried.
const REWRITES: [Rewrite; 3] = [
    paired::paired,
    joined_tables::joined_tables,
    relabelled::relabelled,
];

/// The distribution of a number by the first closed form that applies.
pub(super) fn closed_form(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    for rule in RULES {
        if let Some(law) = (rule.law)(store, id)? {
            return Ok(Some(law));
        }
    }
    Ok(None)
}

/// The program after the first rewrite that applies.
pub(super) fn rewritten(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<NodeId>> {
    for rewrite in REWRITES {
        if let Some(rewritten) = rewrite(store, id)? {
            return Ok(Some(rewritten));
        }
    }
    Ok(None)
}
