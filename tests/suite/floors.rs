//! The floors of the engine by themselves, through the door that the library opens for these tests: the laws of bounds, of one
//! reveal, and of every closed form.
//!
//! The rules are random texts of Bones with few dice, from a generator with a fixed seed, and some texts by hand. The slow evaluator
//! gives the possible outcomes of each rule.

use dicedist::Rule;
use dicedist::engine::{enumerate::enumerate, laws};
use dicedist::ir::Program;
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::Integer;

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

/// All rules as programs, with their texts. The random rules are numbers, with one die that several parts use.
fn rules() -> Vec<(String, Program)> {
    let mut draws = Draws(19);
    let random = (0..150).map(|index| format!("let x=d3 in {}", draws.number(1 + index % 3)));
    let texts = BY_HAND.map(String::from).into_iter().chain(random);
    texts.map(|text| (text.clone(), program(&text))).collect()
}

fn program(text: &str) -> Program {
    Rule::bones(text).unwrap().into_program().unwrap()
}

/// The possible sums of a rule, by the slow evaluator: none if a loop leaves weight unresolved.
fn sums(program: &Program) -> Vec<Integer> {
    let answer = enumerate(program, &Limits::default(), &Unobserved).unwrap();
    let sum = |members: &[Integer]| {
        let zero = Ok(Integer::ZERO);
        members.iter().fold(zero, |sum, member| sum?.add(member))
    };
    let sums = answer.outcomes().iter();
    let sums = sums.map(|(value, _)| sum(value.numbers().unwrap()).unwrap());
    if answer.is_complete() {
        sums.collect()
    } else {
        Vec::new()
    }
}

#[test]
fn bounds_contain_everything_that_a_rule_can_come_to() {
    let mut seen = 0;
    for (text, program) in rules() {
        let Some((low, high)) = laws::bounds(&program) else {
            continue;
        };
        for value in sums(&program) {
            let value = value.to_i64().unwrap();
            assert!(
                (low..=high).contains(&value),
                "{text}: {value} of {low}..={high}"
            );
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn a_reveal_keeps_the_distribution_and_stays_within_the_bounds() {
    let mut seen = 0;
    for (text, program) in rules() {
        eprintln!("{text}");
        seen += laws::reveals_agree(&program);
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn every_closed_form_agrees_with_revealing() {
    // This form is for thousands of dice, and other tests ask for its answers.
    let mut used = vec!["a tail of a binomial distribution"];
    for (text, program) in rules() {
        eprintln!("{text}");
        used.extend(laws::closed_forms_agree(&program));
    }
    for name in laws::closed_forms() {
        assert!(used.contains(&name), "{name}");
    }
}
