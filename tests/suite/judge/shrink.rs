//! Smaller rules with the same fault.

use std::time::{Duration, Instant};

use super::tree::{Form, Program, Tree};

/// All rules that come of replacing one part of a tree.
pub(super) fn smaller(tree: &Tree) -> Vec<Tree> {
    let is_round = tree.gives_states();
    let parts = tree
        .parts
        .iter()
        .filter(|part| part.gives_states() == is_round);
    let mut all: Vec<Tree> = parts.cloned().collect();
    if tree.size() > 1 && !is_round {
        all.extend([
            Tree::number(1),
            Tree::new(Form::Join, []),
            Tree::new(Form::Die, [Tree::number(2)]),
        ]);
    }
    if matches!(tree.form, Form::Number(2..)) {
        all.push(Tree::number(1));
    }
    if let Form::Join = tree.form {
        for place in 0..tree.parts.len() {
            let mut parts = tree.parts.clone();
            parts.remove(place);
            all.push(Tree::new(Form::Join, parts));
        }
    }
    for (place, part) in tree.parts.iter().enumerate() {
        for smaller in smaller(part) {
            if part.gives_states() != smaller.gives_states() {
                continue;
            }
            let mut parts = tree.parts.clone();
            parts[place] = smaller;
            all.push(Tree::new(tree.form.clone(), parts));
        }
    }
    all
}

/// The smallest rule with a fault that is found in some time.
pub(super) fn shrunk(program: &Program, has_fault: impl Fn(&Program) -> bool) -> Program {
    let end = Instant::now() + Duration::from_secs(10);
    let mut best = program.clone();
    let length = |program: &Program| program.to_string().len();
    loop {
        let mut all: Vec<Program> = Vec::new();
        for place in 0..best.definitions.len() {
            let mut other = best.clone();
            other.definitions.remove(place);
            all.push(other);
            for body in smaller(&best.definitions[place].body) {
                let mut other = best.clone();
                other.definitions[place].body = body;
                all.push(other);
            }
        }
        let definitions = &best.definitions;
        let rules = smaller(&best.rule).into_iter();
        all.extend(rules.map(|rule| Program {
            definitions: definitions.clone(),
            rule,
        }));
        all.retain(|other| length(other) < length(&best) && other.is_whole());
        all.sort_by_key(length);
        let found = all
            .into_iter()
            .find(|other| Instant::now() < end && has_fault(other));
        match found {
            Some(other) => best = other,
            None => return best,
        }
    }
}
