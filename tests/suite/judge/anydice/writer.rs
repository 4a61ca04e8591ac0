//! Random programs as text. A list of numbers makes all choices, and 0 is the simplest one, so that a program that fails shrinks.

use std::fmt::Write as _;

use Kind::{Die, Number, Sequence};

/// The kinds that a value is written for. Now and then another kind is written, as programs do.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Sequence,
    Die,
}

/// Two variables of each kind, which have values from the start.
const NAMES: [[&str; 2]; 3] = [["N", "M"], ["S", "T"], ["C", "D"]];

/// Values without parts, for each kind.
const LEAVES: [&str; 3] = [
    "1; 2; 0; 3; N; M; -1; -2; 4; 10; -13",
    "{1}; {}; {1,2}; S; T; {3,1,1}; {0}; {-1,2}; {2,2}",
    "d1; d2; C; D; 0d2; d{}; 2d2; d0; d{0,1}; -1d3; d-2; 3d2; d{2}; 2d{-1,1}; d{1,1,3}; 3d1; 2d0; 3d3",
];

/// Values of each kind, with the kinds of their parts: `%n`, `%s`, `%v` for a number, a sequence, a die, `%?` for any value. Parts in
/// capital letters stand in parentheses most of the time.
const FORMS: [&str; 3] = [
    "%N+%N; %N-%N; %N*%N; %N/%N; %N=%N; %S=%N; %N<%S; %S>=%N; %S<=%S; %S!=%S; %N&%N; %N|%S; #%S; #%V; #%N; %N@%S; %S@%S; %N@%N; \
     [absolute %n]; [count %s in %s]; [%s contains %n]; [maximum of %v]; !%N; -%N; -%S; %N^%N; %S+%N; %N>%N; %N != %N; \
     [highest of %n and %n]; [lowest of %n and %s]",
    "{%?}; {%n,%n}; {%n..%n}; {%s,%n}; {%v}; {%n:%n,%s}; [sort %s]; [reverse %s]; {%n..%n:%n}; {%n,%s,%v}; {}; +%S",
    "d %N; %N d %N; d %S; %N d %S; %N d %V; %V d %N; %V d %V; %S d %V; d %V; %V+%N; %V+%V; %V-%V; %N-%V; %V*%N; %V/%V; %V^%N; %N^%V; \
     %V=%N; %V<%V; %V!=%V; %V>=%S; %S<%V; %V&%V; %V|%?; -%V; !%V; %N@%V; %S@%V; [highest %n of %v]; [lowest %n of %v]; \
     [middle %n of %v]; [highest %v of %v]; [middle %v of %v]; [highest of %v and %?]; [lowest of %? and %v]; [explode %v]; \
     [absolute %v]; [count %s in %v]; [count %v in %s]; [%v contains %n]; [%s contains %v]; [sort %v]; [reverse %v]; \
     [highest %n of %v and %v]; [lowest %n of %v and %?]; [lowest %n of %v and %v and %v]",
];

/// The same for bodies that look at a roll and compute with what it shows, which can be solved by states.
const OPEN_FORMS: [&str; 3] = [
    "%N+%N; %N-%N; %N*%N; %N/%N; %N=%N; %N<%N; 1@[reverse {%n,%n}]; %S=%N; %N<%S; %S>=%N; %N!=%S; %N&%N; %N|%N; #%S; %N@%S; 1@%S; {1,2}@%S; {2,2}@%S; \
     %S+%N; [absolute %n]; [count {1,2,2} in %s]; [count {%n,2} in %s]; [%s contains %n]; [highest of %n and %n]; !%N; -%N; 2^%N; \
     %N^%N; %N@{%n,%n,4}; %S>%S; %S=%S",
    "A; A; {%n,%s}; {%n,%n}; [sort {%s,%n}]; [reverse {%n,3,%n}]; [reverse {%n,A}]; {1..3}; [sort %s]",
    "d %N; %N d 2; (%N-%N)d 2; %S d %N; (%S>=%N)d%N; %N d 3 + %N; {1,2}@(%N d 3); [highest 1 of (%N<%S)d2]; 2 d %N; d %N = %N",
];

/// Loops over a roll, of which some only add up.
const OPEN_LOOPS: &str = "loop M over A { N: N - %n }; loop M over A { N: N - M if %n { N: N + %n } }; \
     loop M over A { if %n { N: N + %n } N: 3*N - M }";

const SETTINGS: [&str; 3] = [
    "; set \"maximum function depth\" to 2; set \"maximum function depth\" to 1; set \"maximum function depth\" to 3",
    "; set \"explode depth\" to 1; set \"explode depth\" to 2; set \"explode depth\" to 3",
    "; set \"position order\" to \"lowest first\"; set \"position order\" to \"highest first\"",
];

pub(super) struct Writer<'c> {
    choices: &'c [u16],
    /// The letters of the functions that can be called, and the kinds of their parameters.
    functions: Vec<(char, Vec<Kind>)>,
    /// The parameters of the body that is written.
    parameters: Vec<(&'static str, Kind)>,
    /// Whether the body that is written can be solved by states, most likely.
    is_open: bool,
    text: String,
}

/// The program that some choices make, after its first statement.
pub(super) fn program(choices: &[u16], start: &str) -> String {
    let text = format!("{start} N: 2 M: 0 S: {{1, 2}} T: {{}} D: d3 ");
    let mut writer = Writer {
        choices,
        functions: Vec::new(),
        parameters: Vec::new(),
        is_open: false,
        text,
    };
    for settings in SETTINGS {
        writer.put_one(settings);
        writer.text.push(' ');
    }
    for letter in ['f', 'g', 'h'] {
        if writer.choose(3) > 0 {
            writer.function(letter);
        }
    }
    for _ in 0..=writer.choose(3) {
        writer.statement(2, false);
    }
    for function in writer.functions.clone() {
        writer.text += "output ";
        let depth = writer.choose(2);
        writer.call(function, Die, depth);
        writer.text.push(' ');
    }
    writer.put("output %?", 3);
    writer.text
}

impl Writer<'_> {
    /// One of so many choices, or the first when all numbers are used.
    fn choose(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else {
            return 0;
        };
        self.choices = rest;
        usize::from(*first) % count
    }

    fn one<'t>(&mut self, texts: &'t str) -> &'t str {
        let texts: Vec<&str> = texts.split("; ").collect();
        texts[self.choose(texts.len())]
    }

    fn put_one(&mut self, texts: &str) {
        let text = self.one(texts);
        self.text += text;
    }

    /// Writes a form with its parts.
    fn put(&mut self, form: &str, depth: usize) {
        let mut parts = form.split('%');
        self.text += parts.next().unwrap_or_default();
        for part in parts {
            let (letter, rest) = part.split_at(1);
            let is_loose = !"NSV".contains(letter) || self.choose(6) == 5;
            self.text += if is_loose { "" } else { "(" };
            let kind = match letter {
                "n" | "N" => Number,
                "s" | "S" => Sequence,
                "v" | "V" => Die,
                _ => self.any(),
            };
            self.value(kind, depth);
            self.text += if is_loose { "" } else { ")" };
            self.text += rest;
        }
    }

    fn any(&mut self) -> Kind {
        [Die, Number, Sequence][self.choose(3)]
    }

    fn value(&mut self, kind: Kind, depth: usize) {
        let kind = if self.choose(100) == 99 {
            self.any()
        } else {
            kind
        };
        // What comes out of a call is a die at times, which is an error where a number must be.
        let often = if kind == Die { 3 } else { 30 };
        if depth == 0 || self.choose(4) == 0 {
            let own: Vec<&str> = self
                .parameters
                .iter()
                .filter(|(_, own)| *own == kind)
                .map(|(name, _)| *name)
                .collect();
            let leaves = if own.is_empty() || self.choose(3) == 0 {
                LEAVES[kind as usize]
            } else {
                &own.join("; ")
            };
            self.put_one(leaves);
        } else if self.choose(often) == 1 && !self.functions.is_empty() && !self.is_open {
            let at = self.choose(self.functions.len());
            self.call(self.functions[at].clone(), kind, depth - 1);
        } else {
            let forms = if self.is_open { OPEN_FORMS } else { FORMS };
            let form = self.one(forms[kind as usize]);
            self.put(form, depth - 1);
        }
    }

    /// Writes a call of a function, with dice most of the time where the value is to be a die.
    fn call(&mut self, (letter, kinds): (char, Vec<Kind>), kind: Kind, depth: usize) {
        let is_of_dice = kind == Die && self.choose(3) > 0;
        write!(self.text, "[{letter} ").unwrap();
        for (place, kind) in kinds.into_iter().enumerate() {
            self.text += if place > 0 { " with " } else { "" };
            self.value(if is_of_dice { Die } else { kind }, depth);
        }
        self.text.push(']');
    }

    fn function(&mut self, letter: char) {
        write!(self.text, "function: {letter} ").unwrap();
        self.is_open = self.choose(2) == 1;
        for name in ["A", "B"].into_iter().take(1 + self.choose(2)) {
            let types = [
                (Number, ":n"),
                (Sequence, ":s"),
                (Die, ":d"),
                (Die, ""),
                (Number, ":n"),
                (Die, ":?"),
            ];
            let (kind, colon) = match (name, self.is_open) {
                ("A", true) => types[1],
                (_, true) => types[0],
                (_, false) => types[self.choose(6)],
            };
            self.text += if name == "B" { "with " } else { "" };
            write!(self.text, "{name}{colon} ").unwrap();
            self.parameters.push((name, kind));
        }
        let kinds = self.parameters.iter().map(|(_, kind)| *kind);
        let function = (letter, kinds.collect());
        // Some bodies call their own function, so that the depth counts.
        let is_recursive = self.choose(3) == 2;
        if is_recursive {
            self.functions.push(function.clone());
        }
        self.text += "{ ";
        for _ in 0..self.choose(4) {
            self.statement(2, true);
        }
        if self.choose(5) < 4 {
            self.put(
                if self.is_open {
                    "result: 5*N + M + %n"
                } else {
                    "result: %?"
                },
                2,
            );
            if self.is_open && self.choose(3) == 2 {
                self.put(" + %V", 1);
            }
        }
        self.text += " } ";
        self.is_open = false;
        self.parameters.clear();
        if !is_recursive {
            self.functions.push(function);
        }
    }

    fn statement(&mut self, depth: usize, is_body: bool) {
        match self.choose(if depth > 0 { 7 } else { 2 }) {
            0 | 1 => {
                let kind = [Number, Die, Sequence][if self.is_open { 0 } else { self.choose(3) }];
                let own = self.parameters.first().filter(|(_, own)| *own == kind);
                let [first, second] = NAMES[kind as usize];
                let names = [first, second, own.map_or(first, |(name, _)| name)];
                let name = names[self.choose(3)];
                write!(self.text, "{name}: ").unwrap();
                if self.is_open {
                    self.put_one("; N + ; N - ; 3*N + M - ");
                }
                self.value(kind, 2);
            }
            2 | 3 => {
                self.put("if %n ", 2);
                self.block(depth - 1, is_body);
                if self.choose(2) > 0 {
                    self.text += "else ";
                    if self.choose(3) == 2 {
                        self.put("if %n ", 1);
                    }
                    self.block(depth - 1, is_body);
                }
            }
            4 => {
                let name = self.one("M; N; A");
                self.put(&format!("loop {name} over %s "), usize::from(!self.is_open));
                self.block(depth - 1, is_body);
            }
            5 if self.is_open => {
                let form = self.one(OPEN_LOOPS);
                self.put(form, 1);
            }
            _ if self.is_open => self.put("if %n { result: %n }", 2),
            _ if is_body => self.put("if %n { result: %? }", 2),
            5 => self.put("output %?", 3),
            _ => {
                self.put("output %? named ", 2);
                self.put_one(
                    "\"[N]\"; \"[D] and [S]\"; \"[M][T]\"; \"[C D] [D\"; \"[X]\"; \"[D]\"",
                );
            }
        }
        self.text.push(' ');
    }

    fn block(&mut self, depth: usize, is_body: bool) {
        self.text += "{ ";
        for _ in 0..=self.choose(2) {
            self.statement(depth, is_body);
        }
        if is_body && self.choose(3) == 2 {
            self.put(
                if self.is_open {
                    "result: %n"
                } else {
                    "result: %?"
                },
                1,
            );
        }
        self.text += " } ";
    }
}
