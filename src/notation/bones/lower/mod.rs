//! Lowers a tree to a core program. The two tables differ here only in the operator `.` and in negative counts.
//!
//! [`lowering`] has the program that is being built, and [`values`] are terms with what is known of them before any roll.
//! [`best`](mod@best) lowers the best choice. [`known`] computes with known values, [`unfold`] unfolds definitions, [`choices`] and [`faces`] lower `case` and dice with any
//! faces, [`condition`] conditions on the value of another program, [`lists`] the words for lists and numbers, [`loops`] and [`members`] loops with a [`state`].

mod again;
mod best;
mod calls;
mod choices;
pub(super) mod condition;
mod faces;
mod games;
mod given;
mod known;
mod labels;
mod lists;
mod loops;
mod lowering;
mod members;
mod records;
mod state;
mod steps;
mod unfold;
mod values;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::calls::Calls;
use self::lowering::{Leaf, Lowering, MOST_TERMS};
pub(super) use self::values::Slip;
use self::values::{Bound, Members, TypedTerm, ValueType};
use super::definition::Definition;
use super::table::Table;
use super::tree::{Binder, Binding, By, Filter, Modifier, Node, Operator, Tree, Word};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{
    Arithmetic, Arrangement, Builder, Comparison, Folding, Labels, Program, Selection, Site,
};
use crate::limits::Budget;
use crate::notation::reader::tree::NodeId;
use crate::notation::syntax;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// The most terms of a program in which the bounds of filtered members are looked for.
const MOST_BOUNDED: usize = 1000;

/// The program of a tree in which every name has a value, what its values are, and the slips in the rule.
pub(super) fn lower(
    table: Table,
    tree: &Tree,
    definitions: &[Arc<Definition>],
    parameters: &BTreeMap<String, Integer>,
    budget: &Budget<'_>,
) -> Result<(Program, syntax::Kind, BTreeMap<Span, Slip>), Error> {
    let mut lowering = Lowering {
        table,
        tree,
        budget,
        parameters,
        definitions,
        places: (definitions.iter().enumerate())
            .map(|(place, definition)| (definition.name.as_str(), place))
            .collect(),
        build: Builder::new(),
        labels: labels_in(tree, definitions),
        number_parts: number_parts_in(tree, definitions),
        is_last: true,
        scope: Vec::new(),
        calls: Calls::default(),
        failure: None,
        slips: BTreeMap::new(),
    };
    let value = lowering.term(tree.root);
    let kind = match value.kind {
        ValueType::Condition => syntax::Kind::Condition,
        _ => syntax::Kind::Plain,
    };
    let root = lowering.number_value(&value, tree.root).expr;
    // Definitions can use a part of the program more than once: its size is that of all uses.
    if !definitions.is_empty()
        && lowering.failure.is_none()
        && lowering.build.size(root) > MOST_TERMS as u64
    {
        lowering.too_large(tree.root);
    }
    match lowering.failure {
        None => {
            // The shape is known only of a value that was not refused.
            let shape = lowering.shape(&value);
            let program = lowering.build.program(root).shaped(shape);
            let mut slips = lowering.slips;
            let is_given =
                |id| matches!(tree.node(id), Node::Name) && parameters.contains_key(tree.words(id));
            if tree.ids().any(is_given) {
                // With other values the filter may keep some.
                slips.retain(|_, slip| !matches!(slip, Slip::KeepsNothing { .. }));
            }
            Ok((program, kind, slips))
        }
        Some(failure) => Err(failure.error),
    }
}

/// The names of the parts of all records in the definitions and the rule, without those that are a label in any record.
fn number_parts_in<'t>(tree: &'t Tree, definitions: &'t [Arc<Definition>]) -> BTreeSet<&'t str> {
    let (mut numbers, mut labels) = (BTreeSet::new(), BTreeSet::new());
    let trees = definitions.iter().map(|definition| &definition.tree);
    for tree in trees.chain([tree]) {
        for id in tree.ids() {
            let Node::Record(parts) = tree.node(id) else {
                continue;
            };
            for &(name, value) in parts {
                let is_label = matches!(tree.node(tree.ungrouped(value)), Node::Text);
                let of = if is_label { &mut labels } else { &mut numbers };
                of.insert(tree.slice(name));
            }
        }
    }
    numbers.retain(|name| !labels.contains(name));
    numbers
}

/// The labels of the definitions and of the rule, each once, in the order of their first appearance.
fn labels_in(tree: &Tree, definitions: &[Arc<Definition>]) -> Labels {
    let trees = definitions.iter().map(|definition| &definition.tree);
    let trees: Vec<&Tree> = trees.chain([tree]).collect();
    let texts = trees.into_iter().flat_map(labels::labels_of);
    let mut seen = BTreeSet::new();
    let texts = texts
        .map(|(_, text)| text)
        .filter(|text| seen.insert(*text));
    Labels::new(texts)
}

impl<'t, 'p> Lowering<'t, 'p> {
    /// Lowers a part of the rule that is the last step if the whole is.
    pub(super) fn last(&mut self, is_last: bool, id: NodeId) -> TypedTerm {
        self.is_last = is_last;
        self.term(id)
    }

    pub(super) fn term(&mut self, id: NodeId) -> TypedTerm {
        if self.failure.is_none() && self.build.len() > MOST_TERMS {
            self.too_large(id);
        } else if let Err(reached) = self.build.within(self.budget) {
            self.fail_by(reached);
        }
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let is_last = std::mem::take(&mut self.is_last);
        stack::level(|| self.node(id, is_last))
    }

    fn node(&mut self, id: NodeId, is_last: bool) -> TypedTerm {
        let tree = self.tree;
        match *tree.node(id) {
            Node::Again(again, dice) => self.again(id, again, dice),
            Node::AnyDie(ref entries) => self.any_die(id, entries),
            Node::Arithmetic(operator, a, b) => {
                let site = self.site(id, a, b);
                let (left, right) = (self.term(a), self.term(b));
                let core = self.arithmetic(operator);
                if left.parts().or(right.parts()).is_some() {
                    return self.arithmetic_of_records((id, core), (&left, a), (&right, b));
                }
                let known = known::arithmetic(core, left.known_number(), right.known_number());
                let (left, right) = (self.number(&left, a), self.number(&right, b));
                let value = self.build.arithmetic(core, left, right, site);
                TypedTerm::number(value).with_number(known)
            }
            Node::Bind(binder, binding) => match binder {
                Binder::Let => self.bind(binding, &mut |this, id| this.last(is_last, id)),
                Binder::Foreach => self.foreach(binding),
                Binder::Select => self.select(binding),
                Binder::While => self.repeat_while(binding),
            },
            Node::Best(candidates, binding, by) => self.best(id, (candidates, by), binding),
            Node::Call(name, ref arguments) => self.call(id, name, arguments, is_last),
            Node::Case(ref case) => self.case(id, case, &mut |this, id| this.last(is_last, id)),
            Node::Compare(comparison, a, b) => self.compare(id, comparison, a, b),
            Node::Connect(connective, a, b) => self.connect(connective, a, b),
            Node::Dice(ref dice) => match dice.total(&mut self.build, self.budget) {
                Ok(total) => TypedTerm::number(total),
                Err(error) => self.fail_with(error),
            },
            Node::Die(sides) => {
                let site = self.site(id, sides, sides);
                let value = self.term(sides);
                let sides = self.number(&value, sides);
                TypedTerm::number(self.build.die(sides, site))
            }
            Node::Draw(count, ref entries) => self.draw(id, count, entries),
            Node::Fate => self.fate(),
            Node::Filter(filter, argument, list) => self.filter(id, filter, argument, list),
            Node::Function(function, ref arguments) => self.function(id, function, arguments),
            Node::Group(None) | Node::Unreadable => {
                TypedTerm::list(self.build.empty()).with_known(Vec::new())
            }
            Node::Given(value, condition) => self.given(id, value, condition, is_last),
            Node::Group(Some(content)) => self.last(is_last, content),
            Node::If(condition, yes, no) => {
                let condition = (self.term(condition), condition);
                self.choose(&condition, yes, no, &mut |this, id| this.last(is_last, id))
            }
            Node::Integer => self.integer(id),
            Node::Join(ref members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|&member| (self.term(member), member))
                    .collect();
                self.join(&members)
            }
            Node::Loop(ref repeated) => self.repeated(id, repeated, is_last),
            Node::Name => self.name(id, is_last),
            Node::Negate(operand) => {
                let site = self.site(id, operand, operand);
                let value = self.term(operand);
                let known = value.known_number().and_then(|value| value.neg().ok());
                let operand = self.number(&value, operand);
                TypedTerm::number(self.build.negate(operand, site)).with_number(known)
            }
            Node::Not(operand) => self.not(operand),
            Node::On(dice, ..) => {
                let finding = Diagnostic::new(
                    self.span(id),
                    "`on` stands behind dice of `explode` or `reroll`",
                )
                .with_help("write `reroll d6 on 1`, or `explode d6 on 5..6`");
                self.term(dice);
                self.refuse(ErrorKind::Parse, finding)
            }
            Node::Pair(pair, a, b) => self.pair(id, pair, a, b),
            Node::Part(name, records) => self.part(id, name, records),
            Node::Percentile => {
                let site = self.build.site(Site::at(self.span(id)));
                let sides = self.build.integer(100);
                TypedTerm::number(self.build.die(sides, site))
            }
            Node::Range(low, high) => {
                let site = self.site(id, low, high);
                let ends = [low, high].map(|end| self.term(end));
                let known = known::range(ends[0].known_number(), ends[1].known_number());
                let [low, high] = [self.number(&ends[0], low), self.number(&ends[1], high)];
                TypedTerm::list(self.build.range(low, high, site)).with_known(known)
            }
            Node::Repeat(count, body) => self.times(id, count, body, |this| this.term(body)),
            Node::Record(ref parts) => self.record(id, parts),
            Node::Reroll(binding) => self.reroll(id, binding),
            Node::Text => self.label(id),
            Node::Word(word, list) => self.word(id, word, list),
        }
    }

    /// `n#e`
    pub(super) fn times(
        &mut self,
        id: NodeId,
        count: NodeId,
        body: NodeId,
        value: impl FnOnce(&mut Self) -> TypedTerm,
    ) -> TypedTerm {
        let site = self.site(id, count, body);
        let times = self.count(count);
        let repeats = |times: Integer| times > Integer::ONE;
        if times.known_number().is_none_or(repeats) {
            self.look_for_one_roll(id, body);
        }
        let value = value(self);
        let body = self.as_member(&value, body);
        let length = known::times(times.known_number(), body.length);
        let count = self.number(&times, count);
        let list = self.build.repeat(count, body.expr, site);
        TypedTerm::list(list).with_length(length).of(body.members)
    }

    /// Notes a filter that never keeps a member, for this reason, however often it is lowered.
    fn look_for_members(&mut self, id: NodeId, why: impl FnOnce(&Builder) -> Option<String>) {
        let place = self.span(id);
        let is_small = self.build.len() < MOST_BOUNDED && self.calls.place().is_none();
        match is_small.then(|| why(&self.build)).flatten() {
            Some(reason) => {
                let slip = Slip::KeepsNothing { reason };
                self.slips.entry(place).or_insert(slip);
            }
            None => {
                self.slips.insert(place, Slip::None);
            }
        }
    }

    /// Notes a repetition of a name whose value was rolled.
    fn look_for_one_roll(&mut self, id: NodeId, body: NodeId) {
        let body = self.tree.ungrouped(body);
        if !matches!(self.tree.node(body), Node::Name) {
            return;
        }
        let name = self.tree.words(body);
        let bound = self.scope.iter().rev().find(|bound| bound.name == name);
        if bound.is_some_and(|bound| self.build.is_random(bound.value.expr)) {
            let (place, name) = (self.span(id), name.to_owned());
            self.slips.entry(place).or_insert(Slip::RolledOnce { name });
        }
    }

    /// `let … in …`, with a leaf for the body.
    pub(super) fn bind(&mut self, binding: Binding, leaf: Leaf<'_, 't, 'p>) -> TypedTerm {
        let value = self.term(binding.value);
        let name = self.build.name_of(value.expr);
        let (mut bound, mut inner) = (vec![(name, value.expr)], value.clone());
        // In a definition a value that is known needs no program.
        if self.calls.is_open() && self.is_settled(&value) {
            bound.clear();
        } else {
            inner = value.renamed(self.build.variable(name));
        }
        let inner = Bound::new(self.tree.slice(binding.name), &inner);
        self.scope.push(inner);
        let body = leaf(self, binding.body);
        self.scope.pop();
        self.bound(bound, body)
    }

    /// `while … = … do …`
    fn repeat_while(&mut self, binding: Binding) -> TypedTerm {
        let first = self.term(binding.value);
        let mut first = self.as_member(&first, binding.value);
        loop {
            let name = self.build.name();
            let variable = TypedTerm::list(self.build.variable(name)).of(first.members.clone());
            let name_of = self.tree.slice(binding.name);
            self.scope.push(Bound::new(name_of, &variable));
            let body = self.term(binding.body);
            self.scope.pop();
            let body = self.as_member(&body, binding.body);
            let pair = [(first.clone(), binding.value), (body, binding.body)];
            let [start, next] = &self.alike(&pair)[..] else {
                return first;
            };
            // The values of all rounds have members of one form.
            if self.failure.is_some() || start.members == first.members {
                let list = self.build.repeat_while(name, first.expr, next.expr);
                return TypedTerm::list(list).of(first.members);
            }
            first = start.clone();
        }
    }

    /// `foreach … in … do …`
    fn foreach(&mut self, binding: Binding) -> TypedTerm {
        self.each_member(binding, &mut |this, _| this.term(binding.body))
    }

    /// `select … in … where …`
    fn select(&mut self, binding: Binding) -> TypedTerm {
        self.each_member(binding, &mut |this, member| {
            let condition = this.term(binding.body);
            let test = this.test(&condition, binding.body);
            let nothing = this.build.empty();
            let kept = this.build.choose(test, member.expr, nothing);
            TypedTerm::list(kept).of(member.members.clone())
        })
    }

    /// The values of `body` for each member of a list, joined. A known list is taken value by value if the body needs known members.
    fn each_member(
        &mut self,
        binding: Binding,
        body: &mut dyn FnMut(&mut Self, &TypedTerm) -> TypedTerm,
    ) -> TypedTerm {
        let list = self.term(binding.value);
        let list = self.as_member(&list, binding.value);
        let name = self.tree.slice(binding.name);
        let mut of = |this: &mut Self, member: TypedTerm| {
            this.scope.push(Bound::new(name, &member));
            let value = body(this, &member);
            this.scope.pop();
            value
        };
        let variable = self.build.name_of(list.expr);
        let member = TypedTerm::number(self.build.variable(variable)).of(list.members.clone());
        let value = of(self, member);
        if let Some(members) = self.value_by_value(&list) {
            let values = members.iter().map(|member| {
                let member = self.constant(std::slice::from_ref(member), &list.members);
                (of(self, member), binding.body)
            });
            let values: Vec<_> = values.collect();
            return self.shared(&list, |this, _| this.join(&values));
        }
        let body = self.as_member(&value, binding.body);
        let length = list.length.zip(body.length);
        let length = length.and_then(|(list, body)| list.checked_mul(body));
        let values = self.build.foreach(variable, list.expr, body.expr);
        TypedTerm::list(values).with_length(length).of(body.members)
    }

    /// The members of a known list, if the body of a loop over it could not be lowered because the member is not known. The
    /// failure is taken back.
    pub(super) fn value_by_value(&mut self, list: &TypedTerm) -> Option<Vec<Integer>> {
        let members = list.known.as_ref()?;
        self.failure.take_if(|failure| failure.is_unknown)?;
        Some(members.to_vec())
    }

    fn word(&mut self, id: NodeId, word: Word, list: NodeId) -> TypedTerm {
        let site = self.site(id, list, list);
        let value = self.term(list);
        let value = self.as_member(&value, list);
        let value = match word {
            Word::Sum if value.parts().is_some() => return self.sum_of_records(id, &value, list),
            Word::Prod | Word::Straight | Word::Sum => self.numbers(&value, list),
            Word::Sort => self.ordered(&value, list, word.word()),
            Word::Count | Word::Distinct | Word::Perm | Word::Rev | Word::Sets => value,
        };
        let known = known::word(word, value.known.as_deref());
        let (length, members, list) = (value.length, value.members.clone(), value.expr);
        let fold = |this: &mut Self, folding| {
            let known = known.as_ref().and_then(|known| known.first().cloned());
            TypedTerm::number(this.build.fold(folding, list, site)).with_number(known)
        };
        let arrange = |this: &mut Self, arrangement| {
            let value = TypedTerm::list(this.build.arrange(arrangement, list)).with_length(length);
            value.with_known(known.clone()).of(members.clone())
        };
        match word {
            Word::Count => fold(self, Folding::Count),
            Word::Distinct => self.distinct(list).with_known(known).of(members),
            Word::Perm => arrange(self, Arrangement::Shuffle),
            Word::Prod => fold(self, Folding::Product),
            Word::Rev => arrange(self, Arrangement::Reverse),
            Word::Sets => self.sets(id, list).with_known(known),
            Word::Sort => arrange(self, Arrangement::Sort),
            Word::Straight => match known.and_then(|known| known.first().cloned()) {
                Some(known) => {
                    let length = TypedTerm::number(self.build.integer(known.clone()));
                    self.shared(&value, |_, _| length.with_number(Some(known)))
                }
                None => self.straight(id, list),
            },
            Word::Sum => fold(self, Folding::Sum),
        }
    }

    fn filter(&mut self, id: NodeId, filter: Filter, argument: NodeId, list: NodeId) -> TypedTerm {
        let site = self.site(id, argument, list);
        let drops = filter.modifier == Some(Modifier::Drop);
        let selection = match (filter.by, drops) {
            (By::First, false) => Selection::First,
            (By::First, true) => Selection::DropFirst,
            (By::High, false) => Selection::High,
            (By::High, true) => Selection::DropHigh,
            (By::Last, false) => Selection::Last,
            (By::Last, true) => Selection::DropLast,
            (By::Low, false) => Selection::Low,
            (By::Low, true) => Selection::DropLow,
            (By::Value(comparison), _) => {
                let kept = if drops {
                    comparison.negated()
                } else {
                    comparison
                };
                return self.filter_by_value(id, kept, argument, list);
            }
        };
        let count = self.count(argument);
        let members = self.term(list);
        let members = self.as_member(&members, list);
        let members = match filter.by {
            By::High | By::Low => self.ordered(&members, list, &filter.words()),
            _ => members,
        };
        let known = known::select(selection, count.known_number(), members.known.as_deref());
        let is_empty = !drops && count.known_number() == Some(Integer::ZERO);
        self.look_for_members(id, |_| is_empty.then(|| "it takes no members".into()));
        let length = known::selected(selection, count.known_number(), members.length);
        let count = self.number(&count, argument);
        let value = self.build.select(selection, count, members.expr, site);
        let selected = TypedTerm::list(value).with_length(length).with_known(known);
        selected.of(members.members)
    }

    /// The members of a list for which a comparison holds.
    fn filter_by_value(
        &mut self,
        id: NodeId,
        kept: Comparison,
        argument: NodeId,
        list: NodeId,
    ) -> TypedTerm {
        let site = self.site(id, argument, list);
        let (value, members) = (self.term(argument), self.term(list));
        let (value, members) = match kept {
            Comparison::Equal | Comparison::NotEqual => {
                let (value, members) = (
                    self.as_member(&value, argument),
                    self.as_member(&members, list),
                );
                match &self.alike(&[(value.clone(), argument), (members.clone(), list)])[..] {
                    [value, members] => (value.clone(), members.clone()),
                    _ => (value, members),
                }
            }
            _ => (self.numbers(&value, argument), self.numbers(&members, list)),
        };
        let known = known::filter(kept, value.known_member(), members.known.as_deref());
        let number = self.member(&value, argument);
        self.look_for_members(id, |build| {
            let (members, number) = (build.bounds(members.expr)?, build.bounds(number)?);
            let is_empty = match kept {
                Comparison::Equal => number.high < members.low || members.high < number.low,
                Comparison::Greater => members.high <= number.low,
                Comparison::GreaterOrEqual => members.high < number.low,
                Comparison::Less => number.high <= members.low,
                Comparison::LessOrEqual => number.high < members.low,
                Comparison::NotEqual => {
                    let all = [&members.low, &members.high, &number.high];
                    all.iter().all(|end| **end == number.low)
                }
            };
            is_empty.then(|| format!("the members are from {} to {}", members.low, members.high))
        });
        let value = self.build.filter(kept, number, members.expr, site);
        TypedTerm::list(value).with_known(known).of(members.members)
    }

    /// A count. In dicelab a negative count means 0.
    fn count(&mut self, id: NodeId) -> TypedTerm {
        let count = self.term(id);
        if self.table == Table::Bones || self.build.never_negative(count.expr, 8) {
            return count;
        }
        let none = self.build.integer(Integer::ZERO);
        let site = self.site(id, id, id);
        TypedTerm::number(
            self.build
                .arithmetic(Arithmetic::Max, none, count.expr, site),
        )
    }

    fn integer(&mut self, id: NodeId) -> TypedTerm {
        if let Ok(value) = self.tree.words(id).parse::<Integer>() {
            return TypedTerm::number(self.build.integer(value.clone())).with_number(Some(value));
        }
        let site = self.build.site(Site::at(self.span(id)));
        TypedTerm::number(self.build.fail(ErrorKind::Overflow, site))
    }

    fn name(&mut self, id: NodeId, is_last: bool) -> TypedTerm {
        let name = self.tree.words(id);
        let bound = self.scope.iter().rev().find(|bound| bound.name == name);
        if let Some(bound) = bound {
            return bound.value.clone();
        }
        if self.definition(name).is_some() {
            return self.call(id, self.tree.span(id), &[], is_last);
        }
        match self.parameters.get(name) {
            Some(value) => self.constant(std::slice::from_ref(value), &Members::Numbers),
            None => TypedTerm::list(self.build.empty()),
        }
    }

    fn arithmetic(&self, operator: Operator) -> Arithmetic {
        match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Concatenate if self.table == Table::Dicelab => Arithmetic::Shift,
            Operator::Concatenate => Arithmetic::Concatenate,
            Operator::Div => Arithmetic::FloorDivide,
            Operator::Divide => Arithmetic::Divide,
            Operator::Mod => Arithmetic::Modulo,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Power => Arithmetic::Power,
            Operator::Remainder => Arithmetic::Remainder,
            Operator::Subtract => Arithmetic::Subtract,
        }
    }
}
