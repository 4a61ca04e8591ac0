//! Comparisons with a number.
//!
//! `P(L >= n)` and `P(L = n)` are sums over the distribution of L. A tail of L counts where its bounds decide the
//! comparison. Cost: that of the distribution of L, and one pass over it.

use super::rule::Rule;
use crate::algebra::Law;
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;

pub(super) const RULE: Rule = Rule {
    name: "a comparison of a number",
    law: threshold,
};

fn threshold(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let budget = store.budget;
    match *store.nodes.get(id) {
        Node::AtLeast(form, number) => Ok(Some(store.law(form)?.at_least(&number.into(), budget)?)),
        Node::Equals(form, number) => Ok(Some(store.law(form)?.equals(&number.into(), budget)?)),
        _ => Ok(None),
    }
}
