//! Expressions of lists.

use std::ops::RangeInclusive;

use super::expression::{Condition, Expression, Number, Pool, pool, shared};
use super::term::{Term, Variable};
use crate::ir::{
    Arrangement, Called, Candidates, Choice, Comparison, Folding, Selection, Shape, Site,
};
use crate::limits::MAX_LIST;
use crate::source::Span;

/// The longest list for which a fold is written out.
const LONGEST: usize = 200;

/// Which members.
impl Pool {
    /// The empty list.
    #[must_use]
    pub fn empty() -> Self {
        pool(std::iter::empty::<Number>())
    }

    /// All whole numbers of a range, such as the cards of a deck.
    #[must_use]
    pub fn range(numbers: RangeInclusive<i64>) -> Self {
        let ends = [*numbers.start(), *numbers.end()];
        let length = if numbers.is_empty() {
            0
        } else {
            ends[0].abs_diff(ends[1]).saturating_add(1)
        };
        let ends = ends.map(|end| Term::constant(end.into()));
        let term = Term::new(ends, |build, [low, high]| {
            build.core.range(low, high, build.site)
        });
        Self(term.with_length(usize::try_from(length).ok()))
    }

    /// The greatest `count` members; all, if there are fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let ability = d(6).times(4).keep_highest(3).sum();
    /// assert_eq!(ability.solve()?.at_least(18).to_string(), "7/432");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn keep_highest(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::High, count)
    }

    /// The least `count` members; all, if there are fewer.
    #[must_use]
    pub fn keep_lowest(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::Low, count)
    }

    /// All but the greatest `count` members.
    #[must_use]
    pub fn drop_highest(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::DropHigh, count)
    }

    /// All but the least `count` members.
    #[must_use]
    pub fn drop_lowest(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::DropLow, count)
    }

    /// The first `count` members; all, if there are fewer.
    #[must_use]
    pub fn first(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::First, count)
    }

    /// The last `count` members; all, if there are fewer.
    #[must_use]
    pub fn last(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::Last, count)
    }

    /// All but the first `count` members.
    #[must_use]
    pub fn drop_first(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::DropFirst, count)
    }

    /// All but the last `count` members.
    #[must_use]
    pub fn drop_last(&self, count: impl Into<Number>) -> Self {
        self.selected(Selection::DropLast, count)
    }

    /// `count` members drawn at random without replacement; all, if there are fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::Pool;
    ///
    /// let hand = Pool::range(1..=52).draw(5);
    /// let aces = hand.count_if(|card| card.at_most(4));
    /// assert_eq!(aces.solve()?.probability_of(4).to_string(), "1/54145"); // 48 hands of 2,598,960
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn draw(&self, count: impl Into<Number>) -> Self {
        self.arranged(Arrangement::Shuffle).first(count)
    }

    /// The members for which a condition holds.
    #[must_use]
    pub fn keep_if(&self, condition: impl FnOnce(Number) -> Condition) -> Self {
        self.flat_map(|member| condition(member.clone()).choose(member.into(), Self::empty()))
    }

    /// The pool without the members of another, one for one, as far as it has them.
    #[must_use]
    pub fn without(&self, taken: &Self) -> Self {
        let operands = [self.0.clone(), taken.0.clone()];
        Self(Term::new(operands, |build, [list, taken]| {
            build.core.without(list, taken)
        }))
    }

    /// Each value once.
    #[must_use]
    pub fn distinct(&self) -> Self {
        self.arranged(Arrangement::Distinct)
    }

    /// The members in ascending order.
    #[must_use]
    pub fn sorted(&self) -> Self {
        self.arranged(Arrangement::Sort).same_length(self)
    }

    /// The members in the opposite order.
    #[must_use]
    pub fn reversed(&self) -> Self {
        self.arranged(Arrangement::Reverse).same_length(self)
    }

    /// The members in a random order.
    #[must_use]
    pub fn shuffled(&self) -> Self {
        self.arranged(Arrangement::Shuffle).same_length(self)
    }

    fn same_length(self, other: &Self) -> Self {
        Self(self.0.with_length(other.0.length()))
    }

    fn arranged(&self, arrangement: Arrangement) -> Self {
        Self(Term::new([self.0.clone()], move |build, [list]| {
            build.core.arrange(arrangement, list)
        }))
    }

    fn selected(&self, selection: Selection, count: impl Into<Number>) -> Self {
        let count = count.into().0;
        let length = self
            .0
            .length()
            .zip(count.count())
            .map(|(length, count)| match selection {
                Selection::First | Selection::High | Selection::Last | Selection::Low => {
                    length.min(count)
                }
                Selection::DropFirst
                | Selection::DropHigh
                | Selection::DropLast
                | Selection::DropLow => length.saturating_sub(count),
            });
        let term = Term::new([count, self.0.clone()], move |build, [count, list]| {
            build.core.select(selection, count, list, build.site)
        });
        Self(term.with_length(length))
    }
}

/// What comes of the members.
impl Pool {
    /// The sum of all members; of none 0.
    #[must_use]
    pub fn sum(&self) -> Number {
        self.folded(Folding::Sum)
    }

    /// The product of all members; of none 1.
    #[must_use]
    pub fn product(&self) -> Number {
        self.folded(Folding::Product)
    }

    /// The number of members.
    #[must_use]
    pub fn count(&self) -> Number {
        self.folded(Folding::Count)
    }

    /// The number of members for which a condition holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let hits = d(6).times(5).count_if(|die| die.at_least(5));
    /// assert_eq!(hits.solve()?.mean().to_string(), "5/3");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn count_if(&self, condition: impl FnOnce(Number) -> Condition) -> Number {
        self.keep_if(condition).count()
    }

    /// The greatest member. An error of the rule, if there is none.
    #[must_use]
    pub fn highest(&self) -> Number {
        self.keep_highest(1).only()
    }

    /// The least member. An error of the rule, if there is none.
    #[must_use]
    pub fn lowest(&self) -> Number {
        self.keep_lowest(1).only()
    }

    /// The `rank`-th greatest member, where the greatest has the rank 1. An error of the rule, if there are fewer members.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let middle = d(20).times(3).ranked(2);
    /// assert_eq!(middle.solve()?.mean().to_string(), "21/2");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn ranked(&self, rank: impl Into<Number>) -> Number {
        let before = rank.into() - 1;
        self.drop_highest(before).highest()
    }

    /// The only member. An error of the rule, if there is none, or if there are several.
    #[must_use]
    pub fn only(&self) -> Number {
        if self.0.length() == Some(1) {
            return Number(self.0.clone());
        }
        self.folded(Folding::Only)
    }

    /// Whether the pool has a member.
    #[must_use]
    pub fn any(&self) -> Condition {
        Condition(self.0.clone())
    }

    /// Whether some member is this number.
    #[must_use]
    pub fn contains(&self, number: impl Into<Number>) -> Condition {
        Condition(self.filtered(Comparison::Equal, &number.into().0))
    }

    /// The order of two pools by their greatest members, then by their second greatest, and so on: -1, 0 or 1. A pool that has more
    /// members, and is else equal, is the greater one.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Number {
        let operands = [self.0.clone(), other.0.clone()];
        let term = Term::new(operands, |build, [left, right]| {
            build.core.compare(left, right)
        });
        Number(term.with_length(Some(1)))
    }

    /// What a function makes of each member.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let successes = d(10).times(3).map(|die| die.case([(1..=1, -1), (2..=7, 0)], 1)).sum();
    /// assert_eq!(successes.solve()?.min(), Some((-3).into()));
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn map(&self, function: impl FnOnce(Number) -> Number) -> Self {
        self.flat_map(|member| function(member).into())
            .same_length(self)
    }

    /// The lists that a function makes of each member, one after the other.
    #[must_use]
    pub fn flat_map(&self, function: impl FnOnce(Number) -> Self) -> Self {
        let variable = Variable::new();
        let body = function(Number(variable.term(Some(1))));
        let operands = [self.0.clone(), body.0];
        Self(Term::new(operands, move |build, [list, body]| {
            let name = build.name(variable);
            build.core.foreach(name, list, body)
        }))
    }

    /// A number that is changed by each member in turn.
    ///
    /// A member that is itself made of several dice is followed die by die. It is faster as one die:
    /// `Number::try_from(&member.solve()?)?.times(10)`.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// // The longest run from 1 on.
    /// let run = d(6).times(5).sorted();
    /// let run = run.fold(0, |run, die| die.equals(&run + 1).then(die, run));
    /// assert_eq!(run.solve()?.probability_of(5).to_string(), "5/324"); // 5! of 6⁵
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn fold(
        &self,
        first: impl Into<Number>,
        function: impl Fn(Number, Number) -> Number,
    ) -> Number {
        let first = first.into();
        let list = self.clone();
        list.share(|list| {
            if let Some(length) = list.0.length().filter(|&length| length <= LONGEST) {
                return first.share(|first| written_out(first, &list, 0..length, &function));
            }
            let rounds = super::repeat::repeat_until(
                [first, 0.into()],
                |[_, round]| round.at_least(list.count()),
                |[value, round]| {
                    let member = list.drop_first(round.clone()).first(1).only();
                    [function(value, member), round + 1]
                },
            );
            rounds.then(|[value, _]| value)
        })
    }

    /// The number that a function makes of that member for which its mean is greatest, given all that was rolled before. Of equal members
    /// it takes the first. An error of the rule, if there is no member.
    ///
    /// Nested choices are an optimal strategy.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::{d, pool};
    ///
    /// // Roll a d6, and keep it or take what a second roll shows.
    /// let twice = d(6).share(|x| pool([0, 1]).best(|again| again.equals(1).then(d(6), x)));
    /// assert_eq!(twice.solve()?.mean().to_string(), "17/4"); // (4 + 5 + 6)/6 + 7/4
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn best(&self, function: impl FnOnce(Number) -> Number) -> Number {
        self.chosen(Candidates::Members, Some(1), |member| {
            function(Number(member))
        })
    }

    /// As [`Pool::best`], with a choice between all parts of the pool.
    #[must_use]
    pub fn best_part(&self, function: impl FnOnce(Self) -> Number) -> Number {
        self.chosen(Candidates::Parts, None, |part| function(Self(part)))
    }

    fn chosen(
        &self,
        candidates: Candidates,
        length: Option<usize>,
        function: impl FnOnce(Term) -> Number,
    ) -> Number {
        let variable = Variable::new();
        let body = function(variable.term(length));
        let operands = [self.0.clone(), body.0];
        let term = Term::new(operands, move |build, [list, body]| {
            let called = |name: &str| Called {
                name: name.into(),
                shape: Shape::Numbers,
            };
            let choice = Choice {
                site: Site::at(Span::default()),
                chosen: called("choice"),
                list: called("candidates"),
                aim: None,
                known: [].into(),
                variables: [].into(),
            };
            let name = build.name(variable);
            build.core.best(candidates, name, list, body, choice)
        });
        Number(term.with_length(Some(1)))
    }

    fn filtered(&self, comparison: Comparison, number: &Term) -> Term {
        Term::new(
            [number.clone(), self.0.clone()],
            move |build, [number, list]| build.core.filter(comparison, number, list, build.site),
        )
    }

    fn folded(&self, folding: Folding) -> Number {
        let term = Term::new([self.0.clone()], move |build, [list]| {
            build.core.fold(folding, list, build.site)
        });
        Number(term.with_length(Some(1)))
    }
}

/// A fold over some members of a list, one after the other.
fn written_out(
    value: Number,
    list: &Pool,
    mut places: std::ops::Range<usize>,
    function: &impl Fn(Number, Number) -> Number,
) -> Number {
    let Some(place) = places.next() else {
        return value;
    };
    let member = list.drop_first(place).first(1).only();
    let next = member.share(|member| function(value, member));
    next.share(|value| written_out(value, list, places, function))
}

/// Pools of pools.
impl Pool {
    /// The members of both pools, those of the other last.
    #[must_use]
    pub fn chain(&self, other: &Self) -> Self {
        [self.clone(), other.clone()].into_iter().collect()
    }

    /// The pool, rolled so many times; all members together.
    #[must_use]
    pub fn times(&self, count: impl Into<Number>) -> Self {
        let count = count.into().0;
        let length = self.0.length().zip(count.count());
        let length = length.and_then(|(length, count)| length.checked_mul(count));
        let term = Term::new([count, self.0.clone()], |build, [count, list]| {
            build.core.repeat(count, list, build.site)
        });
        Self(term.with_length(length.filter(|&length| length <= MAX_LIST)))
    }

    /// The pool, then what a function makes of it, then what it makes of that, until a list is empty: all members together.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// // Each ten is one more die.
    /// let dice = d(10).times(2).successors(|last| d(10).times(last.count_if(|die| die.equals(10))));
    /// let hits = dice.count_if(|die| die.at_least(8));
    /// assert_eq!(hits.solve()?.mean().to_string(), "2/3"); // 2 * 3/10 / (1 - 1/10)
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn successors(&self, function: impl FnOnce(Self) -> Self) -> Self {
        let variable = Variable::new();
        let body = function(Self(variable.term(None)));
        Self(Term::new(
            [self.0.clone(), body.0],
            move |build, [first, next]| {
                let name = build.name(variable);
                build.core.repeat_while(name, first, next)
            },
        ))
    }

    /// What a closure makes of a pool that is rolled once, and then known.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::{d, record};
    ///
    /// let both = d(10).times(7).share(|pool| {
    ///     record([
    ///         ("hits", pool.count_if(|die| die.at_least(8))),
    ///         ("ones", pool.count_if(|die| die.equals(1))),
    ///     ])
    /// });
    /// let seven_ones = both.solve()?.probability_of([0, 7]);
    /// assert_eq!(seven_ones.to_string(), "1/10000000");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn share<E: Expression>(self, body: impl FnOnce(Self) -> E) -> E {
        shared(self.0, |term| body(Self(term)))
    }
}

impl From<Number> for Pool {
    /// The list of one number.
    fn from(number: Number) -> Self {
        Self(number.0)
    }
}

/// The members of all pools.
impl FromIterator<Self> for Pool {
    fn from_iter<I: IntoIterator<Item = Self>>(pools: I) -> Self {
        let pools: Box<[Term]> = pools.into_iter().map(|pool| pool.0).collect();
        let length: Option<usize> = pools.iter().map(Term::length).sum();
        let term = Term::of_all(pools, |build, pools| build.core.join(pools));
        Self(term.with_length(length))
    }
}
