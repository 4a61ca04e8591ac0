//! Which dice stay: the modifiers of the second stage.

use super::Lowering;
use super::conditions::{Numbers, Tests};
use super::dice::Values;
use crate::ir::{Expr, Selection, SiteId};
use crate::notation::tabletop::stages::{Choice, Selectors, Stages};

impl Lowering<'_> {
    /// The members of a list that stay, and what is known of them.
    pub(super) fn chosen(
        &mut self,
        list: Expr,
        mut values: Values,
        stages: &Stages,
        numbers: &Numbers,
    ) -> (Expr, Values) {
        if !stages.choices.is_empty() {
            values.number.low = Some(0);
        }
        let kept = self.choose_in_turn(list, &stages.choices, numbers, values.site);
        (kept, values)
    }

    /// The members of a list that stay after each choice.
    fn choose_in_turn(
        &mut self,
        list: Expr,
        choices: &[Choice],
        numbers: &Numbers,
        site: SiteId,
    ) -> Expr {
        let mut list = list;
        for choice in choices {
            list = match choice {
                Choice::Drop(selectors) => {
                    let tests = self.tests(numbers, &selectors.condition, None);
                    let (_, rest) = self.take(list, selectors, &tests, numbers, site);
                    rest
                }
                Choice::Keep(selectors) => {
                    let tests = self.tests(numbers, &selectors.condition, None);
                    let kinds = [
                        !selectors.high.is_empty(),
                        !selectors.low.is_empty(),
                        !selectors.condition.tests.is_empty(),
                    ];
                    // A list that several selectors take from is evaluated once.
                    if kinds.into_iter().filter(|&is_there| is_there).count() > 1 {
                        list = self.bind(list);
                    }
                    let (taken, _) = self.take(list, selectors, &tests, numbers, site);
                    self.build.join(&taken)
                }
            };
        }
        list
    }

    /// The members of a list that any selector takes, in parts, and the other members. Each part is written with the list,
    /// and so is the rest.
    pub(super) fn take(
        &mut self,
        list: Expr,
        selectors: &Selectors,
        tests: &Tests,
        numbers: &Numbers,
        site: SiteId,
    ) -> (Vec<Expr>, Expr) {
        let mut taken = Vec::new();
        let mut rest = list;
        let ends = [
            (&selectors.high, Selection::High, Selection::DropHigh),
            (&selectors.low, Selection::Low, Selection::DropLow),
        ];
        for (counts, take, drop) in ends {
            if let Some(count) = self.most(numbers, counts, site) {
                taken.push(self.build.select(take, count, rest, site));
                rest = self.build.select(drop, count, rest, site);
            }
        }
        if !tests.is_never() {
            taken.push(self.meeting(tests, rest, site));
            rest = self.failing(tests, rest, site);
        }
        (taken, rest)
    }
}
