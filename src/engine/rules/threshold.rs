//! Comparisons with a number.
//!
//! `P(L >= n)` and `P(L = n)` are sums over the distribution of L. A tail of L counts where its bounds decide the
//! comparison. A law with a generating function is listed up to n first. Cost: that of the distribution of L, and one pass over it.

use super::rule::ClosedForm;
use crate::algebra::Law;
use crate::engine::program::{Node, NodeId, Store};
use crate::engine::stop::Attempt;

pub(super) const RULE: ClosedForm = ClosedForm {
    name: "a comparison of a number",
    law: threshold,
};

fn threshold(store: &mut Store<'_>, id: NodeId) -> Attempt<Option<Law>> {
    let budget = store.budget;
    let (Node::AtLeast(form, number) | Node::Equals(form, number)) = *store.nodes.get(id) else {
        return Ok(None);
    };
    let (law, threshold) = (store.law(form)?, number.into());
    let farther = law.listed_up_to(&threshold, budget)?;
    let law = farther.as_ref().unwrap_or(&law);
    Ok(Some(match store.nodes.get(id) {
        Node::AtLeast(..) => law.at_least(&threshold, budget)?,
        _ => law.equals(&threshold, budget)?,
    }))
}
