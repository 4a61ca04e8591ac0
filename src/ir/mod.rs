//! The core language: every notation is lowered to it, and the engine knows no other.
//!
//! A [`Program`] is one term of the language below in an [`Arena`] of hash-consed terms. This page is
//! its whole meaning; `engine::enumerate` is the same page as code.
//!
//! # To add an operator
//!
//! Define it in `term` and on this page, write it in `print` and `build`, and compute it in `engine::operate`. The compiler
//! leads to the places in the engine: its bounds, its normal form, its errors. Add it to the list of operators in
//! `tests/suite/engine.rs`, too: the random programs there compare the engine with the slow evaluator.
//!
//! # Values
//!
//! A value is a finite list of integers, in order. A list of one member is also a number. Where a
//! *number* is needed (operands written `a`, `b`, `n` below), any other length is the error `type`.
//!
//! # Evaluation
//!
//! Evaluating a term in an environment (a stack of values, the innermost last) gives a random result: a value; or an *error*,
//! which has a kind and a place; or no result, if evaluation never ends. Evaluation is strict: operands are evaluated from left
//! to right, each exactly once, independently of each other given the environment. The first operand that fails or never
//! ends decides the whole term. When all operands have values, the operands that must be numbers are checked from left to
//! right; then the operator is applied.
//!
//! | term | printed | value |
//! |---|---|---|
//! | `Integer(i)` | `i` | the number `i` |
//! | `Variable(k)` | `x0`, `x1`, … | entry `k` of the environment, 0 being the innermost (a de Bruijn index) |
//! | `Join(e…)` | `join`, `()` | the members of each part, one part after the other; no part: the empty list |
//! | `Range(a, b)` | `range` | `a, a+1, …, b`; empty when `a > b` |
//! | `Die(n)` | `die` | one of `1, …, n`, all equally likely; `n < 1`: `bad_die` |
//! | `Pick(f)` | `pick` with the faces and their weights | one of some [`Faces`], each as likely as its weight says |
//! | `Compare(e, f)` | `compare` | the order of `e` and `f` as multisets, decided by the greatest value that one has more often than the other: 1 if `e` has it more often, -1 if `f` has, 0 if there is no such value |
//! | `Negate(a)` | `negate` | `-a` |
//! | `Arithmetic(op, a, b)` | `add`, `bit-and`, `bit-or`, `concatenate`, `divide`, `floor-divide`, `max`, `min`, `modulo`, `multiply`, `power`, `remainder`, `shift`, `subtract` | see [`Arithmetic`] |
//! | `Fold(Count, e)` | `count` | how many members there are |
//! | `Fold(Only, e)` | `only` | the only member; any other number of members: `type` |
//! | `Fold(Product, e)` | `product` | the product of the members; of none: 1 |
//! | `Fold(Sum, e)` | `sum` | the sum of the members; of none: 0 |
//! | `Arrange(Distinct, e)` | `distinct` | the members, but of equal members only the first |
//! | `Arrange(Reverse, e)` | `reverse` | the members, last first |
//! | `Arrange(Shuffle, e)` | `shuffle` | the members in an order drawn uniformly from all orders |
//! | `Arrange(Sort, e)` | `sort` | the members, ascending |
//! | `Repeat(n, e)` | `repeat` | `n` is evaluated once, then `e` afresh `n` times; the values of `e` joined; `n < 0`: `negative_count` |
//! | `Select(s, n, e)` | `first`, `high`, `last`, `low`, `drop-first`, `drop-high`, `drop-last`, `drop-low` | some `n` members of `e`, see [`Selection`]; `n < 0`: `negative_count` |
//! | `Filter(c, a, e)` | `filter` with `c` | the members `m` of `e` with `m c a`, in order; `a` is evaluated once |
//! | `Difference(e, f)` | `difference` | `e` without, for each member of `f`, the earliest equal member that is left; no equal member left: `domain` |
//! | `Without(e, f)` | `without` | `e` without, for each member of `f`, the earliest equal member that is left, if there is one |
//! | `If(c, e, f)` | `if` | `e` if `c` has a member, else `f`; the other branch is not evaluated |
//! | `Let(e, f)` | `let` | `f` in the environment with the value of `e` pushed |
//! | `Foreach(e, f)` | `foreach` | `e` is evaluated once, then `f` afresh with each member of `e` pushed in turn; the values of `f` joined |
//! | `Best(Members, e, f)` | `best` | `e` is evaluated once; of the results of `f` with a member of `e` pushed, the one with the greatest mean, and the first of these; no member: `domain` |
//! | `Best(Parts, e, f)` | `best-part` | the same, with the parts of `e` as multisets in place of its members, see [`Candidates`] |
//! | `While(e, f)` | `while` | `v(0) = e`, then `v(i+1) = f` with `v(i)` pushed, until a `v(i)` is empty; all `v(i)` joined |
//! | `Play(e, f, g)` | `play` | `g` with the last `v(i)` of `While(e, f)` pushed; a `Best` at the end of `f`, whose values are next states, maximises the mean of this number |
//! | `Fail(kind)` | `fail-` and the kind | none: the error of this kind |
//! | `Reject` | `reject` | none: the roll is left out, see below |
//!
//! `While` never ends when no `v(i)` is empty. An integer longer than [`crate::number::MAX_BITS`] bits
//! is the error `overflow` at the operator that computed it.
//!
//! The mean of `Best` is that of the value of `f`, a number, given the environment: whatever was evaluated before is known. A choice
//! that has an [aim](Choice::aim), a number behind its word, takes the mean of the member at this place, and its value is the whole list. All
//! candidates are weighed. If a candidate can fail, the choice fails, with the failure that comes first in the text; if one may
//! never end, it has no mean: `domain` at `f`.
//!
//! A `Best` is at the end of the body of a `Play` if its value is the next state: behind bindings, and in branches and other choices. There
//! a play that may never end is worse than every play that surely ends. If no play surely ends, or no play is the best, that is a limit.
//!
//! # Places
//!
//! A term that can fail carries a [`SiteId`]. Its [`Site`] holds the span of the whole expression, for the errors of the term
//! itself, and the span of each operand, for a `type` error. Of all errors that a program can reach, the error whose place
//! comes first in the text is reported, with the probability that evaluation fails with any error.
//!
//! # Rolls that are left out
//!
//! `Reject` stands only where the value of the program is decided. The distribution of a program is that of all other rolls: each
//! probability is divided by the probability that a roll is not left out. If all rolls are left out, evaluation fails with `domain`
//! at the first `Reject`. The probability of an error is not divided.
//!
//! # Results
//!
//! The result of a program is the value of its root, a list in order. A notation or a caller that wants a multiset asks for
//! [`Program::sorted`].
//!
//! A program may ask for *shares* instead ([`Aim::Share`]). The share of a number `v` is the expected number of members `v` of
//! the root's value over the expected number of all members, `E[count of v] / E[size]`: the histogram of the pooled members
//! of very many values. The shares are a distribution over numbers, and expectations are linear: the share of `v` in a join,
//! in `n` repetitions or in a branch follows from the parts, even if the parts depend on each other. The errors are those of
//! the value.

mod arena;
mod bounds;
mod build;
mod choice;
mod free;
mod member;
mod place;
mod print;
mod rejected;
mod shape;
mod term;

pub use arena::{Aim, Arena, Program};
pub use bounds::Bounds;
pub use build::{Builder, Expr, Name};
pub use choice::{Called, Choice};
pub(crate) use free::FreeVariables;
pub use shape::{Digit, Label, Labels, Member, Packing, Part, Shape};
pub use term::{
    Arithmetic, Arrangement, Candidates, ChoiceId, Comparison, Faces, Folding, Selection, Site,
    SiteId, Term, TermId,
};
