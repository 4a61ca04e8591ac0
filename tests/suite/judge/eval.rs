//! The judge: the law of a text of Bones from the language page, in fractions.
//!
//! Each part is evaluated strictly and from left to right, for all values of what was evaluated before it. A consumer tells its
//! operand what it asks for, so that a loop under `sum` carries its sum and not its list.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use dicedist::number::Fraction;
use num_traits::{One, Zero};

use super::expand::expanded;
use super::kinds::{Kind as Known, Scope};
use super::law::{Ask, Failure, Kind, Law, Member, TooLong, Value, condition, holds, number};
use super::tree::{Arm, Definition, FUNCTIONS, Form, Program, Tree, Word};

/// The most work for one rule, in additions of fractions or so.
const WORK: usize = 80_000;

pub(super) type Judged<T> = Result<T, TooLong>;

/// A place in the text, the values of the names it uses, and what is asked for.
type Key = (usize, Vec<(Value, Known)>, Ask);

#[derive(Clone, Debug)]
struct Bound {
    name: Word,
    value: Value,
    known: Known,
}

pub(super) struct Judge<'p> {
    program: &'p Program,
    settings: Vec<(Word, i128)>,
    /// How many of the definitions can be seen.
    seen: usize,
    bound: Vec<Bound>,
    laws: HashMap<Key, Rc<Law>>,
    /// What forms stand for, by their places.
    expanded: HashMap<usize, Rc<Tree>>,
    names: HashMap<usize, Rc<[Word]>>,
    pub(super) work: usize,
    depth: usize,
}

/// The law of a rule, its lists as multisets or in order.
pub(super) fn judge(program: &Program, settings: &[(Word, i128)], in_order: bool) -> Judged<Law> {
    let mut judge = Judge::new(program, settings);
    let rule = &program.rule;
    let law = match judge.known(rule) {
        Known::Condition => judge.number(rule)?,
        _ => judge.law(rule, &Kind::whole(in_order))?,
    };
    assert_eq!(
        law.total(),
        Fraction::one(),
        "the judge loses some of {rule}"
    );
    Ok((*law).clone())
}

/// What is known of the value of a rule before it is evaluated.
pub(super) fn known(program: &Program) -> Known {
    Judge::new(program, &[]).known(&program.rule)
}

/// The mean and the variance of a sum or a count of a loop's values, from linear equations. `None` for other rules.
pub(super) fn mean_and_variance(program: &Program) -> Option<[Fraction; 2]> {
    let [mean, square] = Judge::new(program, &[]).moments(&program.rule).ok()??;
    let variance = square - &mean * &mean;
    Some([mean, variance])
}

fn one_number(value: &Value) -> Option<i128> {
    match value.as_slice() {
        [Member::Number(number)] => Some(*number),
        _ => None,
    }
}

impl<'p> Judge<'p> {
    fn new(program: &'p Program, settings: &[(Word, i128)]) -> Self {
        Self {
            program,
            settings: settings.to_vec(),
            seen: program.definitions.len(),
            bound: Vec::new(),
            laws: HashMap::new(),
            expanded: HashMap::new(),
            names: HashMap::new(),
            work: 0,
            depth: 0,
        }
    }

    pub(super) fn works(&mut self, work: usize) -> Judged<()> {
        self.work += work;
        if self.work > WORK {
            Err(TooLong)
        } else {
            Ok(())
        }
    }

    pub(super) fn definition(&self, name: &Word) -> Option<(usize, &'p Definition)> {
        let seen = self.program.definitions[..self.seen].iter().enumerate();
        seen.rev().find(|(_, definition)| definition.name == *name)
    }

    fn known(&self, tree: &Tree) -> Known {
        self.kind_in(tree, &self.scope(), 0)
    }

    pub(super) fn scope(&self) -> Scope {
        let bound = self.bound.iter();
        bound
            .map(|bound| (bound.name.clone(), bound.known.clone()))
            .collect()
    }

    fn variable(&self, name: &Word) -> Option<(Value, Known)> {
        let mut bound = self.bound.iter().rev();
        let found = bound.find(|bound| bound.name == *name);
        found.map(|bound| (bound.value.clone(), bound.known.clone()))
    }

    pub(super) fn law(&mut self, tree: &Tree, ask: &Ask) -> Judged<Rc<Law>> {
        let place = std::ptr::from_ref(tree).addr();
        let names = self
            .names
            .entry(place)
            .or_insert_with(|| tree.free().into())
            .clone();
        let values = names
            .iter()
            .filter_map(|name| self.variable(name))
            .collect();
        let key = (place, values, ask.clone());
        if let Some(law) = self.laws.get(&key) {
            return Ok(law.clone());
        }
        let law = Rc::new(self.fresh_law(tree, ask)?);
        self.works(1 + law.values.len())?;
        self.laws.insert(key, law.clone());
        Ok(law)
    }

    /// The law of a list as a whole.
    fn list(&mut self, tree: &Tree) -> Judged<Rc<Law>> {
        self.law(tree, &Kind::List.all())
    }

    /// The law of what should be one number, or one label: a condition counts as 1 or 0.
    fn number(&mut self, tree: &Tree) -> Judged<Rc<Law>> {
        let law = self.law(tree, &Kind::Multiset.all())?;
        match self.known(tree) {
            Known::Condition => {
                Ok(Rc::new(self.map(&law, |value| {
                    Ok(number(i128::from(!value.is_empty())))
                })?))
            }
            _ => Ok(law),
        }
    }

    pub(super) fn within<T>(
        &mut self,
        names: &[(&Word, Value, Known)],
        evaluate: impl FnOnce(&mut Self) -> Judged<T>,
    ) -> Judged<T> {
        let before = self.bound.len();
        let bound = names.iter().cloned();
        self.bound.extend(bound.map(|(name, value, known)| Bound {
            name: name.clone(),
            value,
            known,
        }));
        let found = evaluate(self);
        self.bound.truncate(before);
        found
    }

    pub(super) fn add(&mut self, result: &mut Law, law: &Law, share: &Fraction) -> Judged<()> {
        let length = |part: &Fraction| usize::try_from(part.denom().bits() / 64).expect("short");
        self.works((1 + length(share) + length(&result.open)) * (law.values.len() + 1))?;
        result.add(law, share);
        Ok(())
    }

    /// First one thing, then for each of its values another.
    pub(super) fn then(
        &mut self,
        first: &Law,
        mut next: impl FnMut(&mut Self, &Value) -> Judged<Rc<Law>>,
    ) -> Judged<Law> {
        let mut result = first.without_values();
        for (value, share) in &first.values {
            let law = next(self, value)?;
            self.add(&mut result, &law, share)?;
        }
        Ok(result)
    }

    fn map(&mut self, law: &Law, mut change: impl FnMut(&Value) -> Judged<Value>) -> Judged<Law> {
        self.then(law, |_, value| Ok(Rc::new(Law::certain(change(value)?))))
    }

    /// The values so far, and that of one part more.
    pub(super) fn with_state(&mut self, all: &Law, part: &Tree) -> Judged<Law> {
        let one = self.list(part)?;
        let one = self.map(&one, |value| Ok(vec![Member::States(vec![value.clone()])]))?;
        self.joined(all, &one, Kind::List)
    }

    /// As [`Self::then`], but each value gives a value or fails.
    fn or_fail(
        &mut self,
        law: &Law,
        ask: &Ask,
        change: impl Fn(&Value) -> Judged<Result<Value, Failure>>,
    ) -> Judged<Law> {
        self.then(law, |_, value| {
            Ok(Rc::new(match change(value)? {
                Ok(value) => Law::certain(ask.of(value)?),
                Err(failure) => Law::error(failure),
            }))
        })
    }

    /// Two parts, one after the other, and what comes of their values.
    fn both(
        &mut self,
        a: &Law,
        b: &Law,
        ask: &Ask,
        combine: impl Fn(&Value, &Value) -> Judged<Result<Value, Failure>>,
    ) -> Judged<Law> {
        self.then(a, |judge, a| {
            let law = judge.or_fail(b, ask, |b| combine(a, b))?;
            Ok(Rc::new(law))
        })
    }

    /// One list after the other.
    fn joined(&mut self, a: &Law, b: &Law, kind: Kind) -> Judged<Law> {
        self.then(a, |judge, a| {
            let law = judge.map(b, |b| kind.merged(a, b))?;
            Ok(Rc::new(law))
        })
    }

    /// What was evaluated before a part that may end with `given`: what never ends is left out.
    pub(super) fn before(&self, law: &Rc<Law>, rest: &[&Tree]) -> Rc<Law> {
        if law.never.is_zero() || !rest.iter().any(|tree| self.has_given(tree)) {
            return law.clone();
        }
        let mut law = (**law).clone();
        law.left_out += std::mem::take(&mut law.never);
        Rc::new(law)
    }

    pub(super) fn has_given(&self, tree: &Tree) -> bool {
        let bound: Vec<Word> = self.bound.iter().map(|bound| bound.name.clone()).collect();
        self.ends_with_given(tree, self.seen, &bound)
    }

    /// Whether a part may end with `given`, where so many definitions can be seen and these names are bound.
    fn ends_with_given(&self, tree: &Tree, seen: usize, bound: &[Word]) -> bool {
        let ends = |place: usize| {
            let bound = [bound, &tree.bound_in(place)].concat();
            self.ends_with_given(&tree.parts[place], seen, &bound)
        };
        match &tree.form {
            Form::Given => true,
            Form::Let(_) => ends(1),
            Form::If | Form::Case(..) => (1..tree.parts.len()).any(ends),
            Form::Repeat { has_then: true, .. } => ends(tree.parts.len() - 1),
            Form::Name(name) if bound.contains(name) => false,
            Form::Name(name) | Form::Call(name) => {
                let mut seen = self.program.definitions[..seen].iter().enumerate();
                // A definition that uses itself has no `given` but those of its body.
                seen.rfind(|(_, found)| found.name == *name)
                    .is_some_and(|(place, found)| {
                        let bound: Vec<Word> = found.parameters.iter().flatten().cloned().collect();
                        self.ends_with_given(&found.body, place, &bound)
                    })
            }
            _ => false,
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each form")]
    fn fresh_law(&mut self, tree: &Tree, ask: &Ask) -> Judged<Law> {
        let place = std::ptr::from_ref(tree).addr();
        if let Some(long) = self
            .expanded
            .get(&place)
            .cloned()
            .or_else(|| expanded(tree).map(Rc::new))
        {
            // Laws are known by the places of their trees.
            self.expanded.insert(place, long.clone());
            return Ok((*self.law(&long, ask)?).clone());
        }
        let parts = &tree.parts;
        match &tree.form {
            Form::Number(value) => Ok(Law::certain(ask.of(number(*value))?)),
            Form::Label(text) => Ok(Law::certain(ask.of(vec![Member::Label(text.clone())])?)),
            Form::Again(..) | Form::Cases(_) | Form::Select(_) => {
                unreachable!("it stands for others")
            }
            Form::Name(name) => match self.variable(name) {
                Some((value, _)) => Ok(Law::certain(ask.of(value)?)),
                None => self.call(name, tree, ask),
            },
            Form::Join => {
                let mut all = Law::certain(ask.of(Value::new())?);
                for part in parts {
                    let one = self.law(part, ask)?;
                    all = self.joined(&all, &one, ask.kind)?;
                }
                Ok(all)
            }
            Form::Values => {
                let mut all = Law::certain(Value::new());
                for part in parts {
                    all = self.with_state(&all, part)?;
                }
                self.map(&all, |states| Ok(vec![Member::States(flat(states))]))
            }
            Form::Prefix(word) => self.prefix(word, &parts[0], ask),
            Form::Infix("#") => {
                let n = self.number(&parts[0])?;
                self.then(&n, |judge, n| {
                    let Some(n) = one_number(n) else {
                        return Ok(Rc::new(Law::error("type")));
                    };
                    if n < 0 {
                        return Ok(Rc::new(Law::error("negative_count")));
                    }
                    let mut all = Law::certain(ask.of(Value::new())?);
                    for _ in 0..n {
                        let one = judge.law(&parts[1], ask)?;
                        all = judge.joined(&all, &one, ask.kind)?;
                    }
                    Ok(Rc::new(all))
                })
            }
            Form::Infix(word @ ("and" | "or")) => {
                let left = self.law(&parts[0], &Kind::Any.all())?;
                self.then(&left, |judge, left| {
                    if left.is_empty() == (*word == "and") {
                        return Ok(Rc::new(Law::certain(ask.of(left.clone())?)));
                    }
                    let right = judge.law(&parts[1], &Kind::Any.all())?;
                    judge
                        .map(&right, |right| ask.of(right.clone()))
                        .map(Rc::new)
                })
            }
            Form::Infix(word) => {
                let (a, b) = (self.number(&parts[0])?, self.number(&parts[1])?);
                let zeros = self.known(tree);
                self.both(&a, &b, ask, |a, b| operate(word, a, b, zeros.parts()))
            }
            Form::Take(word, drops) => self.take(word, *drops, &parts[0], &parts[1], ask),
            Form::Call(name) => match &**name {
                "abs" => {
                    let law = self.number(&parts[0])?;
                    self.or_fail(&law, ask, |value| {
                        Ok(match one_number(value) {
                            Some(value) => Ok(number(value.checked_abs().ok_or(TooLong)?)),
                            None => Err("type"),
                        })
                    })
                }
                "max" | "min" => {
                    let mut all = Law::certain(Value::new());
                    for part in parts {
                        let one = self.number(part)?;
                        all = self.joined(&all, &one, Kind::Multiset)?;
                    }
                    let is_max = &**name == "max";
                    self.or_fail(&all, ask, |value| {
                        let numbers = value.iter().all(|one| matches!(one, Member::Number(_)));
                        let best = if is_max { value.last() } else { value.first() };
                        Ok(match best {
                            None => Err("domain"),
                            Some(_) if !numbers => Err("type"),
                            Some(best) => Ok(vec![best.clone()]),
                        })
                    })
                }
                _ => self.call(name, tree, ask),
            },
            Form::Die => {
                let sides = self.number(&parts[0])?;
                self.then(&sides, |_, sides| {
                    Ok(Rc::new(match one_number(sides) {
                        Some(1_001..) => return Err(TooLong),
                        Some(sides @ 1..) => {
                            let faces = (1..=sides).map(|face| ask.of(number(face)));
                            Law::uniform(faces.collect::<Judged<_>>()?)
                        }
                        Some(_) => Law::error("bad_die"),
                        None => Law::error("type"),
                    }))
                })
            }
            Form::Faces { is_drawn, weighted } => self.faces(*is_drawn, weighted, parts, ask),
            Form::Let(name) => {
                let has_order = !ignores_order(&parts[1], name, !ask.kind.has_order());
                let law = self.law(&parts[0], &Kind::whole(has_order))?;
                let (law, known) = (self.before(&law, &[&parts[1]]), self.known(&parts[0]));
                self.then(&law, |judge, value| {
                    let bound = [(name, value.clone(), known.clone())];
                    judge.within(&bound, |judge| judge.law(&parts[1], ask))
                })
            }
            Form::Foreach(name) => {
                let list = self.law(&parts[0], &Kind::whole(ask.kind.has_order()))?;
                self.then(&list, |judge, list| {
                    let mut all = Law::certain(ask.of(Value::new())?);
                    for member in list {
                        let one = judge.with_member(name, member, &parts[1], ask)?;
                        all = judge.joined(&all, &one, ask.kind)?;
                    }
                    Ok(Rc::new(all))
                })
            }
            Form::If => {
                let asked = self.law(&parts[0], &Kind::Any.all())?;
                let asked = self.before(&asked, &[&parts[1], &parts[2]]);
                let known = self.known_value(tree);
                self.then(&asked, |judge, any| {
                    let branch = &parts[if any.is_empty() { 2 } else { 1 }];
                    judge.branch(branch, known.as_ref(), ask)
                })
            }
            Form::Case(arms, has_else) => {
                let subject = self.number(&parts[0])?;
                let bodies: Vec<&Tree> = parts[1..].iter().collect();
                let subject = self.before(&subject, &bodies);
                let known = self.known_value(tree);
                self.then(&subject, |judge, subject| {
                    let [subject @ (Member::Number(_) | Member::Label(_))] = subject.as_slice()
                    else {
                        return Ok(Rc::new(Law::error("type")));
                    };
                    let mut fits = None;
                    for (arms, body) in arms.iter().zip(&parts[1..]) {
                        for arm in arms {
                            if fits.is_none() && judge.fits(arm, subject)? {
                                fits = Some(body);
                            }
                        }
                    }
                    match fits.or(parts.last().filter(|_| *has_else)) {
                        Some(body) => judge.branch(body, known.as_ref(), ask),
                        None => Ok(Rc::new(Law::error("domain"))),
                    }
                })
            }
            Form::Record(names) => {
                let mut all = Law::certain(Value::new());
                for part in parts {
                    let one = self.number(part)?;
                    let one = self.or_fail(&one, &Kind::List.all(), |value| {
                        let is_one =
                            matches!(value.as_slice(), [Member::Number(_) | Member::Label(_)]);
                        Ok(if is_one {
                            Ok(value.clone())
                        } else {
                            Err("type")
                        })
                    })?;
                    all = self.joined(&all, &one, Kind::List)?;
                }
                self.map(&all, |parts| {
                    ask.of(vec![Member::Record(names.clone(), parts.clone())])
                })
            }
            Form::Of(name) => {
                let list = self.law(&parts[0], &Kind::whole(ask.kind.has_order()))?;
                self.or_fail(&list, ask, |list| {
                    Ok(list.iter().map(|member| part_of(member, name)).collect())
                })
            }
            Form::Given => {
                let asked = self.law(&parts[1], &Kind::Any.all())?;
                let asked = self.before(&asked, &[tree]);
                self.then(&asked, |judge, any| match any.is_empty() {
                    true => Ok(Rc::new(Law::left_out())),
                    false => judge.law(&parts[0], ask),
                })
            }
            Form::While(name) => self.while_loop(name, &parts[0], &parts[1], ask),
            Form::Repeat {
                names,
                how,
                has_then,
            } => self.repeat(tree, names, how, *has_then, ask),
            Form::Reroll(name) => {
                let (first, known) = (self.list(&parts[0])?, self.known(&parts[0]));
                self.chain(&first, usize::MAX, None, |judge, value| {
                    let bound = [(name, value.clone(), known.clone())];
                    let until =
                        judge.within(&bound, |judge| judge.law(&parts[1], &Kind::Any.all()))?;
                    let end = Law::certain(ask.of(value.clone())?);
                    judge.step(&until, false, |_| Ok(first.clone()), &end)
                })
            }
            Form::Best(name, is_part, by) => {
                self.best(name, *is_part, by.as_ref(), &parts[0], &parts[1], ask)
            }
        }
    }

    /// The kind of a value with branches; `None` for the values of states.
    fn known_value(&self, tree: &Tree) -> Option<Known> {
        (!tree.gives_states()).then(|| self.known(tree))
    }

    /// A branch, which counts as 1 or 0 where it is a condition and another branch is a number.
    fn branch(&mut self, branch: &Tree, known: Option<&Known>, ask: &Ask) -> Judged<Rc<Law>> {
        if known == Some(&Known::One) && self.known(branch) == Known::Condition {
            let law = self.law(branch, &Kind::Any.all())?;
            let count = |value: &Value| ask.of(number(i128::from(!value.is_empty())));
            return self.map(&law, count).map(Rc::new);
        }
        self.law(branch, ask)
    }

    fn with_member(
        &mut self,
        name: &Word,
        member: &Member,
        tree: &Tree,
        ask: &Ask,
    ) -> Judged<Rc<Law>> {
        let known = match member {
            Member::Record(names, _) => Known::Record(names.clone()),
            _ => Known::One,
        };
        self.within(&[(name, vec![member.clone()], known)], |judge| {
            judge.law(tree, ask)
        })
    }

    fn fits(&mut self, arm: &Arm, subject: &Member) -> Judged<bool> {
        let mut end = |end: &Tree| -> Judged<Member> {
            let law = self.number(end)?;
            let value = law.values.keys().next().ok_or(TooLong)?;
            Ok(value[0].clone())
        };
        Ok(match arm {
            Arm::Is(value) => end(value)? == *subject,
            Arm::Between(low, high) => {
                let low = low.as_ref().map(&mut end).transpose()?;
                let high = high.as_ref().map(&mut end).transpose()?;
                let is_number = matches!(subject, Member::Number(_));
                is_number
                    && low.is_none_or(|low| low <= *subject)
                    && high.is_none_or(|high| *subject <= high)
            }
        })
    }

    fn call(&mut self, name: &Word, tree: &Tree, ask: &Ask) -> Judged<Law> {
        let Some((place, definition)) = self.definition(name) else {
            let setting = self.settings.iter().find(|(other, _)| other == name);
            let (_, value) = setting.ok_or(TooLong)?;
            return Ok(Law::certain(ask.of(number(*value))?));
        };
        self.depth += 1;
        if self.depth > 60 {
            return Err(TooLong);
        }
        let mut all = Law::certain(Value::new());
        let mut known = Vec::new();
        for argument in &tree.parts {
            known.push(self.known(argument));
            all = self.with_state(&all, argument)?;
        }
        let all = self.before(&Rc::new(all), &[tree]);
        let law = self.then(&all, |judge, arguments| {
            let names = definition.parameters.iter().flatten();
            let values = flat(arguments).into_iter().zip(known.iter().cloned());
            let bound = names.zip(values).map(|(name, (value, known))| Bound {
                name: name.clone(),
                value,
                known,
            });
            let bound = bound.collect();
            let (outside, seen) = (std::mem::replace(&mut judge.bound, bound), judge.seen);
            judge.seen = place + 1;
            let law = judge.law(&definition.body, ask);
            (judge.bound, judge.seen) = (outside, seen);
            law
        });
        self.depth -= 1;
        law
    }

    fn prefix(&mut self, word: &str, operand: &Tree, ask: &Ask) -> Judged<Law> {
        let fold = match word {
            "sum" => Kind::Sum,
            "prod" => Kind::Product,
            "count" => Kind::Count,
            _ => return self.reordered(word, operand, ask),
        };
        if let Some(names) = self
            .known(operand)
            .parts()
            .filter(|_| fold == Kind::Sum)
            .cloned()
        {
            let law = self.law(operand, &Kind::Multiset.all())?;
            return self.or_fail(&law, ask, |list| {
                let zero = zeros(&names);
                let sum = list.iter().try_fold(vec![zero], |sum, one| {
                    operate("+", &sum, &vec![one.clone()], Some(&names))
                        .map_err(|_| "overflow")
                        .and_then(|sum| sum)
                });
                Ok(sum)
            });
        }
        let law = self.law(operand, &fold.all())?;
        self.or_fail(&law, ask, |value| {
            Ok(match value.as_slice() {
                [Member::Number(_)] => Ok(value.clone()),
                _ => Err("type"),
            })
        })
    }

    fn reordered(&mut self, word: &str, operand: &Tree, ask: &Ask) -> Judged<Law> {
        match word {
            "-" => {
                let law = self.number(operand)?;
                self.or_fail(&law, ask, |value| {
                    Ok(match one_number(value) {
                        Some(value) => Ok(number(value.checked_neg().ok_or(TooLong)?)),
                        None => Err("type"),
                    })
                })
            }
            "not" => {
                let law = self.law(operand, &Kind::Any.all())?;
                self.map(&law, |value| ask.of(condition(value.is_empty())))
            }
            "rev" => {
                let law = self.law(operand, &Kind::whole(ask.kind.has_order()))?;
                self.map(&law, |value| ask.of(value.iter().rev().cloned().collect()))
            }
            "distinct" => {
                let law = self.law(operand, &Kind::whole(ask.kind.has_order()))?;
                self.map(&law, |value| {
                    let mut seen = BTreeSet::new();
                    ask.of(value
                        .iter()
                        .filter(|member| seen.insert(*member))
                        .cloned()
                        .collect())
                })
            }
            "sets" | "straight" => {
                let law = self.law(operand, &Kind::Multiset.all())?;
                self.or_fail(&law, ask, |value| {
                    if word == "sets" {
                        let groups = value.chunk_by(|a, b| a == b);
                        let mut sizes: Vec<i128> =
                            groups.map(|group| group.len() as i128).collect();
                        sizes.sort_by_key(|size| -size);
                        return Ok(Ok(sizes.into_iter().map(Member::Number).collect()));
                    }
                    let numbers: Option<Vec<i128>> = value
                        .iter()
                        .map(|member| one_number(&vec![member.clone()]))
                        .collect();
                    Ok(match numbers {
                        None => Err("type"),
                        Some(mut numbers) => {
                            numbers.dedup();
                            let rows = numbers.chunk_by(|a, b| a + 1 == *b);
                            let longest = rows.map(<[i128]>::len).max();
                            Ok(number(longest.unwrap_or(0) as i128))
                        }
                    })
                })
            }
            "sort" => {
                let law = self.law(operand, &Kind::Multiset.all())?;
                self.or_fail(&law, ask, |value| {
                    Ok(if has_label(value) {
                        Err("type")
                    } else {
                        Ok(value.clone())
                    })
                })
            }
            _ => {
                let law = self.law(operand, &Kind::Multiset.all())?;
                self.then(&law, |judge, value| {
                    if !ask.kind.has_order() {
                        return Ok(Rc::new(Law::certain(ask.of(value.clone())?)));
                    }
                    let mut orders = vec![(Value::new(), value.clone())];
                    for _ in value {
                        judge.works(orders.len() * value.len())?;
                        let longer = orders.iter().flat_map(|(order, left)| {
                            (0..left.len()).map(|place| {
                                let (mut order, mut left) = (order.clone(), left.clone());
                                order.push(left.remove(place));
                                (order, left)
                            })
                        });
                        orders = longer.collect();
                    }
                    let orders = orders.into_iter().map(|(order, _)| ask.of(order));
                    Ok(Rc::new(Law::uniform(orders.collect::<Judged<_>>()?)))
                })
            }
        }
    }

    fn take(
        &mut self,
        word: &'static str,
        drops: bool,
        n: &Tree,
        list: &Tree,
        ask: &Ask,
    ) -> Judged<Law> {
        let first = match word {
            "without" | "compare" => self.law(n, &Kind::Multiset.all())?,
            _ => self.number(n)?,
        };
        let has_order = ask.kind.has_order();
        self.then(&first, |judge, n| {
            let count = one_number(n).map(|n| usize::try_from(n).map_err(|_| "negative_count"));
            let count = count.unwrap_or(Err("type"));
            let kind = match word {
                "at" | "rank" if one_number(n).is_none() => return Ok(Rc::new(Law::error("type"))),
                "rank" | "compare" | "draw" => Kind::Multiset,
                "first" if !drops => count.map_or(Kind::Any, Kind::First),
                "last" if !drops => count.map_or(Kind::Any, Kind::Last),
                "at" | "first" | "last" => Kind::List,
                "high" if !has_order && !drops => count.map_or(Kind::Any, Kind::High),
                "low" if !has_order && !drops => count.map_or(Kind::Any, Kind::Low),
                "high" | "low" | "without" => {
                    if has_order {
                        Kind::List
                    } else {
                        Kind::Multiset
                    }
                }
                comparison if !drops && ["==", "!="].contains(&comparison) && n.len() == 1 => {
                    return judge.law(list, &ask.filtered(comparison, n[0].clone()));
                }
                _ => {
                    if has_order {
                        Kind::List
                    } else {
                        Kind::Multiset
                    }
                }
            };
            let list = judge.law(list, &kind.all())?;
            if word == "draw" {
                return Ok(Rc::new(judge.drawn_from(count, &list, ask)?));
            }
            let law =
                judge.or_fail(&list, ask, |list| Ok(selected(word, drops, n, count, list)))?;
            Ok(Rc::new(law))
        })
    }

    /// The members and weights of faces, evaluated from left to right.
    fn faces(
        &mut self,
        is_drawn: bool,
        weighted: &[bool],
        parts: &[Tree],
        ask: &Ask,
    ) -> Judged<Law> {
        let mut parts = parts.iter();
        let mut all = Law::certain(Value::new());
        if is_drawn {
            let n = self.number(parts.next().expect("n"))?;
            let wrap = |value: &Value| Ok(vec![Member::States(vec![value.clone()])]);
            all = self.map(&n, wrap)?;
        }
        for has_weight in weighted {
            let members = self.list(parts.next().expect("a face"))?;
            let weight = match has_weight {
                true => self.number(parts.next().expect("a weight"))?,
                false => Rc::new(Law::certain(number(1))),
            };
            let pairs = self.both(&members, &weight, &Kind::List.all(), |members, weight| {
                let pair = || vec![Member::States(vec![members.clone(), weight.clone()])];
                Ok(match one_number(weight) {
                    None => Err("type"),
                    Some(..0) => Err("domain"),
                    Some(_) => Ok(pair()),
                })
            })?;
            all = self.joined(&all, &pairs, Kind::List)?;
        }
        self.then(&all, |judge, states| {
            let mut states = states.as_slice();
            let mut n = None;
            if let (true, Some((Member::States(first), rest))) = (is_drawn, states.split_first()) {
                n = Some(one_number(&first[0]));
                states = rest;
            }
            let mut deck: BTreeMap<Member, Fraction> = BTreeMap::new();
            for state in states {
                let Member::States(pair) = state else {
                    continue;
                };
                let weight = one_number(&pair[1]).filter(|&weight| weight > 0);
                let Some(weight) = weight else {
                    continue;
                };
                for member in &pair[0] {
                    *deck.entry(member.clone()).or_default() +=
                        Fraction::from_integer(weight.into());
                }
            }
            Ok(Rc::new(match n {
                Some(None) => Law::error("type"),
                Some(Some(..0)) => Law::error("negative_count"),
                Some(Some(n)) => judge.drawn(n, &deck, ask)?,
                None if deck.is_empty() => Law::error("bad_die"),
                None => {
                    let total: Fraction = deck.values().sum();
                    let mut law = Law::default();
                    for (member, weight) in deck {
                        *law.values.entry(ask.of(vec![member])?).or_default() += weight / &total;
                    }
                    law
                }
            }))
        })
    }

    /// So many members of each value of a list, without replacement.
    fn drawn_from(&mut self, count: Result<usize, Failure>, list: &Law, ask: &Ask) -> Judged<Law> {
        self.then(list, |judge, list| {
            let mut deck: BTreeMap<Member, Fraction> = BTreeMap::new();
            for member in list {
                *deck.entry(member.clone()).or_default() += Fraction::one();
            }
            Ok(Rc::new(match count {
                Ok(count) => judge.drawn(count as i128, &deck, ask)?,
                Err(failure) => Law::error(failure),
            }))
        })
    }

    fn drawn(&mut self, n: i128, deck: &BTreeMap<Member, Fraction>, ask: &Ask) -> Judged<Law> {
        let total: Fraction = deck.values().sum();
        if n == 0 || total.is_zero() {
            return Ok(Law::certain(ask.of(Value::new())?));
        }
        let mut law = Law::default();
        for (member, count) in deck {
            let mut rest = deck.clone();
            *rest.get_mut(member).expect("of the deck") -= Fraction::one();
            rest.retain(|_, count| !count.is_zero());
            let first = Law::certain(ask.of(vec![member.clone()])?);
            let others = self.drawn(n - 1, &rest, ask)?;
            let all = self.joined(&first, &others, ask.kind)?;
            self.add(&mut law, &all, &(count / &total))?;
        }
        Ok(law)
    }

    /// One candidate after the other is weighed by its mean.
    fn best(
        &mut self,
        name: &Word,
        is_part: bool,
        by: Option<&Word>,
        list: &Tree,
        tree: &Tree,
        ask: &Ask,
    ) -> Judged<Law> {
        let list_kind = self.known(list);
        let law = self.list(list)?;
        self.then(&law, |judge, list| {
            let candidates = if is_part {
                sublists(list)
            } else {
                list.iter().map(|one| vec![one.clone()]).collect()
            };
            let mut best: Option<(Fraction, Value, Known)> = None;
            for candidate in candidates {
                let known = match (is_part, &candidate[..]) {
                    (false, [Member::Record(names, _)]) => Known::Record(names.clone()),
                    (false, _) => Known::One,
                    _ => list_kind.clone(),
                };
                let bound = [(name, candidate.clone(), known.clone())];
                let law = judge.within(&bound, |judge| judge.number(tree))?;
                if let Some(failure) = law.errors.keys().next() {
                    return Ok(Rc::new(Law::error(failure)));
                }
                if !law.never.is_zero() {
                    return Ok(Rc::new(Law::error("domain")));
                }
                if !law.open.is_zero() {
                    return Ok(Rc::new(Law::open()));
                }
                let mut mean = Fraction::zero();
                for (value, share) in &law.values {
                    let aimed = match (by, value.as_slice()) {
                        (None, _) => one_number(value),
                        (Some(by), [record]) => part_of(record, by)
                            .ok()
                            .and_then(|part| one_number(&vec![part])),
                        (Some(_), _) => None,
                    };
                    let Some(value) = aimed else {
                        return Ok(Rc::new(Law::error("type")));
                    };
                    mean += Fraction::from_integer(value.into()) * share;
                }
                if best.as_ref().is_none_or(|(best, ..)| mean > *best) {
                    best = Some((mean, candidate, known));
                }
            }
            match best {
                Some((_, value, known)) => {
                    judge.within(&[(name, value, known)], |judge| judge.law(tree, ask))
                }
                None => Ok(Rc::new(Law::error("domain"))),
            }
        })
    }
}

/// The states that were joined.
pub(super) fn flat(states: &Value) -> Vec<Value> {
    let states = states.iter().flat_map(|member| match member {
        Member::States(values) => values.clone(),
        _ => unreachable!("only states are joined here"),
    });
    states.collect()
}

fn has_label(value: &Value) -> bool {
    value
        .iter()
        .any(|member| matches!(member, Member::Label(_)))
}

fn zeros(names: &Rc<[Word]>) -> Member {
    Member::Record(names.clone(), vec![Member::Number(0); names.len()])
}

fn part_of(member: &Member, name: &Word) -> Result<Member, Failure> {
    let Member::Record(names, parts) = member else {
        return Err("type");
    };
    let place = names.iter().position(|other| other == name);
    place.map(|place| parts[place].clone()).ok_or("type")
}

/// All parts of a list in ascending order, the longest first; those of one length as the places of their members have it.
fn sublists(list: &Value) -> Vec<Value> {
    let mut sorted = list.clone();
    sorted.sort();
    let mut all: Vec<Vec<usize>> = vec![(0..sorted.len()).collect()];
    let mut place = 0;
    while place < all.len() {
        for left_out in (0..all[place].len()).rev() {
            let mut shorter = all[place].clone();
            shorter.remove(left_out);
            if !all.contains(&shorter) {
                all.push(shorter);
            }
        }
        place += 1;
    }
    let members = |places: &Vec<usize>| places.iter().map(|place| sorted[*place].clone()).collect();
    all.iter().map(members).collect()
}

/// An operator between two single members.
fn operate(
    word: &str,
    a: &Value,
    b: &Value,
    records: Option<&Rc<[Word]>>,
) -> Judged<Result<Value, Failure>> {
    let ([a], [b]) = (a.as_slice(), b.as_slice()) else {
        return Ok(Err("type"));
    };
    if matches!(word, "==" | "!=") {
        return Ok(Ok(condition(holds(word, a, b))));
    }
    if let Some(names) = records.filter(|_| matches!(word, "+" | "-" | "*")) {
        let spread = |member: &Member| match member {
            Member::Record(_, parts) => Some(parts.clone()),
            number if word == "*" => Some(vec![number.clone(); names.len()]),
            Member::Number(0) => Some(vec![Member::Number(0); names.len()]),
            _ => None,
        };
        let (Some(a), Some(b)) = (spread(a), spread(b)) else {
            return Ok(Err("type"));
        };
        let mut parts = Value::new();
        for (a, b) in a.into_iter().zip(b) {
            match operate(word, &vec![a], &vec![b], None)? {
                Ok(part) => parts.extend(part),
                failure => return Ok(failure),
            }
        }
        return Ok(Ok(vec![Member::Record(names.clone(), parts)]));
    }
    let (Member::Number(a), Member::Number(b)) = (a, b) else {
        return Ok(Err("type"));
    };
    let (a, b) = (*a, *b);
    let value = match word {
        "<" | "<=" | ">" | ">=" => {
            return Ok(Ok(condition(holds(
                word,
                &Member::Number(a),
                &Member::Number(b),
            ))));
        }
        ".." if b - a > 1_000 => None,
        ".." => return Ok(Ok((a..=b).map(Member::Number).collect())),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" | "%" | "div" | "mod" if b == 0 => return Ok(Err("division_by_zero")),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "div" => Some(a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)),
        "mod" => Some((a % b + b) % b),
        "." if b < 0 => return Ok(Err("domain")),
        "." => format!("{a}{b}").parse().ok(),
        "^" if b < 0 && a == 0 => return Ok(Err("domain")),
        "^" if b < 0 => Some(match a {
            1 => 1,
            -1 => 1 - 2 * (b % 2).abs(),
            _ => 0,
        }),
        "^" => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        _ => unreachable!("{word} is no operator"),
    };
    value.map(|value| Ok(number(value))).ok_or(TooLong)
}

/// What a selection, a filter, `rank`, `without` or `compare` makes of a list.
fn selected(
    word: &str,
    drops: bool,
    n: &Value,
    count: Result<usize, Failure>,
    list: &Value,
) -> Result<Value, Failure> {
    let places = |kept: &dyn Fn(usize) -> bool| {
        let places = (0..list.len()).filter(|place| kept(*place) != drops);
        places.map(|place| list[place].clone()).collect::<Value>()
    };
    match word {
        "rank" if has_label(list) => Err("type"),
        "at" | "rank" => {
            let rank = one_number(n).ok_or("type")?;
            let place = match (rank, word) {
                (1.., "at") => rank - 1,
                (_, "at") => list.len() as i128 + rank,
                (1.., _) => list.len() as i128 - rank,
                _ => -rank - 1,
            };
            let place = usize::try_from(place).ok().filter(|_| rank != 0);
            Ok(Vec::from_iter(
                place.and_then(|place| list.get(place).cloned()),
            ))
        }
        "compare" if has_label(list) || has_label(n) => Err("type"),
        "compare" => {
            let ordering = n.iter().rev().cmp(list.iter().rev());
            Ok(number(ordering as i128))
        }
        "without" => {
            let mut taken = n.clone();
            let mut left = Value::new();
            for member in list {
                match taken.iter().position(|other| other == member) {
                    Some(place) => drop(taken.remove(place)),
                    None => left.push(member.clone()),
                }
            }
            Ok(left)
        }
        "high" | "low" | "first" | "last" => {
            let count = count?;
            if matches!(word, "high" | "low") && has_label(list) {
                return Err("type");
            }
            let mut ranks: Vec<usize> = (0..list.len()).collect();
            // Of equals the earliest are left, whether the others are dropped or not kept.
            let late = |place: usize| if drops { list.len() - place } else { place };
            match word {
                "high" => ranks.sort_by(|&a, &b| list[b].cmp(&list[a]).then(late(a).cmp(&late(b)))),
                "low" => ranks.sort_by(|&a, &b| list[a].cmp(&list[b]).then(late(a).cmp(&late(b)))),
                "last" => ranks.reverse(),
                _ => {}
            }
            ranks.truncate(count);
            Ok(places(&|place| ranks.contains(&place)))
        }
        comparison => {
            let [bound] = n.as_slice() else {
                return Err("type");
            };
            if !["==", "!="].contains(&comparison) && (has_label(list) || has_label(n)) {
                return Err("type");
            }
            Ok(places(&|place| holds(comparison, &list[place], bound)))
        }
    }
}

/// Whether a part can be evaluated without the order of a name's members, if the order of its own members matters or not.
pub(super) fn ignores_order(tree: &Tree, name: &Word, own: bool) -> bool {
    let parts = &tree.parts;
    let all = |own: bool| {
        let mut places = (0..parts.len()).filter(|place| !tree.bound_in(*place).contains(name));
        places.all(|place| ignores_order(&parts[place], name, own))
    };
    let two = |first: bool, second: bool| {
        ignores_order(&parts[0], name, first) && ignores_order(&parts[1], name, second)
    };
    match &tree.form {
        Form::Name(found) => found != name || own,
        Form::Prefix("distinct" | "rev") | Form::Join | Form::Foreach(_) | Form::Of(_) => all(own),
        Form::Prefix(_) | Form::Die | Form::Record(_) | Form::Faces { .. } => all(true),
        Form::Infix("#") => two(true, own),
        Form::Infix(_) => all(true),
        Form::Take("at" | "first" | "last", _) => two(true, false),
        Form::Take("high" | "low", _) => two(true, own),
        Form::Take("rank" | "compare" | "draw", _) => all(true),
        Form::Take(..) => two(true, own),
        Form::Call(word) if FUNCTIONS.contains(&&**word) => all(true),
        Form::Let(inner) => {
            let first = ignores_order(&parts[1], inner, own);
            ignores_order(&parts[0], name, first)
                && (inner == name || ignores_order(&parts[1], name, own))
        }
        Form::If | Form::Case(..) => {
            ignores_order(&parts[0], name, true)
                && parts[1..].iter().all(|part| ignores_order(part, name, own))
        }
        Form::Given => two(own, true),
        _ => all(false),
    }
}
