//! Tests of the floors by themselves: the laws of simplification, of bounds, of one reveal, and of every closed form.
//!
//! The rules are random texts of Bones with few dice, from a generator with a fixed seed, and some texts by hand. The
//! slow evaluator, which shares nothing with these floors, gives the possible outcomes of each rule.

use std::rc::Rc;

use super::evaluate::enumerate::enumerate;
use super::program::bodies::{BodyImage, Instance, LoopImage};
use super::program::context::{Context, Shown};
use super::program::interval::Bounds;
use super::program::laws::LawOfLists;
use super::program::node::{Body, Node, NodeId};
use super::program::order::Order;
use super::program::store::{Depth, Door, Store};
use super::reveal::strip::Sums;
use super::rules::RULES;
use super::simplify::forms::Forms as _;
use super::solve::door::Floors;
use super::solve::joint::joint;
use super::stop::Attempt;
use super::translate::translator::Translator;
use crate::algebra::{Law, Numbers, Weight};
use crate::ir::{Folding, Program};
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::{Fraction, Integer};

/// Rules that the generator seldom makes.
const BY_HAND: [&str; 21] = [
    "count >2 5#d4",
    "sum(high 2 4#d6)",
    "sum(drop low 1 4#d6)",
    "high 1 (d3#d4)",
    "sum(d4#d3)",
    "sum(2#d4, 3#d3)",
    "prod(3#d4)",
    "d4*d3",
    "high 1 low 2 (d4, d6, d3)",
    "if ==1 d3 then d4 else 2#d2",
    "sum(while x=d4 do ((count ==4 x)#d4))",
    "let x=3#d3 in (count ==1 x)*(sum x)",
    "let x=4#d3 in high 1 (foreach y in 1..3 do sum (==y x))",
    "let x=d3 in sum(x#d2)-x",
    "high 1 (sum(2#d3), sum(2#d2))",
    "if >3 sum(2#d3) then 1 else 0",
    "if sum (2#d4) - d3 >= 2 then 5 else d2",
    "let x=3#d3 in let y=2#d4 in if sum x >= sum y then high 1 x else low 1 y",
    "let x=3#d3 in if sum x + d4 >= 6 then 3 - sum x else 2",
    "count distinct 4#d4",
    "let x=3#d{1: 3, 2, 5: 2, 7} in 4*(count ==1 x >= 2) - (count ==7 x)*(count ==7 x)",
];

/// Numbers drawn by a linear congruence (D. E. Knuth, The Art of Computer Programming, volume 2, 3.3.4, table 1, line 26).
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A rule whose value is a number.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => format!("d{}", 2 + self.below(3)),
                1 => "x".into(),
                _ => format!("{}", self.below(4)),
            };
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.below(7) {
            0 => format!("({a}+{b})"),
            1 => format!("({a}-{b})"),
            2 => format!("({a}*{b})"),
            3 => format!("sum({})", self.list(depth - 1)),
            4 => format!("count({})", self.list(depth - 1)),
            5 => format!("(high 1 ({a}, {b}))"),
            _ => format!("(if {} then {a} else {b})", self.list(depth - 1)),
        }
    }

    /// A rule whose value is a list.
    fn list(&mut self, depth: u32) -> String {
        if depth == 0 {
            return format!("{}#d{}", 1 + self.below(3), 2 + self.below(2));
        }
        let inner = self.list(depth - 1);
        match self.below(6) {
            0 => format!("(>{} {inner})", self.below(4)),
            1 => format!("(=={} {inner})", self.number(0)),
            2 => format!("(high {} {inner})", self.below(3)),
            3 => format!("(drop low {} {inner})", self.below(3)),
            4 => format!("({inner}, {})", self.list(depth - 1)),
            _ => format!("(foreach y in {inner} do y+x)"),
        }
    }
}

/// All rules. The random rules are numbers, with one die that several parts use.
fn rules() -> Vec<String> {
    let mut draws = Draws(19);
    let random = (0..150).map(|index| format!("let x=d3 in {}", draws.number(1 + index % 3)));
    BY_HAND
        .map(String::from)
        .into_iter()
        .chain(random)
        .collect()
}

/// Calls `look` with a store and the number that each rule is, where it can be translated without an error.
fn each_rule(door: &dyn Door, mut look: impl FnMut(&str, &Program, &mut Store<'_>, NodeId)) {
    let limits = Limits::default();
    for text in rules() {
        let program = crate::Rule::bones(&text).unwrap().into_program().unwrap();
        let budget = Budget::start(&limits, &Unobserved);
        let mut store = Store::new(&program, Depth::default(), &budget, door);
        let mut translator = Translator::new(&mut store);
        let node = translator.translate(program.root(), Order::Ignored, &mut Vec::new());
        let is_safe = translator.into_hazards().is_empty();
        if let Ok(node) = node
            && is_safe
        {
            let number = store.fold(Folding::Sum, node).unwrap();
            look(&text, &program, &mut store, number);
        }
    }
}

/// The possible sums of a rule, by the slow evaluator. `None` if a loop leaves weight unresolved.
fn sums(program: &Program) -> Option<Vec<Integer>> {
    let answer = enumerate(program, &Limits::default(), &Unobserved).unwrap();
    let sum = |members: &[Integer]| {
        let zero = Ok(Integer::ZERO);
        members.iter().fold(zero, |sum, member| sum?.add(member))
    };
    let sums = answer.outcomes().iter();
    let sums = sums.map(|(value, _)| sum(value.numbers().unwrap()).unwrap());
    answer.is_complete().then(|| sums.collect())
}

#[test]
fn bounds_contain_everything_that_a_rule_can_come_to() {
    let mut seen = 0;
    each_rule(&Floors, |text, program, store, number| {
        let Bounds { low, high, .. } = store.bounds(number).unwrap();
        for value in sums(program).into_iter().flatten() {
            let value = value.to_i64().unwrap();
            assert!(
                (low..=high).contains(&value),
                "{text}: {value} of {low}..={high}"
            );
            seen += 1;
        }
    });
    assert!(seen > 500, "{seen}");
}

#[test]
fn a_reveal_keeps_the_distribution_and_stays_within_the_bounds() {
    let mut seen = 0;
    each_rule(&Floors, |text, _, store, number| {
        let whole = store.law(number).unwrap();
        let outer = store.bounds(number).unwrap();
        let dice: Vec<_> = store
            .descending(number)
            .into_iter()
            .filter_map(|id| match store.nodes.get(id) {
                Node::Draw(pool) => Some(*pool),
                _ => None,
            })
            .collect();
        for pool in dice {
            let die = store.pools.die_of(store.pools.get(pool).die);
            if !die.beyond.is_empty() {
                continue;
            }
            let (faces, total) = (Rc::clone(&die.faces), die.law.total().clone());
            let mut mixed: Vec<(Integer, Fraction)> = Vec::new();
            for (value, weight) in faces.iter() {
                let shown = Shown {
                    pool,
                    value: *value,
                    dice: 1,
                };
                let context = &mut Context::new(Vec::new(), vec![shown]);
                let rest = store.under(context, number).unwrap();
                let inner = store.bounds(rest).unwrap();
                assert!(outer.low <= inner.low && inner.high <= outer.high, "{text}");
                let law = store.law(rest).unwrap();
                for (outcome, part) in law.listed.iter() {
                    let share = fraction(&(part * weight), &(law.total() * &total));
                    mixed.push((outcome, share));
                }
            }
            if whole.complete().is_some() {
                for (outcome, weight) in whole.listed.iter() {
                    let parts = mixed.iter().filter(|(other, _)| *other == outcome);
                    let sum: Fraction = parts.map(|(_, share)| share).sum();
                    assert_eq!(sum, fraction(&weight, whole.total()), "{text}: {outcome}");
                }
                seen += 1;
            }
        }
    });
    assert!(seen > 100, "{seen}");
}

/// The floors without the closed forms of numbers, so that numbers are revealed.
struct NoRules;

impl Door for NoRules {
    fn law(&self, store: &mut Store<'_>, number: NodeId) -> Attempt<Rc<Law>> {
        match *store.nodes.get(number) {
            Node::Constant(value) => Ok(Rc::new(Numbers::certain(value.into()).into())),
            Node::Draw(_) => Floors.law(store, number),
            _ => joint(store, number, &Sums::PulledOut).map(Rc::new),
        }
    }

    fn law_of_list(&self, store: &mut Store<'_>, list: NodeId) -> Attempt<Rc<LawOfLists>> {
        Floors.law_of_list(store, list)
    }

    fn value_for(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        Floors.value_for(store, body, member)
    }

    fn fails(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        Floors.fails(store, body, member)
    }

    fn image(&self, store: &mut Store<'_>, body: &Body, members: Bounds) -> Attempt<BodyImage> {
        Floors.image(store, body, members)
    }

    fn instance(&self, store: &mut Store<'_>, body: &Body, member: i64) -> Attempt<Instance> {
        Floors.instance(store, body, member)
    }

    fn loop_image(&self, store: &mut Store<'_>, body: &Body, order: Order) -> Attempt<LoopImage> {
        Floors.loop_image(store, body, order)
    }

    fn ends_of_loop(&self, store: &mut Store<'_>, list: NodeId) -> Attempt<Option<(i64, i64)>> {
        Floors.ends_of_loop(store, list)
    }
}

#[test]
fn every_closed_form_agrees_with_revealing() {
    let mut used = vec![0; RULES.len()];
    each_rule(&Floors, |text, program, store, number| {
        let mut applied = Vec::new();
        for (index, rule) in RULES.iter().enumerate() {
            if let Some(law) = (rule.law)(store, number).unwrap() {
                applied.push((index, law));
            }
        }
        if applied.is_empty() {
            return;
        }
        let revealed = revealed(program);
        for (index, law) in applied {
            used[index] += 1;
            let name = RULES[index].name;
            assert_eq!(law.listed.len(), revealed.listed.len(), "{text}: {name}");
            for ((outcome, weight), (other, other_weight)) in
                law.listed.iter().zip(revealed.listed.iter())
            {
                assert_eq!(outcome, other, "{text}: {name}");
                let probability = fraction(&weight, law.total());
                let expected = fraction(&other_weight, revealed.total());
                assert_eq!(probability, expected, "{text}: {name} at {outcome}");
            }
        }
    });
    for (rule, used) in RULES.iter().zip(used) {
        // This rule is for thousands of dice, and tests of the suite ask for its answers.
        assert!(
            used > 0 || rule.name == "a tail of a binomial distribution",
            "{}",
            rule.name
        );
    }
}

/// The distribution of a rule by revealing alone.
fn revealed(program: &Program) -> Law {
    let limits = Limits::default();
    let budget = Budget::start(&limits, &Unobserved);
    let mut store = Store::new(program, Depth::default(), &budget, &NoRules);
    let mut translator = Translator::new(&mut store);
    let node = translator.translate(program.root(), Order::Ignored, &mut Vec::new());
    let number = store.fold(Folding::Sum, node.unwrap()).unwrap();
    Rc::unwrap_or_clone(store.law(number).unwrap())
}

fn fraction(weight: &Weight, total: &Weight) -> Fraction {
    crate::algebra::weight::probability(weight, total)
}
