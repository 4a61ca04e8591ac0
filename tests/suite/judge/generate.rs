//! Random rules, made of the templates in `forms.txt`.

use std::collections::BTreeMap;

use super::read::read_one;
use super::tree::{Definition, Form, How, Program, Tree, Word};

/// The types of values that rules have and that names are bound to.
const TYPES: [char; 7] = ['N', 'L', 'C', 'B', 'M', 'R', 'S'];

/// The names of variables, which hide each other, and the last of them a definition.
const NAMES: [&str; 5] = ["x", "y", "n", "q", "g"];

/// Pseudorandom numbers, the same on every machine.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64, index: u64) -> Self {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    pub(super) fn below(&mut self, options: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % options
    }

    pub(super) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let place = self.below(all.len() as u64);
        &all[usize::try_from(place).expect("a place")]
    }
}

/// Which rules a template is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// All, also where a rule must come to its end.
    Leaf,
    All,
    /// Those that may fail.
    Failing,
    /// Those that may never end.
    Endless,
}

/// The templates: their weights, the rules they are for, the types of their values, and their trees.
pub(crate) struct Forms(Vec<(u64, For, char, Tree)>);

impl Forms {
    pub(crate) fn new() -> Self {
        let lines = include_str!("forms.txt").lines().skip(7);
        let forms = lines.flat_map(|line| {
            let (head, texts) = line.split_once(": ").expect("a head and texts");
            let [kind, what, weight] = head.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{head} has three words");
            };
            let what = match what {
                "leaf" => For::Leaf,
                "fails" => For::Failing,
                "endless" => For::Endless,
                _ => For::All,
            };
            let (kind, weight) = (kind.chars().next().unwrap(), weight.parse().unwrap());
            texts
                .split(" | ")
                .map(move |text| (weight, what, kind, read_one(text)))
        });
        Self(forms.collect())
    }
}

struct Generator<'f> {
    forms: &'f Forms,
    random: Random,
    /// How many more templates may be filled that are no leaves.
    fuel: u64,
    fails: bool,
    never_ends: bool,
    /// The type of the rule, or of the definition.
    own: char,
    scope: Vec<(Word, char)>,
    /// What the names of the templates are called now.
    renamed: Vec<(Word, Word)>,
    /// The definitions so far: the types of their arguments and values, and whether `given` may be in them.
    definitions: Vec<(Definition, Vec<char>, char, bool)>,
}

/// The text of a random rule with the definitions before it.
pub(crate) fn text(forms: &Forms, seed: u64, index: u64) -> String {
    generate(forms, seed, index).0.to_string()
}

/// A random rule, and whether a part may fail.
pub(super) fn generate(forms: &Forms, seed: u64, index: u64) -> (Program, bool) {
    let mut random = Random::new(seed, index);
    let dangers = random.below(6);
    let (fails, never_ends) = (dangers >= 4, dangers % 2 == 1 && dangers > 1);
    let mut generator = Generator {
        forms,
        random,
        fuel: 0,
        fails,
        never_ends,
        own: 'N',
        scope: Vec::new(),
        renamed: Vec::new(),
        definitions: Vec::new(),
    };
    let kind = match generator.random.below(2) {
        0 => 'N',
        _ => *generator.random.one_of(&TYPES),
    };
    let has_given = generator.random.below(3) == 0;
    for name in ["f", "g"] {
        if generator.random.below(4) == 0 {
            generator.define(name, kind, has_given);
        }
    }
    generator.fuel = 1 + generator.random.below(7);
    generator.own = kind;
    let rule = generator.make(if has_given { 'E' } else { kind });
    let definitions = generator.definitions.into_iter();
    let definitions = definitions.map(|(definition, ..)| definition).collect();
    (Program { definitions, rule }, fails)
}

impl Generator<'_> {
    fn define(&mut self, name: &str, of_rule: char, has_given: bool) {
        let is_last = has_given && self.random.below(3) == 0;
        self.own = if is_last || self.random.below(2) == 0 {
            of_rule
        } else {
            *self.random.one_of(&TYPES)
        };
        self.fuel = self.random.below(4);
        // What a variable may hide has no parameters: a call of it could not be read.
        let arguments = if NAMES.contains(&name) {
            0
        } else {
            1 + self.random.below(2)
        };
        let types: Vec<char> = (0..arguments)
            .map(|_| *self.random.one_of(&TYPES))
            .collect();
        let names: Vec<Word> = ["x", "k"]
            .into_iter()
            .map(Word::from)
            .take(types.len())
            .collect();
        self.scope = names.iter().cloned().zip(types.iter().copied()).collect();
        let body = self.make(if is_last { 'E' } else { self.own });
        self.scope.clear();
        let parameters = (!names.is_empty()).then_some(names);
        let definition = Definition {
            name: name.into(),
            parameters,
            body,
        };
        self.definitions
            .push((definition, types, self.own, is_last));
    }

    /// A value of a type.
    fn make(&mut self, kind: char) -> Tree {
        let is_last = kind == 'E';
        let value = if is_last || kind == 'V' {
            self.own
        } else {
            kind
        };
        if kind == 'K' {
            return Tree::number(i128::from(self.random.below(4)));
        }
        if !is_last
            && self.random.below(5) < 3
            && let Some(name) = self.variable(value)
        {
            return Tree::name(&name);
        }
        if self.random.below(6) == 0
            && let Some(call) = self.call(value, is_last)
        {
            return call;
        }
        let is_leaf = self.fuel == 0;
        self.fuel = self.fuel.saturating_sub(1);
        let (fails, never_ends) = (self.fails, self.never_ends);
        let forms = self.forms;
        let fits = |of: char| {
            of == if kind == 'V' { value } else { kind } || of == 'V' && TYPES.contains(&kind)
        };
        let all = forms.0.iter().filter(|(_, what, of, _)| {
            let is_allowed = match what {
                For::Leaf => true,
                For::All => !is_leaf,
                For::Failing => fails && !is_leaf,
                For::Endless => never_ends && !is_leaf,
            };
            is_allowed && (fits(*of) || is_leaf && *of == kind)
        });
        // The types without leaves have simple templates.
        let mut all: Vec<_> = all.collect();
        if all.is_empty() {
            all = forms
                .0
                .iter()
                .filter(|(_, what, of, _)| *of == kind && *what == For::All)
                .collect();
        }
        let total = all.iter().map(|(weight, ..)| weight).sum();
        let mut place = self.random.below(total);
        let chosen = all.into_iter().find(|(weight, ..)| {
            let is_here = place < *weight;
            place = place.wrapping_sub(*weight);
            is_here
        });
        let (_, _, of, template) = chosen.expect("the weights have this total");
        // Within a template for all types, `V` is the type that is asked for.
        let own = self.own;
        if *of == 'V' || is_last {
            self.own = value;
        }
        let names = std::mem::take(&mut self.renamed);
        let tree = self.fill(template);
        self.renamed = names;
        self.own = own;
        tree
    }

    /// A name of a type that is not hidden.
    fn variable(&mut self, kind: char) -> Option<Word> {
        let visible: BTreeMap<&Word, char> = self
            .scope
            .iter()
            .map(|(name, kind)| (name, *kind))
            .collect();
        let names: Vec<Word> = (visible.into_iter())
            .filter(|(_, of)| *of == kind)
            .map(|(name, _)| name.clone())
            .collect();
        (!names.is_empty()).then(|| self.random.one_of(&names).clone())
    }

    fn call(&mut self, kind: char, is_last: bool) -> Option<Tree> {
        let definitions = self
            .definitions
            .iter()
            .filter(|(definition, _, of, has_given)| {
                let is_hidden = self.scope.iter().any(|(name, _)| *name == definition.name);
                *of == kind && *has_given == is_last && !is_hidden
            });
        let found: Vec<(Word, Vec<char>)> = definitions
            .map(|(definition, types, ..)| (definition.name.clone(), types.clone()))
            .collect();
        if found.is_empty() {
            return None;
        }
        let (name, types) = self.random.one_of(&found).clone();
        if types.is_empty() {
            return Some(Tree::name(&name));
        }
        let arguments: Vec<Tree> = types.into_iter().map(|kind| self.make(kind)).collect();
        Some(Tree::new(Form::Call(name), arguments))
    }

    fn fill(&mut self, template: &Tree) -> Tree {
        if let Form::Name(name) = &template.form {
            if let Some((_, now)) = self.renamed.iter().rev().find(|(before, _)| before == name) {
                return Tree::name(&now.clone());
            }
            if name.len() == 1 && name.starts_with(char::is_uppercase) {
                return self.make(name.chars().next().expect("one letter"));
            }
            return template.clone();
        }
        let before = self.renamed.len();
        let mut form = template.form.clone();
        match &mut form {
            Form::Let(name)
            | Form::Foreach(name)
            | Form::While(name)
            | Form::Reroll(name)
            | Form::Select(name)
            | Form::Best(name, ..) => {
                self.rename(name);
            }
            Form::Repeat { names, how, .. } => {
                let mut new = names.to_vec();
                for name in &mut new {
                    self.rename(name);
                }
                *names = new.into();
                if let How::For(name) = how {
                    self.rename(name);
                }
            }
            _ => {}
        }
        let new = self.renamed.split_off(before);
        let mut parts = Vec::new();
        for (place, part) in template.parts.iter().enumerate() {
            let bound = template.bound_in(place);
            let scope = self.scope.len();
            for name in bound {
                let pair = new.iter().find(|(before, _)| *before == name);
                let (before, now) = pair
                    .cloned()
                    .unwrap_or_else(|| (name.clone(), name.clone()));
                let kind = before
                    .chars()
                    .nth(1)
                    .map_or('N', |kind| kind.to_ascii_uppercase());
                self.scope.push((now.clone(), kind));
                self.renamed.push((before, now));
            }
            parts.push(self.fill(part));
            self.scope.truncate(scope);
            self.renamed.truncate(before);
        }
        Tree::new(form, parts)
    }

    /// Another name for one of a template, such as `Xn`; the names of one form differ.
    fn rename(&mut self, name: &mut Word) {
        if !name.starts_with(char::is_uppercase) {
            return;
        }
        let taken: Vec<&str> = self.renamed.iter().map(|(_, now)| &**now).collect();
        let free: Vec<&str> = NAMES
            .into_iter()
            .filter(|name| !taken.contains(name))
            .collect();
        let now: Word = (*self.random.one_of(&free)).into();
        self.renamed.push((name.clone(), now.clone()));
        *name = now;
    }
}
