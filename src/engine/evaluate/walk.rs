//! One path of a program: its evaluation where something says which face each die shows.

use super::enumerate::Evaluator;
use crate::algebra::Weight;
use crate::engine::failure::Failure;
use crate::engine::operate;
use crate::engine::outcomes::List;
use crate::error::ErrorKind;
use crate::ir::{Arena, Arrangement, ChoiceId, Site, SiteId, Term, TermId};
use crate::limits::{Budget, LimitReached, MAX_LIST};
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// Says whether to go on, with so many bytes more.
pub(super) type Watch<'a> = dyn Fn(u64) -> Result<(), LimitReached> + 'a;

/// A [`Watch`] that looks at the clock each time.
pub(super) fn has_room_now(bytes: u64, budget: &Budget<'_>) -> Result<(), LimitReached> {
    budget.look_at_clock()?;
    budget.has_room_for(bytes)
}

/// The steps between two questions to a [`Watch`]; a term that makes more bytes than this asks first.
const STEPS_PER_LOOK: u64 = 1 << 12;

/// The bytes of a list between two questions to a [`Watch`].
const BYTES_PER_LOOK: u64 = 1 << 20;

/// A list that becomes longer part by part.
#[derive(Default)]
struct Joined {
    list: List,
    bytes: u64,
    /// The bytes at the last question.
    asked: u64,
}

/// Where the faces of dice come from.
pub(super) trait Faces {
    /// A face from 1 to `sides`, which is at least 1.
    fn face(&mut self, sides: &Integer) -> Result<Integer, NoValue>;

    /// A place from 0 to `last`.
    fn place(&mut self, last: usize) -> Result<usize, NoValue>;

    /// The value of a term whose dice need not be rolled one by one. `None` if they are.
    fn whole(&mut self, _term: TermId) -> Option<Result<&List, NoValue>> {
        None
    }

    /// Whether the next part of the path is known. A part that is not known is evaluated, and given to
    /// [`Faces::end_part`].
    fn begin_part(&mut self) -> PathPart<'_> {
        PathPart::New(usize::MAX)
    }

    /// The value of the part that has begun with this number.
    fn end_part(&mut self, _part: usize, _value: &[Integer]) {}
}

/// A part of a path: the value of a `let`, or the members of a condition as far as it asks for them.
pub(super) enum PathPart<'a> {
    /// It is the same as on the path before.
    Known(&'a List),
    /// It must be evaluated; it has this number.
    New(usize),
}

/// Why a path has no value.
pub(super) enum NoValue {
    Failure(Failure),
    Limit(LimitReached),
    /// The roll is left out.
    Rejected,
    Steps,
}

impl From<LimitReached> for NoValue {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

fn fail(kind: ErrorKind, span: Span) -> NoValue {
    NoValue::Failure(Failure { span, kind })
}

/// The evaluation of terms along one path.
pub(super) struct Roller<'a, F> {
    arena: &'a Arena,
    pub(super) faces: F,
    pub(super) steps: u64,
    until_look: u64,
    watch: &'a Watch<'a>,
    choices: Option<&'a Evaluator<'a>>,
}

impl<'a, F: Faces> Roller<'a, F> {
    /// An evaluation with at most this many steps.
    pub(super) fn new(
        arena: &'a Arena,
        faces: F,
        steps: u64,
        watch: &'a Watch<'a>,
        choices: Option<&'a Evaluator<'a>>,
    ) -> Self {
        Self {
            arena,
            faces,
            steps,
            until_look: STEPS_PER_LOOK,
            watch,
            choices,
        }
    }

    /// The value of a term on this path; the environment has the innermost variable last.
    pub(super) fn evaluate(
        &mut self,
        id: TermId,
        environment: &mut Vec<List>,
    ) -> Result<List, NoValue> {
        self.spend(1)?;
        if let Some(value) = self.faces.whole(id) {
            return value.cloned();
        }
        stack::level(|| self.evaluate_term(id, environment))
    }

    /// As [`Roller::evaluate`], where a number is asked for. `None` if the value is a list of another length.
    fn operand(
        &mut self,
        id: TermId,
        environment: &mut Vec<List>,
    ) -> Result<Option<Integer>, NoValue> {
        self.spend(1)?;
        if let Some(value) = self.faces.whole(id) {
            return Ok(operate::number(value?).cloned());
        }
        Ok(match self.arena.term(id) {
            Term::Integer(value) => Some(value.clone()),
            Term::Variable(index) => operate::number(variable(*index, environment)).cloned(),
            term if term.is_number() => {
                Some(stack::level(|| self.evaluate_number(id, environment))?)
            }
            _ => {
                let value = stack::level(|| self.evaluate_term(id, environment))?;
                operate::number(&value).cloned()
            }
        })
    }

    fn spend(&mut self, steps: u64) -> Result<(), NoValue> {
        self.steps = self.steps.checked_sub(steps).ok_or(NoValue::Steps)?;
        match self.until_look.checked_sub(steps) {
            Some(left) => self.until_look = left,
            None => self.look(0)?,
        }
        Ok(())
    }

    /// Asks whether to go on.
    fn look(&mut self, bytes: u64) -> Result<(), NoValue> {
        self.until_look = STEPS_PER_LOOK;
        Ok((self.watch)(bytes)?)
    }

    /// Long integers take long: the next look comes sooner.
    fn worked<E>(&mut self, result: Result<&Integer, E>) {
        let bytes = result.map_or(0, Integer::bytes);
        self.until_look = self.until_look.saturating_sub(bytes / 8);
    }

    /// Asks before this many bytes are allocated.
    fn ask(&mut self, bytes: u64) -> Result<(), NoValue> {
        if bytes > STEPS_PER_LOOK {
            self.look(bytes)?;
        }
        Ok(())
    }

    /// Asks before a copy of a list is made: its members may be long.
    fn ask_to_copy(&mut self, list: &List) -> Result<(), NoValue> {
        self.ask(list.iter().map(Integer::bytes).sum())
    }

    /// Asks before members of a list are selected: their order takes room, too.
    fn ask_to_select(&mut self, list: &List) -> Result<(), NoValue> {
        self.ask(size_of_val(&**list) as u64)?;
        self.ask_to_copy(list)
    }

    fn copied(&mut self, list: &List) -> Result<List, NoValue> {
        self.spend(list.len() as u64)?;
        self.ask_to_copy(list)?;
        Ok(list.clone())
    }

    fn append(&mut self, joined: &mut Joined, mut part: List) -> Result<(), NoValue> {
        // The step of the term pays for the first member.
        self.spend(part.len().saturating_sub(1) as u64)?;
        joined.bytes += part.iter().map(Integer::bytes).sum::<u64>();
        if joined.bytes > joined.asked + BYTES_PER_LOOK {
            joined.asked = joined.bytes;
            self.look(joined.bytes)?;
        }
        joined.list.append(&mut part);
        if joined.list.len() > MAX_LIST {
            return Err(LimitReached::List.into());
        }
        Ok(())
    }

    #[expect(clippy::too_many_lines, reason = "one arm a term of the core language")]
    pub(super) fn evaluate_term(
        &mut self,
        id: TermId,
        environment: &mut Vec<List>,
    ) -> Result<List, NoValue> {
        let arena = self.arena;
        match arena.term(id) {
            Term::Variable(index) => self.copied(variable(*index, environment)),
            Term::Reject(_) => Err(NoValue::Rejected),
            Term::Fail(kind, site) => Err(fail(*kind, self.site(*site).whole)),
            Term::Join(parts) => {
                let mut joined = Joined::default();
                for &part in parts {
                    if self.arena.term(part).is_number() {
                        joined.list.extend(self.operand(part, environment)?);
                    } else {
                        let part = self.evaluate(part, environment)?;
                        self.append(&mut joined, part)?;
                    }
                }
                Ok(joined.list)
            }
            Term::Range(a, b, site) => {
                let (a, b) = self.two_numbers(*a, *b, *site, environment)?;
                let length = operate::length_of_range(&a, &b)? as u64;
                self.spend(length)?;
                self.ask(length.saturating_mul(size_of::<Integer>() as u64))?;
                Ok(operate::range(&a, &b)?)
            }
            &Term::Best(_, e, body, choice) => self.best(id, (e, body, choice), environment),
            Term::Arithmetic(..)
            | Term::Compare(..)
            | Term::Die(..)
            | Term::Fold(..)
            | Term::Integer(_)
            | Term::Negate(..)
            | Term::Pick(_)
            | Term::Play(..) => Ok(vec![self.evaluate_number(id, environment)?]),
            Term::Select(selection, n, e, site) => {
                let (n, list) = (
                    self.operand(*n, environment)?,
                    self.evaluate(*e, environment)?,
                );
                let site = self.site(*site);
                self.ask_to_select(&list)?;
                operate::select(*selection, &number(n, site, 0)?, &list)
                    .map_err(|kind| fail(kind, site.whole))
            }
            Term::Filter(comparison, a, e, site) => {
                let a = self.operand(*a, environment)?;
                if let Term::Variable(index) = self.arena.term(*e) {
                    let list = variable(*index, environment);
                    self.spend(1 + list.len() as u64)?;
                    self.ask_to_copy(list)?;
                    let number = number(a, self.site(*site), 0)?;
                    return Ok(operate::filter(*comparison, &number, list));
                }
                let list = self.evaluate(*e, environment)?;
                self.ask_to_copy(&list)?;
                let number = number(a, self.site(*site), 0)?;
                Ok(operate::filter(*comparison, &number, &list))
            }
            Term::Difference(e, f, site) => {
                let (list, removed) = (
                    self.evaluate(*e, environment)?,
                    self.evaluate(*f, environment)?,
                );
                self.ask_to_select(&list)?;
                self.ask_to_select(&removed)?;
                operate::difference(&list, &removed)
                    .map_err(|kind| fail(kind, self.site(*site).whole))
            }
            Term::Without(e, f) => {
                let (list, removed) = (
                    self.evaluate(*e, environment)?,
                    self.evaluate(*f, environment)?,
                );
                self.ask_to_select(&list)?;
                self.ask_to_select(&removed)?;
                Ok(operate::without(&list, &removed))
            }
            Term::Arrange(arrangement, e) => {
                let mut list = self.evaluate(*e, environment)?;
                match arrangement {
                    Arrangement::Distinct => list = operate::distinct(&list),
                    Arrangement::Reverse => list.reverse(),
                    Arrangement::Shuffle => self.shuffle(&mut list)?,
                    Arrangement::Sort => list.sort(),
                }
                Ok(list)
            }
            Term::Repeat(n, e, site) => {
                let n = self.operand(*n, environment)?;
                let site = self.site(*site);
                let n =
                    operate::count(&number(n, site, 0)?).map_err(|kind| fail(kind, site.whole))?;
                let mut joined = Joined::default();
                for _ in 0..n {
                    let part = self.evaluate(*e, environment)?;
                    self.append(&mut joined, part)?;
                }
                Ok(joined.list)
            }
            Term::If(c, e, f) => {
                let holds = self.holds(*c, environment)?;
                self.evaluate(if holds { *e } else { *f }, environment)
            }
            Term::Let(e, f) => {
                let value = self.part(*e, environment)?;
                self.evaluate_with(*f, value, environment)
            }
            Term::Foreach(e, f) => {
                let mut joined = Joined::default();
                for member in self.evaluate(*e, environment)? {
                    let part = self.evaluate_with(*f, vec![member], environment)?;
                    self.append(&mut joined, part)?;
                }
                Ok(joined.list)
            }
            Term::While(e, f) => {
                let mut last = self.evaluate(*e, environment)?;
                let mut joined = Joined::default();
                while !last.is_empty() {
                    let copy = self.copied(&last)?;
                    self.append(&mut joined, copy)?;
                    last = self.evaluate_with(*f, last, environment)?;
                }
                Ok(joined.list)
            }
        }
    }

    /// Whether a condition holds.
    fn holds(&mut self, condition: TermId, environment: &mut Vec<List>) -> Result<bool, NoValue> {
        Ok(match self.faces.begin_part() {
            PathPart::Known(value) => !value.is_empty(),
            PathPart::New(part) => {
                let value = self.evaluate(condition, environment)?;
                self.faces.end_part(part, &value[..value.len().min(1)]);
                !value.is_empty()
            }
        })
    }

    /// The value that a `let` gives a name.
    fn part(&mut self, id: TermId, environment: &mut Vec<List>) -> Result<List, NoValue> {
        Ok(match self.faces.begin_part() {
            PathPart::Known(value) => value.clone(),
            PathPart::New(part) => {
                let value = self.evaluate(id, environment)?;
                self.faces.end_part(part, &value);
                value
            }
        })
    }

    /// The term whose value an `if` or a `let` has on this path, with the environment for it. `None` for other terms.
    pub(super) fn branch(
        &mut self,
        id: TermId,
        environment: &mut Vec<List>,
    ) -> Result<Option<TermId>, NoValue> {
        self.spend(1)?;
        match self.arena.term(id) {
            Term::If(c, e, f) => {
                let holds = self.holds(*c, environment)?;
                Ok(Some(if holds { *e } else { *f }))
            }
            Term::Let(e, f) => {
                let value = self.part(*e, environment)?;
                environment.push(value);
                Ok(Some(*f))
            }
            _ => Ok(None),
        }
    }

    /// The value of a term that is always a number.
    fn evaluate_number(
        &mut self,
        id: TermId,
        environment: &mut Vec<List>,
    ) -> Result<Integer, NoValue> {
        match self.arena.term(id) {
            Term::Negate(a, site) => {
                let a = self.operand(*a, environment)?;
                let site = self.site(*site);
                let value = number(a, site, 0)?.neg();
                value.map_err(|_| fail(ErrorKind::Overflow, site.whole))
            }
            Term::Arithmetic(operator, a, b, site) => {
                let (a, b) = self.two_numbers(*a, *b, *site, environment)?;
                let value = operate::arithmetic(*operator, &a, &b);
                self.worked(value.as_ref());
                value.map_err(|kind| fail(kind, self.site(*site).whole))
            }
            Term::Fold(folding, e, site) => {
                let list = self.evaluate(*e, environment)?;
                let site = self.site(*site);
                let value = operate::fold(*folding, &list);
                self.worked(value.as_ref());
                value.map_err(|kind| match kind {
                    ErrorKind::Type => fail(kind, site.operands[0]),
                    _ => fail(kind, site.whole),
                })
            }
            Term::Die(n, site) => {
                let sides = self.operand(*n, environment)?;
                let site = self.site(*site);
                let sides = number(sides, site, 0)?;
                if sides < Integer::ONE {
                    return Err(fail(ErrorKind::BadDie, site.whole));
                }
                self.faces.face(&sides)
            }
            Term::Compare(e, f) => {
                let (a, b) = (
                    self.evaluate(*e, environment)?,
                    self.evaluate(*f, environment)?,
                );
                self.ask_to_select(&a)?;
                self.ask_to_select(&b)?;
                Ok(operate::compare(&a, &b))
            }
            Term::Pick(faces) => self.pick(faces.weighted()),
            Term::Play(..) => self.play(id, environment),
            Term::Integer(value) => Ok(value.clone()),
            _ => unreachable!("the callers ask for numbers alone"),
        }
    }

    /// A choice: all candidates are weighed, and the best one goes on along this path.
    fn best(
        &mut self,
        id: TermId,
        (e, body, choice): (TermId, TermId, ChoiceId),
        environment: &mut Vec<List>,
    ) -> Result<List, NoValue> {
        let list = self.evaluate(e, environment)?;
        let choices = self.choices.ok_or(LimitReached::Mean)?;
        let chosen = choices.decide(id, list, environment)?;
        environment.push(chosen.map_err(NoValue::Failure)?.candidate);
        let value = self.evaluate(body, environment);
        environment.pop();
        let value = value?;
        let choice = self.arena.choice_of(choice);
        match choice.aimed_at(&value) {
            Some(_) => Ok(value),
            None => Err(fail(ErrorKind::Type, choice.site.operands[1])),
        }
    }

    /// What the best play of a loop is worth, drawn from its distribution.
    fn play(&mut self, id: TermId, environment: &mut Vec<List>) -> Result<Integer, NoValue> {
        let choices = self.choices.ok_or(LimitReached::Mean)?;
        let worth = choices.evaluate(id, environment)?;
        let listed = worth.values.iter().zip(0..);
        let listed = listed.map(|((_, weight), place): (_, i64)| (place.into(), weight));
        let mut faces: Vec<(Integer, &Weight)> = listed.collect();
        let rest = &worth.total - worth.values.values().sum::<Weight>();
        faces.push((Integer::from(faces.len()), &rest));
        let faces = faces
            .into_iter()
            .filter(|(_, weight)| **weight != Weight::ZERO);
        let faces = faces.map(|(place, weight)| {
            let weight = Integer::from_big(weight.clone().into());
            Ok((place, weight.map_err(|_| LimitReached::List)?))
        });
        let faces = faces.collect::<Result<Vec<_>, LimitReached>>()?;
        let place = self.pick(&faces)?.to_usize();
        let value = place.and_then(|place| worth.values.keys().nth(place));
        let value = value.and_then(|list| list.first());
        Ok(value.cloned().ok_or(LimitReached::Play)?)
    }

    fn evaluate_with(
        &mut self,
        body: TermId,
        value: List,
        environment: &mut Vec<List>,
    ) -> Result<List, NoValue> {
        environment.push(value);
        let result = self.evaluate(body, environment);
        environment.pop();
        result
    }

    fn site(&self, id: SiteId) -> Site {
        *self.arena.site_of(id)
    }

    fn two_numbers(
        &mut self,
        a: TermId,
        b: TermId,
        site: SiteId,
        environment: &mut Vec<List>,
    ) -> Result<(Integer, Integer), NoValue> {
        let (a, b) = (self.operand(a, environment)?, self.operand(b, environment)?);
        let site = self.site(site);
        Ok((number(a, site, 0)?, number(b, site, 1)?))
    }

    /// One of some faces with weights. Weights that are too large for one number are as unlikely as any other.
    fn pick(&mut self, faces: &[(Integer, Integer)]) -> Result<Integer, NoValue> {
        let overlong = |_| LimitReached::List;
        let mut total = Integer::ZERO;
        for (_, weight) in faces {
            total = total.add(weight).map_err(overlong)?;
        }
        let mut place = self.faces.face(&total)?;
        for (face, weight) in faces {
            if place <= *weight {
                return Ok(face.clone());
            }
            place = place.sub(weight).map_err(overlong)?;
        }
        Err(LimitReached::List.into())
    }

    /// The shuffle of Fisher and Yates: each place, the last one first, is exchanged with a random place that is not
    /// behind it.
    fn shuffle(&mut self, list: &mut List) -> Result<(), NoValue> {
        for last in (1..list.len()).rev() {
            list.swap(last, self.faces.place(last)?);
        }
        Ok(())
    }
}

/// The value of a variable, counted from the innermost.
fn variable(index: u32, environment: &[List]) -> &List {
    &environment[environment.len() - 1 - index as usize]
}

/// The operand, which must be a number.
fn number(value: Option<Integer>, site: Site, operand: usize) -> Result<Integer, NoValue> {
    value.ok_or_else(|| fail(ErrorKind::Type, site.operands[operand]))
}
