//! Selections, and the reductions that go into the parts of a list.

use crate::engine::program::{Drawing, Node, NodeId, Order, Pool, Reduction};
use crate::engine::simplify::{Forms as _, reduce, shuffled};
use crate::engine::stop::Attempt;
use crate::engine::translate::repeat::Repeated;
use crate::engine::translate::terms::HIDDEN_DECK;
use crate::engine::translate::translator::Translator;
use crate::ir::{Arrangement, Comparison, Selection, Term, TermId};
use crate::limits::LimitReached;
use crate::stack;

/// The most numbers of cards for which a deal is written out.
const MOST_DEALS: i64 = 1 << 10;

impl Translator<'_, '_> {
    /// `first n` of equal members ignores their order. Of a sorted list it is `low n`. Of a shuffled known list it
    /// draws without replacement.
    pub(super) fn translate_selection(
        &mut self,
        selection: Selection,
        n: NodeId,
        e: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let by_position = matches!(
            selection,
            Selection::First | Selection::Last | Selection::DropFirst | Selection::DropLast
        );
        if !by_position {
            // One member has no order.
            let is_one = matches!(selection, Selection::High | Selection::Low)
                && self.store.as_constant(n).is_some_and(|n| n <= 1);
            let order = if is_one { Order::Ignored } else { order };
            let known = self.store.as_constant(n);
            let known = known.filter(|_| order == Order::Ignored);
            let apart = match selection {
                Selection::DropLow | Selection::Low if known.is_some() => {
                    self.last_rolls_apart(e, environment)?
                }
                _ => None,
            };
            let list = match (apart, known) {
                (Some(list), _) => list,
                (None, Some(n)) if matches!(selection, Selection::High | Selection::Low) => {
                    self.translate_reduced(e, vec![Reduction::Select(selection, n)], environment)?
                }
                _ => self.translate(e, order, environment)?,
            };
            return self.store.select(selection, n, list);
        }
        match self.store.arena.term(e) {
            Term::Filter(Comparison::Equal, ..) => {
                let list = self.translate(e, Order::Ignored, environment)?;
                self.store.select(selection, n, list)
            }
            Term::Arrange(Arrangement::Sort, inner) if order == Order::Ignored => {
                let list = self.translate(*inner, Order::Ignored, environment)?;
                let selection = match selection {
                    Selection::First => Selection::Low,
                    Selection::Last => Selection::High,
                    Selection::DropFirst => Selection::DropLow,
                    _ => Selection::DropHigh,
                };
                self.store.select(selection, n, list)
            }
            Term::Arrange(Arrangement::Shuffle, inner) => {
                let cards = self.translate(*inner, Order::Ignored, environment)?;
                self.deal(selection, n, cards, order)
            }
            _ => {
                let list = self.translate(e, Order::Kept, environment)?;
                self.store.select(selection, n, list)
            }
        }
    }

    /// Some members of a shuffled list: draws without replacement, if their order does not matter.
    pub(super) fn deal(
        &mut self,
        selection: Selection,
        n: NodeId,
        cards: NodeId,
        order: Order,
    ) -> Attempt<NodeId> {
        let members = self.store.known_members(cards).ok_or(HIDDEN_DECK)?;
        let size: i64 = members.iter().map(|&(_, count)| i64::from(count)).sum();
        let dealt = self.store.as_constant(n).map(|n| match selection {
            Selection::First | Selection::Last => n.min(size),
            _ => (size - n).max(0),
        });
        if dealt.is_none()
            && order == Order::Ignored
            && let Some(list) = self.deal_by_number(selection, n, cards, size)?
        {
            return Ok(list);
        }
        let dealt = match dealt {
            Some(dealt) if order == Order::Ignored || dealt <= 1 => dealt,
            _ => {
                let deck = shuffled(self.store, &members)?;
                return self.store.select(selection, n, deck);
            }
        };
        if members.len() <= 1 || dealt == size || dealt == 0 {
            let dealt = self.store.constant(dealt);
            return self.store.select(Selection::Low, dealt, cards);
        }
        let die = self.store.pools.weighted(&members, self.store.budget)?;
        let dice = u32::try_from(dealt).map_err(|_| LimitReached::List)?;
        let pool = self.store.pools.pool(Pool {
            die,
            dice,
            drawing: Drawing::WithoutReplacement,
        });
        Ok(self.store.nodes.intern(if dice == 1 {
            Node::Draw(pool)
        } else {
            Node::Pool(pool)
        }))
    }

    /// The same for a hidden number: a deal for each number that it can be. `None` if it can be very many numbers.
    fn deal_by_number(
        &mut self,
        selection: Selection,
        n: NodeId,
        cards: NodeId,
        size: i64,
    ) -> Attempt<Option<NodeId>> {
        let bounds = self.store.bounds(n)?;
        let (low, high) = (bounds.low.clamp(0, size), bounds.high.clamp(0, size));
        if high - low >= MOST_DEALS {
            return Ok(None);
        }
        let deal = |translator: &mut Self, n: i64| {
            let n = translator.store.constant(n);
            translator.deal(selection, n, cards, Order::Ignored)
        };
        let mut list = deal(self, high)?;
        for number in (low..high).rev() {
            let (fewer, is_more) = (deal(self, number)?, self.store.at_least(n, number + 1)?);
            list = self.store.choose(is_more, list, fewer)?;
        }
        Ok(Some(list))
    }

    /// A multiset whose parts have been reduced already. A repetition that stands in the text here is used only here,
    /// so its evaluations need not be more than their reductions.
    pub(super) fn translate_reduced(
        &mut self,
        id: TermId,
        mut reductions: Vec<Reduction>,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        match self.store.arena.term(id) {
            Term::Filter(comparison, a, e, site) => {
                let number = self.translate(*a, Order::Ignored, environment)?;
                self.with_deferred_check(
                    |translator| translator.as_numbers([number], *site),
                    |translator, [number]| {
                        let (compare, number) = translator.store.compared(*comparison, number)?;
                        if let Some(number) = translator.store.as_constant(number) {
                            reductions.insert(0, Reduction::Filter(compare, number));
                            return stack::level(|| {
                                translator.translate_reduced(*e, reductions, environment)
                            });
                        }
                        let list = translator.translate(*e, Order::Ignored, environment)?;
                        let list = translator.store.filtered(compare, number, list)?;
                        reduce(translator.store, &reductions, list)
                    },
                )
            }
            Term::Arrange(Arrangement::Reverse | Arrangement::Shuffle | Arrangement::Sort, e) => {
                stack::level(|| self.translate_reduced(*e, reductions, environment))
            }
            Term::Join(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| {
                        stack::level(|| {
                            self.translate_reduced(part, reductions.clone(), environment)
                        })
                    })
                    .collect::<Attempt<Vec<_>>>()?;
                self.store.join(&parts)
            }
            Term::Repeat(n, e, site) => {
                let n = self.translate_count(*n, *site, environment)?;
                self.repeat(
                    n,
                    Repeated::Term(*e),
                    &reductions,
                    Order::Ignored,
                    environment,
                )
            }
            Term::Foreach(e, f) => {
                self.translate_foreach(*e, *f, &reductions, Order::Ignored, environment)
            }
            _ => self.translate_and_reduce(id, &reductions, Order::Ignored, environment),
        }
    }
}
