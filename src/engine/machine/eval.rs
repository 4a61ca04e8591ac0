//! The values of expressions. What has no value here, as an error or a long integer, has none: the machine refuses the program.

use super::code::{Code, Expr, ExprId};
use super::words::{Lists, Word};
use crate::ir::{Arithmetic, Arrangement, Folding, Selection};
use crate::limits::{Budget, LimitReached, MAX_LIST};
use crate::stack;

/// The most values of a loop that rolls nothing. One with more may never end.
const MOST_ROUNDS: usize = 1 << 10;

/// The room for a list with more members than this is asked for before it is made a word.
const LONG_LIST: usize = 1 << 16;

/// Evaluates expressions of some code in a frame.
pub(super) struct Evaluation<'m> {
    pub(super) code: &'m Code,
    pub(super) lists: &'m mut Lists,
    pub(super) frame: &'m mut [Word],
    /// The members of the lists that are being made, one list behind the other.
    pub(super) out: &'m mut Vec<i64>,
    /// Counts the work: lists can be long, and expressions many.
    pub(super) budget: &'m Budget<'m>,
    /// The limit that was reached: then nothing has a value.
    pub(super) over: &'m mut Option<LimitReached>,
}

impl Evaluation<'_> {
    /// Counts work on so many members.
    fn works(&mut self, members: usize) -> Option<()> {
        self.within(self.budget.work(members as u64))
    }

    /// Checks that there is room for all lists, for one more of so many members, and for both while they are moved.
    fn has_room(&mut self, members: usize) -> Option<()> {
        let bytes = self.lists.bytes() + (members * size_of::<i64>()) as u64;
        self.within(self.budget.has_room_for(bytes.saturating_mul(3)))
    }

    fn within(&mut self, checked: Result<(), LimitReached>) -> Option<()> {
        checked.map_err(|reached| *self.over = Some(reached)).ok()
    }

    /// The value of an expression.
    pub(super) fn word(&mut self, id: ExprId) -> Option<Word> {
        let code = self.code;
        match code.expr(id) {
            Expr::Word(word) => Some(*word),
            Expr::Slot(slot) => Some(self.frame[*slot as usize]),
            Expr::If(condition, yes, no) => {
                let holds = self.number(*condition)? != 0;
                self.word(if holds { *yes } else { *no })
            }
            Expr::Let(slot, value, body) => {
                self.frame[*slot as usize] = self.word(*value)?;
                self.word(*body)
            }
            Expr::Arithmetic(..)
            | Expr::Compare(..)
            | Expr::Fold(..)
            | Expr::Linear(..)
            | Expr::Test(_) => Word::number(self.number(id)?),
            _ => {
                let first = self.out.len();
                self.list(id)?;
                let word = self.lists.word(&self.out[first..]);
                self.out.truncate(first);
                word
            }
        }
    }

    /// The value of an expression that must be a number.
    pub(super) fn number(&mut self, id: ExprId) -> Option<i64> {
        if let Some(members) = view(self.code, self.lists, self.frame, id) {
            return fold(Folding::Only, members);
        }
        self.works(1)?;
        let code = self.code;
        match code.expr(id) {
            Expr::Linear(constant, atoms) => {
                let mut sum = i128::from(*constant);
                for &(factor, atom) in atoms {
                    sum += i128::from(factor) * i128::from(self.number(atom)?);
                }
                i64::try_from(sum).ok()
            }
            Expr::Arithmetic(operator, a, b) => {
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                arithmetic(*operator, a, b)
            }
            Expr::If(condition, yes, no) => {
                let holds = self.number(*condition)? != 0;
                self.number(if holds { *yes } else { *no })
            }
            Expr::Let(slot, value, body) => {
                self.frame[*slot as usize] = self.word(*value)?;
                self.number(*body)
            }
            Expr::Test(list) => Some(i64::from(self.holds(*list)?)),
            Expr::Fold(folding, list) => {
                if let Some(members) = view(self.code, self.lists, self.frame, *list) {
                    return fold(*folding, members);
                }
                let first = self.out.len();
                self.list(*list)?;
                let number = fold(*folding, &self.out[first..]);
                self.out.truncate(first);
                number
            }
            Expr::Compare(a, b) => {
                let first = self.out.len();
                self.list(*a)?;
                let second = self.out.len();
                self.list(*b)?;
                let (left, right) = self.out[first..].split_at_mut(second - first);
                left.sort_unstable_by(|a, b| b.cmp(a));
                right.sort_unstable_by(|a, b| b.cmp(a));
                let order = (*left).cmp(right);
                self.out.truncate(first);
                Some(order as i64)
            }
            _ => {
                let first = self.out.len();
                stack::level(|| self.list(id))?;
                let number = fold(Folding::Only, &self.out[first..]);
                self.out.truncate(first);
                number
            }
        }
    }

    /// Whether a list has a member.
    fn holds(&mut self, id: ExprId) -> Option<bool> {
        let code = self.code;
        match code.expr(id) {
            Expr::Filter(comparison, number, list) if self.is_single(*list) => {
                let (number, member) = (self.number(*number)?, self.number(*list)?);
                Some(comparison.holds(&member, &number))
            }
            Expr::If(condition, yes, no) => {
                let holds = self.number(*condition)? != 0;
                self.holds(if holds { *yes } else { *no })
            }
            _ => {
                if let Some(members) = view(self.code, self.lists, self.frame, id) {
                    return Some(!members.is_empty());
                }
                let first = self.out.len();
                stack::level(|| self.list(id))?;
                let holds = self.out.len() > first;
                self.out.truncate(first);
                Some(holds)
            }
        }
    }

    /// Whether an expression has one member, if it has a value.
    fn is_single(&self, id: ExprId) -> bool {
        self.code.is_number(id)
            || view(self.code, self.lists, self.frame, id).is_some_and(|members| members.len() == 1)
    }

    /// Adds the members of a value to those that are there.
    #[expect(clippy::too_many_lines, reason = "one arm a kind of expression")]
    fn list(&mut self, id: ExprId) -> Option<()> {
        self.works(1)?;
        let code = self.code;
        let first = self.out.len();
        if let Some(members) = view(code, self.lists, self.frame, id) {
            self.out.extend_from_slice(members);
            return self.works(members.len());
        }
        match code.expr(id) {
            // What has members is seen above.
            Expr::Fail | Expr::Slot(_) | Expr::Word(_) => return None,
            Expr::Join(parts) => {
                for &part in parts {
                    self.list(part)?;
                }
            }
            Expr::Range(a, b) => {
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                if i128::from(b) - i128::from(a) >= MAX_LIST as i128 {
                    return None;
                }
                self.out.extend(a..=b);
            }
            Expr::If(condition, yes, no) => {
                let holds = self.number(*condition)? != 0;
                self.list(if holds { *yes } else { *no })?;
            }
            Expr::Let(slot, value, body) => {
                self.frame[*slot as usize] = self.word(*value)?;
                self.list(*body)?;
            }
            Expr::Foreach(slot, list, body) => {
                self.list(*list)?;
                let end = self.out.len();
                for place in first..end {
                    self.frame[*slot as usize] = Word::number(self.out[place])?;
                    self.list(*body)?;
                }
                self.out.drain(first..end);
            }
            Expr::While(slot, value, body) => {
                let mut value = self.word(*value)?;
                let mut rounds = 0;
                while value != Word::NOTHING {
                    rounds += 1;
                    let members = self.lists.members(&value);
                    if rounds > MOST_ROUNDS || self.out.len() - first + members.len() > MAX_LIST {
                        return None;
                    }
                    self.out.extend_from_slice(members);
                    self.frame[*slot as usize] = value;
                    value = self.word(*body)?;
                }
            }
            Expr::Copies(count, list) => {
                let count = usize::try_from(self.number(*count)?).ok()?;
                self.list(*list)?;
                let end = self.out.len();
                if (end - first).checked_mul(count)? > MAX_LIST {
                    return None;
                }
                if count == 0 {
                    self.out.truncate(first);
                }
                if end > first {
                    for _ in 1..count {
                        self.out.extend_from_within(first..end);
                    }
                }
            }
            Expr::Filter(comparison, number, list) => {
                let number = self.number(*number)?;
                self.list(*list)?;
                let mut kept = first;
                for index in first..self.out.len() {
                    if comparison.holds(&self.out[index], &number) {
                        self.out[kept] = self.out[index];
                        kept += 1;
                    }
                }
                self.out.truncate(kept);
            }
            Expr::Select(selection, count, list) | Expr::SelectSurely(selection, count, list) => {
                let is_sure = matches!(code.expr(id), Expr::SelectSurely(..));
                let count = usize::try_from(self.number(*count)?).ok()?;
                self.list(*list)?;
                if is_sure && self.out.len() - first < count {
                    return None;
                }
                select(*selection, count, first, self.out);
            }
            Expr::Arrange(arrangement, list) => {
                self.list(*list)?;
                match arrangement {
                    Arrangement::Sort => self.out[first..].sort_unstable(),
                    Arrangement::Reverse => self.out[first..].reverse(),
                    Arrangement::Distinct => self.distinct(first)?,
                    Arrangement::Shuffle => return None,
                }
            }
            Expr::Difference(list, taken) | Expr::Without(list, taken) => {
                let may_lack = matches!(code.expr(id), Expr::Without(..));
                self.list(*list)?;
                let mut end = self.out.len();
                self.list(*taken)?;
                let taken = self.out.split_off(end);
                for member in taken {
                    self.works(end - first)?;
                    match self.out[first..end]
                        .iter()
                        .position(|&other| other == member)
                    {
                        Some(place) => {
                            self.out.remove(first + place);
                            end -= 1;
                        }
                        None if may_lack => {}
                        None => return None,
                    }
                }
            }
            Expr::Arithmetic(..)
            | Expr::Compare(..)
            | Expr::Fold(..)
            | Expr::Linear(..)
            | Expr::Test(_) => {
                let number = self.number(id)?;
                self.out.push(number);
            }
        }
        let length = self.out.len() - first;
        self.works(length)?;
        if length > LONG_LIST {
            self.has_room(length)?;
        }
        (length <= MAX_LIST).then_some(())
    }

    /// Keeps of equal members from a place on only the first.
    fn distinct(&mut self, first: usize) -> Option<()> {
        let mut kept = first;
        for index in first..self.out.len() {
            self.works(kept - first)?;
            if !self.out[first..kept].contains(&self.out[index]) {
                self.out[kept] = self.out[index];
                kept += 1;
            }
        }
        self.out.truncate(kept);
        Some(())
    }
}

/// The members of a value that stand one after the other in a list that is there, as those at some places of a loop's state.
fn view<'v>(code: &'v Code, lists: &'v Lists, frame: &'v [Word], id: ExprId) -> Option<&'v [i64]> {
    match code.expr(id) {
        Expr::Word(word) => Some(lists.members(word)),
        Expr::Slot(slot) => {
            let word = &frame[*slot as usize];
            word.is_value().then(|| lists.members(word))
        }
        Expr::Select(selection, count, list) | Expr::SelectSurely(selection, count, list) => {
            let count = usize::try_from(code.as_number(*count)?).ok()?;
            let all = view(code, lists, frame, *list)?;
            let is_sure = matches!(code.expr(id), Expr::SelectSurely(..));
            let (kept, length) = (count.min(all.len()), all.len());
            match selection {
                _ if is_sure && length < count => None,
                Selection::First => Some(&all[..kept]),
                Selection::Last => Some(&all[length - kept..]),
                Selection::DropFirst => Some(&all[kept..]),
                Selection::DropLast => Some(&all[..length - kept]),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of an operator on two numbers.
fn arithmetic(operator: Arithmetic, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        Arithmetic::Add => a.checked_add(b)?,
        Arithmetic::BitAnd => a & b,
        Arithmetic::BitOr => a | b,
        Arithmetic::Concatenate | Arithmetic::Shift => return None,
        Arithmetic::Divide => a.checked_div(b)?,
        Arithmetic::FloorDivide => {
            let quotient = a.checked_div(b)?;
            quotient - i64::from(a % b != 0 && (a < 0) != (b < 0))
        }
        Arithmetic::Max => a.max(b),
        Arithmetic::Min => a.min(b),
        Arithmetic::Modulo => {
            let rest = a.checked_rem(b)?;
            if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            }
        }
        Arithmetic::Multiply => a.checked_mul(b)?,
        Arithmetic::Power => a.checked_pow(u32::try_from(b).ok()?)?,
        Arithmetic::Remainder => a.checked_rem(b)?,
        Arithmetic::Subtract => a.checked_sub(b)?,
    })
}

/// A list reduced to a number.
pub(super) fn fold(folding: Folding, members: &[i64]) -> Option<i64> {
    match folding {
        Folding::Count => i64::try_from(members.len()).ok(),
        Folding::Only => match *members {
            [only] => Some(only),
            _ => None,
        },
        Folding::Product => {
            let mut factors = members.iter();
            factors.try_fold(1_i64, |product, &factor| product.checked_mul(factor))
        }
        Folding::Sum => {
            let mut parts = members.iter();
            parts.try_fold(0_i64, |sum, &part| sum.checked_add(part))
        }
    }
}

/// Keeps of the members from a place on those that are selected.
fn select(selection: Selection, count: usize, first: usize, out: &mut Vec<i64>) {
    let length = out.len() - first;
    let count = count.min(length);
    let kept = if selection.keeps() {
        count
    } else {
        length - count
    };
    match selection {
        Selection::First | Selection::DropLast => out.truncate(first + kept),
        Selection::Last | Selection::DropFirst => {
            out.drain(first..first + length - kept);
        }
        Selection::High | Selection::DropLow => ranked(kept, first, out, |member| !member),
        Selection::Low | Selection::DropHigh => ranked(kept, first, out, |member| member),
    }
}

/// Keeps so many of the members from a place on, the least by a key, and the earliest of equal ones, in their order.
fn ranked(kept: usize, first: usize, out: &mut Vec<i64>, key: fn(i64) -> i64) {
    let members = &out[first..];
    if kept == members.len() {
        return;
    }
    if kept <= 1 {
        let best = members.iter().copied().min_by_key(|&member| key(member));
        out.truncate(first);
        out.extend(best.filter(|_| kept == 1));
        return;
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&place| key(members[place]));
    order.truncate(kept);
    order.sort_unstable();
    for (to, from) in order.into_iter().enumerate() {
        out[first + to] = out[first + from];
    }
    out.truncate(first + kept);
}
