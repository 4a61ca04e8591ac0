//! Random rules with loops, and with unlike dice, from a tape of choices. Beyond the end of the tape all choices are 0, the
//! simplest, so that a shorter tape makes a simpler rule.

use super::rule::{Comparison, Fold, Name, Rule, Select};

/// A rule, and the names of the forms it is made of.
pub(super) struct Made {
    pub(super) rule: Rule,
    pub(super) forms: Vec<&'static str>,
}

struct Tape<'a> {
    bytes: &'a [u8],
    names: std::slice::Iter<'static, Name>,
    forms: Vec<&'static str>,
    /// Whether parts may fail.
    fails: bool,
}

const NAMES: [Name; 16] = [
    "x", "y", "z", "p", "q", "r", "s", "t", "u", "v", "w", "a", "b", "c", "e", "f",
];

/// The rule on a tape.
pub(super) fn made(bytes: &[u8]) -> Made {
    let mut tape = Tape {
        bytes,
        names: NAMES.iter(),
        forms: Vec::new(),
        fails: false,
    };
    tape.fails = tape.choose(5) >= 3;
    let rule = tape.rule();
    Made {
        rule,
        forms: tape.forms,
    }
}

fn boxed(rule: Rule) -> Box<Rule> {
    Box::new(rule)
}

fn number(number: u8) -> Rule {
    Rule::Number(i128::from(number))
}

fn die_of(sides: u8) -> Rule {
    Rule::Die(boxed(number(sides)))
}

fn arithmetic(a: Rule, operator: char, b: Rule) -> Rule {
    Rule::Arithmetic(operator, boxed(a), boxed(b))
}

fn fold(fold: Fold, e: Rule) -> Rule {
    Rule::Fold(fold, boxed(e))
}

fn sum(e: Rule) -> Rule {
    fold(Fold::Sum, e)
}

fn count(e: Rule) -> Rule {
    fold(Fold::Count, e)
}

fn filter(comparison: Comparison, bound: Rule, e: Rule) -> Rule {
    Rule::Filter(comparison, boxed(bound), boxed(e))
}

fn select(select: Select, n: Rule, e: Rule) -> Rule {
    Rule::Select(select, boxed(n), boxed(e))
}

fn copies(n: Rule, e: Rule) -> Rule {
    Rule::Copies(boxed(n), boxed(e))
}

fn choice(c: Rule, e: Rule, f: Rule) -> Rule {
    Rule::If(boxed(c), boxed(e), boxed(f))
}

fn nothing() -> Rule {
    Rule::Joined(Vec::new())
}

impl Tape<'_> {
    fn choose(&mut self, options: u8) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        first % options
    }

    fn between(&mut self, from: u8, to: u8) -> u8 {
        from + self.choose(to - from + 1)
    }

    fn small(&mut self, from: u8, to: u8) -> Rule {
        number(self.between(from, to))
    }

    fn form(&mut self, form: &'static str) {
        self.forms.push(form);
    }

    fn name(&mut self) -> Name {
        self.names.next().copied().unwrap_or("none")
    }

    /// Whether there are names left for a few more forms.
    fn has_names(&self) -> bool {
        self.names.len() > 6
    }

    fn comparison(&mut self) -> Comparison {
        match self.choose(6) {
            0 => Comparison::Equal,
            1 => Comparison::Greater,
            2 => Comparison::Less,
            3 => Comparison::NotEqual,
            4 => Comparison::GreaterOrEqual,
            _ => Comparison::LessOrEqual,
        }
    }

    fn sides(&mut self) -> u8 {
        [2, 3, 4, 6, 8, 5][usize::from(self.choose(6))]
    }

    /// A number of a few values.
    fn die(&mut self) -> Rule {
        let sides = self.sides();
        let die = match self.choose(16) {
            10 => arithmetic(die_of(sides), '+', self.small(1, 3)),
            11 => arithmetic(die_of(sides), '-', self.small(1, 2)),
            12 => sum(copies(number(2), die_of(sides.min(4)))),
            13 => select(
                Select::High,
                number(1),
                copies(number(2), die_of(sides.min(4))),
            ),
            14 => Rule::Die(boxed(die_of(sides.min(4)))),
            15 if self.has_names() => {
                self.form("nested");
                let inner = self.looped();
                self.number_of(&inner)
            }
            _ => die_of(sides),
        };
        self.risky(die)
    }

    /// A part that may fail, where parts may.
    fn risky(&mut self, rule: Rule) -> Rule {
        if !self.fails || self.choose(5) != 4 {
            return rule;
        }
        self.form("risk");
        match self.choose(6) {
            0 => {
                let chance = filter(Comparison::Equal, number(1), die_of(6));
                choice(chance, self.error(), rule)
            }
            1 => arithmetic(
                rule,
                '+',
                arithmetic(number(0), '/', arithmetic(die_of(3), '-', number(1))),
            ),
            2 => {
                let faces =
                    arithmetic(self.small(0, 2), '+', arithmetic(die_of(2), '-', number(1)));
                arithmetic(rule, '+', Rule::Die(boxed(faces)))
            }
            3 => {
                let name = self.name();
                let value = arithmetic(number(5), '%', arithmetic(die_of(4), '-', number(1)));
                Rule::Let(name, boxed(value), boxed(rule))
            }
            4 => arithmetic(
                rule,
                '+',
                sum(copies(arithmetic(die_of(2), '-', number(2)), number(1))),
            ),
            _ => self.error(),
        }
    }

    fn error(&mut self) -> Rule {
        match self.choose(4) {
            0 => arithmetic(number(1), '/', number(0)),
            1 => Rule::Die(boxed(number(0))),
            2 => sum(copies(Rule::Number(-1), number(5))),
            _ => arithmetic(Rule::Joined(vec![number(1), number(2)]), '+', number(1)),
        }
    }

    /// Whether a member passes: a condition on a list or a number.
    fn passing(&mut self, e: Rule) -> Rule {
        let comparison = self.comparison();
        let bound = self.small(1, 4);
        filter(comparison, bound, e)
    }

    /// How a round ends a loop: usually without a value.
    fn end(&mut self) -> Rule {
        if self.fails && self.choose(2) == 1 {
            self.form("fails");
            return self.error();
        }
        nothing()
    }

    /// A loop.
    #[expect(clippy::too_many_lines, reason = "a list of forms")]
    fn looped(&mut self) -> Rule {
        let name = self.name();
        let x = || Rule::Variable(name);
        let (form, first, body) = match self.choose(22) {
            0 => {
                let (first, next) = (self.die(), self.die());
                ("climb", first, filter(Comparison::Greater, x(), next))
            }
            1 => {
                let (first, next) = (self.die(), self.die());
                ("fall", first, filter(Comparison::Less, x(), next))
            }
            2 => {
                let (first, step) = (self.small(3, 9), self.step());
                let next = arithmetic(x(), '-', step);
                let bound = self.small(0, 1);
                ("countdown", first, filter(Comparison::Greater, bound, next))
            }
            3 => {
                let (first, step) = (self.small(3, 9), self.step());
                let first = if self.choose(3) == 2 {
                    arithmetic(first, '+', self.die())
                } else {
                    first
                };
                let alive = filter(Comparison::Greater, self.small(0, 2), x());
                let end = self.end();
                (
                    "hit points",
                    first,
                    choice(alive, arithmetic(x(), '-', step), end),
                )
            }
            4 => {
                let (n, die) = (self.small(2, 3), self.die());
                let first = copies(n, die);
                let selects = [
                    Select::DropLow,
                    Select::DropHigh,
                    Select::DropFirst,
                    Select::DropLast,
                ];
                let dropped = select(selects[usize::from(self.choose(4))], number(1), x());
                let body = match self.choose(3) {
                    0 => dropped,
                    1 => {
                        let comparison = self.comparison();
                        filter(comparison, self.small(1, 4), dropped)
                    }
                    _ => copies(count(dropped), self.die()),
                };
                ("fewer", first, body)
            }
            5 => {
                let (n, die) = (self.small(2, 3), self.die());
                let least = select(Select::Low, number(1), x());
                (
                    "peel",
                    copies(n, die),
                    filter(Comparison::Greater, least, x()),
                )
            }
            6 => {
                let bound = self.small(2, 5);
                let below = filter(Comparison::Less, bound, x());
                let step = self.step();
                let end = self.end();
                (
                    "ladder",
                    self.small(0, 2),
                    choice(below, arithmetic(x(), '+', step), end),
                )
            }
            7 => {
                // Two dice, then one number of them, then nothing.
                let (first, next) = (self.die(), self.die());
                let two = copies(number(2), first);
                let has_two = filter(Comparison::Equal, number(2), count(x()));
                let goes_on = self.passing(x());
                let end = self.end();
                (
                    "two and one",
                    two,
                    choice(has_two, choice(goes_on, next, nothing()), end),
                )
            }
            8 => {
                let sides = self.sides();
                let top = number(sides);
                let first = die_of(sides);
                let next = self.risky(die_of(sides));
                (
                    "explode",
                    first,
                    copies(count(filter(Comparison::Equal, top, x())), next),
                )
            }
            9 => {
                let (first, next) = (self.die(), self.die());
                let passing = self.passing(x());
                ("explode", first, copies(count(passing), next))
            }
            10 => {
                let (first, next) = (self.die(), self.die());
                let passing = self.passing(x());
                let end = self.end();
                ("again", first, choice(passing, next, end))
            }
            11 => {
                let (first, next) = (self.die(), self.die());
                let comparison = self.comparison();
                ("same again", first, filter(comparison, x(), next))
            }
            12 => {
                let (name, top) = (self.name(), self.between(3, 5));
                let q = || Rule::Variable(name);
                let step = arithmetic(arithmetic(number(2), '*', die_of(2)), '-', number(3));
                let at_bottom = filter(Comparison::Equal, number(0), q());
                let at_top = filter(Comparison::Equal, number(top), q());
                let (low, high) = (self.end(), self.end());
                let next = choice(at_bottom, low, choice(at_top, high, q()));
                let body = Rule::Let(name, boxed(arithmetic(x(), '+', step)), boxed(next));
                ("walk", self.small(1, 2), body)
            }
            13 => {
                let die = self.die();
                let next = self.die();
                let stuck = filter(Comparison::Equal, number(1), x());
                let passing = self.passing(x());
                let end = self.end();
                ("stuck", die, choice(stuck, x(), choice(passing, next, end)))
            }
            14 => {
                let chance = filter(Comparison::Equal, number(1), die_of(self.sides()));
                let modulus = self.small(2, 4);
                let next = arithmetic(arithmetic(x(), '%', modulus), '+', number(1));
                let end = self.end();
                ("cycle", self.small(1, 2), choice(chance, end, next))
            }
            15 => {
                let (sides, bound) = (self.sides(), self.between(1, 3));
                let first = copies(number(2), die_of(sides));
                let next = self.risky(die_of(sides));
                let passing = filter(Comparison::Equal, number(bound), x());
                ("pool explodes", first, copies(count(passing), next))
            }
            16 => {
                let (n, die) = (self.small(1, 2), self.die());
                let next = self.die();
                let name = self.name();
                let member = filter(Comparison::Equal, number(1), Rule::Variable(name));
                let image = choice(member, next, nothing());
                (
                    "each again",
                    copies(n, die),
                    Rule::Foreach(name, boxed(x()), boxed(image)),
                )
            }
            17 => {
                let (n, die) = (self.small(1, 2), self.die());
                let passing = self.passing(copies(number(2), die));
                let goes_on = self.passing(x());
                (
                    "lists",
                    copies(n, die_of(3)),
                    choice(goes_on, passing, nothing()),
                )
            }
            18 => {
                let sides = self.sides().max(4);
                let grown = arithmetic(
                    number(2),
                    '*',
                    count(filter(Comparison::Equal, number(1), x())),
                );
                ("branching", die_of(sides), copies(grown, die_of(sides)))
            }
            19 => {
                let next = self.die();
                let chance = filter(Comparison::Equal, number(1), die_of(2));
                let kept = Rule::Joined(vec![select(Select::First, number(1), x()), next]);
                let end = self.end();
                ("pair", self.die(), choice(chance, end, kept))
            }
            20 => {
                // A round that gives nothing, once its own loops are over.
                let (first, name) = (self.die(), self.name());
                let again = filter(Comparison::Equal, number(1), Rule::Variable(name));
                let endless = Rule::While(name, boxed(die_of(2)), boxed(again));
                let dice = copies(sum(self.passing(x())), sum(endless));
                ("waits", first, filter(Comparison::Equal, number(9), dice))
            }
            _ => {
                let (first, step) = (self.small(2, 5), self.step());
                let left = arithmetic(select(Select::First, number(1), x()), '-', step);
                let alive = filter(Comparison::Greater, number(0), left);
                let name = self.name();
                let extra = self.die();
                let both = Rule::Joined(vec![Rule::Variable(name), extra]);
                let one = filter(Comparison::Greater, number(0), Rule::Variable(name));
                (
                    "duel",
                    first,
                    Rule::Let(name, boxed(alive), boxed(choice(one, both, nothing()))),
                )
            }
        };
        self.form(form);
        Rule::While(name, boxed(first), boxed(body))
    }

    /// How far a countdown goes in a round.
    fn step(&mut self) -> Rule {
        match self.choose(4) {
            0 => number(1),
            3 => self.small(1, 3),
            _ => {
                let step = die_of(self.between(2, 4));
                self.risky(step)
            }
        }
    }

    /// One number of a list.
    fn number_of(&mut self, list: &Rule) -> Rule {
        let list = || list.clone();
        let (form, rule) = match self.choose(20) {
            0 | 1 => ("sum", sum(list())),
            2 | 3 => ("count", count(list())),
            4 => ("prod", fold(Fold::Product, list())),
            5 => ("sum if", sum(self.passing(list()))),
            6 | 7 => ("count if", count(self.passing(list()))),
            8 => (
                "sum high",
                sum(select(Select::High, self.small(1, 2), list())),
            ),
            9 => (
                "sum low",
                sum(select(Select::Low, self.small(1, 2), list())),
            ),
            10 => (
                "sum last",
                sum(select(Select::Last, self.small(1, 2), list())),
            ),
            11 => (
                "sum first",
                sum(select(Select::First, self.small(1, 3), list())),
            ),
            12 => ("sum %", arithmetic(sum(list()), '%', self.small(2, 4))),
            13 => ("sum /", arithmetic(sum(list()), '/', self.small(2, 3))),
            14 => ("count %", arithmetic(count(list()), '%', self.small(2, 3))),
            15 => {
                let operator = ['+', '-', '*'][usize::from(self.choose(3))];
                (
                    "sum and die",
                    arithmetic(sum(list()), operator, die_of(self.between(2, 4))),
                )
            }
            16 => {
                let both = Rule::Joined(vec![self.small(1, 5), sum(list())]);
                let ranked = [Select::High, Select::Low][usize::from(self.choose(2))];
                ("max", select(ranked, number(1), both))
            }
            17 => {
                let condition = self.passing(list());
                ("if", choice(condition, self.small(0, 2), self.small(1, 3)))
            }
            18 => (
                "sum without",
                sum(select(Select::DropHigh, number(1), list())),
            ),
            _ => ("last", select(Select::Last, number(1), list())),
        };
        self.form(form);
        rule
    }

    /// A list, or a comparison, of a list.
    fn list_of(&mut self, list: &Rule) -> Rule {
        let list = || list.clone();
        let (form, rule) = match self.choose(13) {
            0 | 1 => ("itself", list()),
            2 => ("high", select(Select::High, self.small(1, 2), list())),
            3 => ("low", select(Select::Low, self.small(1, 2), list())),
            4 => ("first", select(Select::First, self.small(1, 3), list())),
            5 => ("last", select(Select::Last, self.small(1, 3), list())),
            6 => ("rest", select(Select::DropFirst, number(1), list())),
            7 => ("filter", self.passing(list())),
            8 => {
                let value = self.number_of(&list());
                ("compared", self.passing(value))
            }
            9 => {
                let name = self.name();
                let image = arithmetic(Rule::Variable(name), '%', number(2));
                ("mapped", Rule::Foreach(name, boxed(list()), boxed(image)))
            }
            10 => ("set", self.set(list())),
            11 => ("sorted", Rule::Sort(boxed(list()))),
            _ => ("reversed", Rule::Reverse(boxed(list()))),
        };
        self.form(form);
        rule
    }

    /// Each face of a list once.
    fn set(&mut self, list: Rule) -> Rule {
        let name = self.name();
        let equal = filter(Comparison::Equal, Rule::Variable(name), list);
        let faces = Rule::Range(boxed(number(1)), boxed(self.small(3, 6)));
        Rule::Foreach(
            name,
            boxed(faces),
            boxed(select(Select::First, number(1), equal)),
        )
    }

    /// A value of a list that uses it more than once; it is a variable.
    fn shared(&mut self, list: &Rule) -> Rule {
        let x = || list.clone();
        let (form, rule) = match self.choose(12) {
            0 => (
                "pair",
                Rule::Joined(vec![self.number_of(&x()), self.number_of(&x())]),
            ),
            1 => (
                "difference",
                arithmetic(self.number_of(&x()), '-', self.number_of(&x())),
            ),
            2 => (
                "sum of two",
                arithmetic(self.number_of(&x()), '+', self.number_of(&x())),
            ),
            3 => {
                let condition = self.passing(x());
                (
                    "choice",
                    choice(condition, self.number_of(&x()), self.number_of(&x())),
                )
            }
            4 => (
                "product",
                arithmetic(self.number_of(&x()), '*', self.number_of(&x())),
            ),
            5 => ("remainder", {
                let divisor = arithmetic(count(x()), '+', number(1));
                arithmetic(self.number_of(&x()), '%', divisor)
            }),
            6 => ("mean", arithmetic(sum(x()), '/', count(x()))),
            7 => ("count best", {
                let best = sum(select(Select::High, number(1), x()));
                count(filter(Comparison::Equal, best, x()))
            }),
            8 => ("best of two", {
                let both = Rule::Joined(vec![self.number_of(&x()), self.number_of(&x())]);
                select(Select::High, number(1), both)
            }),
            9 => ("span", {
                let best = sum(select(Select::High, number(1), x()));
                arithmetic(best, '-', sum(select(Select::Low, number(1), x())))
            }),
            10 => ("compared with own", {
                let comparison = self.comparison();
                filter(comparison, self.number_of(&x()), x())
            }),
            _ => ("compared numbers", {
                let comparison = self.comparison();
                let (a, b) = (self.number_of(&x()), self.number_of(&x()));
                choice(filter(comparison, a, b), number(1), number(0))
            }),
        };
        self.form(form);
        rule
    }

    /// What matching dice show.
    fn matching(&mut self, list: &Rule) -> Rule {
        let x = || list.clone();
        let name = self.name();
        let face = || Rule::Variable(name);
        let faces = Rule::Range(boxed(number(1)), boxed(self.small(4, 9)));
        let equal = count(filter(Comparison::Equal, face(), x()));
        let several = |n| filter(Comparison::GreaterOrEqual, number(n), equal.clone());
        let each = |faces: Rule, image: Rule| Rule::Foreach(name, boxed(faces), boxed(image));
        let (form, rule) = match self.choose(9) {
            0 => {
                let first = filter(Comparison::Equal, face(), x());
                let first = select(Select::First, number(1), first);
                ("different", count(each(faces, first)))
            }
            1 => ("matched sum", {
                let n = self.between(2, 3);
                let all = arithmetic(face(), '*', equal.clone());
                sum(each(faces, choice(several(n), all, nothing())))
            }),
            2 => (
                "largest group",
                select(Select::High, number(1), each(faces, equal)),
            ),
            3 => ("highest pair", {
                let pair = Rule::Joined(vec![
                    number(0),
                    each(faces, choice(several(2), face(), nothing())),
                ]);
                select(Select::High, number(1), pair)
            }),
            4 => ("pairs", {
                count(each(faces, choice(several(2), face(), nothing())))
            }),
            5 => ("set", self.set(x())),
            6 => ("lonely", {
                let one = filter(Comparison::Equal, number(1), equal);
                sum(each(x(), choice(one, face(), nothing())))
            }),
            7 => ("group of each", sum(each(x(), equal))),
            _ => ("groups", each(faces, equal)),
        };
        self.form(form);
        rule
    }

    /// Dice of several kinds.
    fn unlike(&mut self) -> Rule {
        self.form("unlike");
        let kinds = self.between(2, 4);
        let mut parts = Vec::new();
        for _ in 0..kinds {
            let die = die_of(self.sides());
            let die = match self.choose(8) {
                5 => arithmetic(die, '+', number(1)),
                6 => copies(number(2), die),
                7 if self.has_names() => {
                    let inner = self.looped();
                    match self.choose(2) {
                        0 => self.number_of(&inner),
                        _ => inner,
                    }
                }
                _ => die,
            };
            parts.push(self.risky(die));
        }
        Rule::Joined(parts)
    }

    /// Something that fails behind a number.
    fn behind(&mut self, value: Rule) -> Rule {
        let c = self.small(0, 3);
        let (form, rule) = match self.choose(6) {
            0 => (
                "divisor",
                arithmetic(number(6), '/', arithmetic(value, '-', c)),
            ),
            1 => ("sides", Rule::Die(boxed(value))),
            2 => ("copies", copies(arithmetic(value, '-', c), die_of(2))),
            3 => (
                "modulus",
                arithmetic(number(7), '%', arithmetic(value, '%', number(3))),
            ),
            4 => {
                let condition = filter(Comparison::Equal, c, value);
                ("condition", choice(condition, self.error(), number(1)))
            }
            _ => ("unused", {
                let name = self.name();
                let failing = arithmetic(number(1), '/', arithmetic(value, '-', c));
                Rule::Let(name, boxed(failing), boxed(self.small(1, 3)))
            }),
        };
        self.form(form);
        rule
    }

    fn rule(&mut self) -> Rule {
        match self.choose(12) {
            0..=2 => {
                let looped = self.looped();
                self.number_of(&looped)
            }
            3 => {
                let looped = self.looped();
                self.list_of(&looped)
            }
            4 | 5 => {
                let looped = self.looped();
                let name = self.name();
                let body = self.shared(&Rule::Variable(name));
                Rule::Let(name, boxed(looped), boxed(body))
            }
            6 => {
                let dice = self.unlike();
                let name = self.name();
                let body = match self.choose(4) {
                    3 => self.shared(&Rule::Variable(name)),
                    _ => self.matching(&Rule::Variable(name)),
                };
                Rule::Let(name, boxed(dice), boxed(body))
            }
            7 => {
                let looped = self.looped();
                let name = self.name();
                let body = self.matching(&Rule::Variable(name));
                Rule::Let(name, boxed(looped), boxed(body))
            }
            8 => {
                let looped = self.looped();
                let value = self.number_of(&looped);
                self.behind(value)
            }
            9 => {
                let (one, other) = (self.looped(), self.looped());
                let (one, other) = (self.number_of(&one), self.number_of(&other));
                match self.choose(6) {
                    0 => arithmetic(one, '+', other),
                    1 => arithmetic(one, '-', other),
                    2 => select(Select::High, number(1), Rule::Joined(vec![one, other])),
                    3 => {
                        let comparison = self.comparison();
                        count(filter(comparison, one, other))
                    }
                    4 => arithmetic(one, '*', other),
                    _ => Rule::Joined(vec![one, other]),
                }
            }
            10 => {
                let looped = self.looped();
                let value = self.number_of(&looped);
                let several = copies(self.small(2, 3), value);
                self.form("several");
                match self.choose(3) {
                    0 => sum(several),
                    1 => select(Select::High, number(1), several),
                    _ => count(self.passing(several)),
                }
            }
            _ => {
                let looped = self.looped();
                let condition = if self.choose(2) == 0 {
                    looped
                } else {
                    self.number_of(&looped)
                };
                let condition = self.passing(condition);
                let other = self.looped();
                self.form("condition");
                let (one, other) = (self.small(0, 2), self.number_of(&other));
                choice(condition, other, one)
            }
        }
    }
}
