//! Laws: changes of a rule that change nothing.

use std::rc::Rc;

use super::expand::expanded;
use super::generate::Random;
use super::tree::{Arm, Definition, FUNCTIONS, Form, How, Program, Tree, Word};

/// A name that no rule has.
const FRESH: &str = "z";

fn fresh() -> Word {
    FRESH.into()
}

fn bind(value: Tree, body: Tree) -> Tree {
    Tree::new(Form::Let(fresh()), [value, body])
}

/// `let z = P in z`
fn named(part: &Tree) -> Option<Tree> {
    Some(bind(part.clone(), Tree::name(&fresh())))
}

/// `let z = P in z + 0 * abs(z)`
fn with_nothing(part: &Tree) -> Option<Tree> {
    let is_number = match &part.form {
        Form::Number(_) | Form::Die | Form::Prefix("prod" | "count" | "-") => true,
        Form::Infix("/" | "%" | "div" | "mod" | "^" | ".") => true,
        Form::Call(name) => FUNCTIONS.contains(&&**name),
        _ => false,
    };
    let z = || Tree::name(&fresh());
    let nothing = Tree::new(Form::Call("abs".into()), [z()]);
    let nothing = Tree::new(Form::Infix("*"), [Tree::number(0), nothing]);
    is_number.then(|| bind(part.clone(), Tree::new(Form::Infix("+"), [z(), nothing])))
}

/// `case 1 {1: P}`
fn chosen(part: &Tree) -> Option<Tree> {
    let one = Tree::number(1);
    let form = Form::Case(vec![vec![Arm::Is(one.clone())]], false);
    Some(Tree::new(form, [one, part.clone()]))
}

/// A state that is passed on unchanged is bound outside of its loop.
fn outside(part: &Tree) -> Option<Tree> {
    let Form::Repeat {
        names,
        how,
        has_then: true,
    } = &part.form
    else {
        return None;
    };
    let (states, name) = (names.len(), names.first()?);
    let others = &part.parts[1..states];
    let counter = matches!(how, How::For(counter) if counter == name);
    let mut round = part.parts[states + 1].clone();
    if states < 2
        || counter
        || others.iter().any(|first| first.free().contains(name))
        || !drop_first(&mut round, name, states)
    {
        return None;
    }
    if matches!(how, How::For(_)) && part.parts[states].free().contains(name) {
        return None;
    }
    let mut parts = part.parts[1..].to_vec();
    parts[states] = round;
    let form = Form::Repeat {
        names: names[1..].into(),
        how: how.clone(),
        has_then: true,
    };
    let inner = Tree::new(form, parts);
    Some(Tree::new(
        Form::Let(name.clone()),
        [part.parts[0].clone(), inner],
    ))
}

/// Leaves the first of the new values out, if it is the state of this name.
fn drop_first(round: &mut Tree, name: &Word, states: usize) -> bool {
    match &round.form {
        Form::Values => {
            if round.parts.remove(0).form != Form::Name(name.clone()) {
                return false;
            }
            if states == 2 {
                *round = round.parts.remove(0);
            }
            true
        }
        Form::Let(bound) if bound == name => false,
        Form::Let(_) => drop_first(&mut round.parts[1], name, states),
        Form::Cases(_) => {
            *round = expanded(round).expect("it stands for conditions");
            drop_first(round, name, states)
        }
        _ => round.parts[1..]
            .iter_mut()
            .all(|part| drop_first(part, name, states)),
    }
}

/// `E given C` where a number stands for what is left out: `if C then E else 99999`.
fn joint(part: &Tree) -> Option<Tree> {
    let [value, condition] = &part.parts[..] else {
        return None;
    };
    let parts = [condition.clone(), value.clone(), Tree::number(LEFT_OUT)];
    (part.form == Form::Given).then(|| Tree::new(Form::If, parts))
}

/// The value of rolls that are left out.
pub(super) const LEFT_OUT: i128 = 99_999;

/// `let p = A in B` as a call of `def f(p) = B`, if B uses nothing else.
fn called(program: &Program, random: &mut Random) -> Option<Program> {
    let mut program = program.clone();
    let defined: Vec<Word> = program
        .definitions
        .iter()
        .map(|one| one.name.clone())
        .collect();
    // A definition does not see what is bound around its call.
    if program.rule.binds(&defined) {
        return None;
    }
    let mut definition = None;
    let found = replaced(&program.rule, random, &mut |part| {
        let Form::Let(name) = &part.form else {
            return None;
        };
        let body = &part.parts[1];
        let is_whole = body
            .free()
            .iter()
            .all(|free| free == name || defined.contains(free));
        // In a definition a branch that is known not to be taken has no condition either.
        if !is_whole || defined.contains(name) || body.gives_states() || body.has_condition() {
            return None;
        }
        let parameters = Some(vec![name.clone()]);
        definition = Some(Definition {
            name: "h".into(),
            parameters,
            body: body.clone(),
        });
        Some(Tree::new(Form::Call("h".into()), [part.parts[0].clone()]))
    })?;
    program.definitions.push(definition?);
    program.rule = found;
    Some(program)
}

/// A tree with one of its parts changed, if any can be.
fn replaced(
    tree: &Tree,
    random: &mut Random,
    change: &mut dyn FnMut(&Tree) -> Option<Tree>,
) -> Option<Tree> {
    let start = random.below(tree.parts.len() as u64 + 1);
    if start == 0
        && let Some(changed) = change(tree)
    {
        return Some(changed);
    }
    for place in 0..tree.parts.len() {
        let place = (place + usize::try_from(start).expect("a place")) % tree.parts.len();
        let is_read_as_written = match &tree.form {
            // A face with a weight may have to be known before any roll.
            Form::Faces { weighted, .. } => weighted.contains(&true),
            // Several dice that are rolled again are dice to the letter, and without `on` they say which faces explode.
            Form::Again(..) => place == 0,
            _ => false,
        };
        if is_read_as_written {
            continue;
        }
        if let Some(part) = replaced(&tree.parts[place], random, change) {
            let mut parts = tree.parts.clone();
            parts[place] = part;
            return Some(Tree {
                form: tree.form.clone(),
                parts,
            });
        }
    }
    if start == 0 { None } else { change(tree) }
}

fn has_given(tree: &Tree) -> bool {
    tree.form == Form::Given || tree.parts.iter().any(has_given)
}

/// A rule that means the same, and what was done; `None` if nothing could be done.
pub(super) fn changed(program: &Program, random: &mut Random) -> Option<(&'static str, Program)> {
    let laws: [(&str, fn(&Tree) -> Option<Tree>); 5] = [
        ("named", named),
        ("with nothing added", with_nothing),
        ("chosen", chosen),
        ("bound outside", outside),
        ("joint", joint),
    ];
    let law = random.below(6);
    let Some((name, change)) = laws.get(usize::try_from(law).expect("short")) else {
        return Some(("called", called(program, random)?));
    };
    let uses: Rc<[Word]> = program
        .definitions
        .iter()
        .map(|one| one.name.clone())
        .collect();
    let mut change = |part: &Tree| {
        // A call of a definition with `given` must stay the last step.
        let last =
            |tree: &Tree| has_given(tree) || tree.free().iter().any(|name| uses.contains(name));
        let is_kept =
            !part.gives_states() && (*name == "bound outside" || *name == "joint" || !last(part));
        if is_kept { change(part) } else { None }
    };
    let rule = replaced(&program.rule, random, &mut change)?;
    Some((
        name,
        Program {
            definitions: program.definitions.clone(),
            rule,
        },
    ))
}
