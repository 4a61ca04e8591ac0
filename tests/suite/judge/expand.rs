//! What the shorter forms of the language page stand for.

use super::tree::{Form, Tree, Word};

fn name(of: &str) -> Tree {
    Tree::name(&Word::from(of))
}

/// The same rule without a form that stands for others; `None` if the tree has no such form at its top.
pub(super) fn expanded(tree: &Tree) -> Option<Tree> {
    let parts = &tree.parts;
    Some(match &tree.form {
        Form::Again(word, true) => {
            let each = again(word, &parts[0], Some(name("zl")));
            Tree::new(Form::Let("zl".into()), [parts[1].clone(), each])
        }
        Form::Again(word, false) => again(word, &parts[0], None),
        Form::Select(member) => {
            let kept = Tree::new(
                Form::If,
                [
                    parts[1].clone(),
                    Tree::name(member),
                    Tree::new(Form::Join, []),
                ],
            );
            Tree::new(Form::Foreach(member.clone()), [parts[0].clone(), kept])
        }
        Form::Cases(has_else) => {
            let (arms, otherwise) = parts.split_at(parts.len() - usize::from(*has_else));
            // A value that no arm is for is the same error.
            let nothing = Tree::new(Form::Case(Vec::new(), false), [Tree::number(1)]);
            let last = otherwise.first().cloned().unwrap_or(nothing);
            arms.chunks(2).rev().fold(last, |other, arm| {
                Tree::new(Form::If, [arm[0].clone(), arm[1].clone(), other])
            })
        }
        _ => return None,
    })
}

/// Dice that explode or are rolled again, each by itself.
fn again(word: &'static str, dice: &Tree, on: Option<Tree>) -> Tree {
    match (&dice.form, &on) {
        (Form::Join, _) if dice.parts.len() != 1 => {
            let each = dice.parts.iter().map(|die| again(word, die, on.clone()));
            return Tree::new(Form::Join, each.collect::<Vec<_>>());
        }
        (Form::Infix("#"), _) => {
            let each = again(word, &dice.parts[1], on);
            return Tree::new(Form::Infix("#"), [dice.parts[0].clone(), each]);
        }
        (Form::Die, None) => {
            let die = Tree::new(Form::Die, [name("zs")]);
            let each = again(word, &die, Some(name("zs")));
            return Tree::new(Form::Let("zs".into()), [dice.parts[0].clone(), each]);
        }
        (Form::Faces { weighted, .. }, None) => {
            let mut parts = dice.parts.iter();
            let faces = weighted.iter().map(|has_weight| {
                let face = parts.next().expect("a face").clone();
                if *has_weight {
                    parts.next();
                }
                face
            });
            let greatest = Tree::new(Form::Call("max".into()), faces.collect::<Vec<_>>());
            let each = again(word, dice, Some(name("zs")));
            return Tree::new(Form::Let("zs".into()), [greatest, each]);
        }
        _ => {}
    }
    let on = on.expect("on what is said, or seen in the dice");
    let (shown, die): (Word, _) = ("zz".into(), || dice.clone());
    let test = Tree::new(Form::Take("==", false), [Tree::name(&shown), on]);
    match word {
        "explode" => {
            let next = Tree::new(Form::If, [test, die(), Tree::new(Form::Join, [])]);
            Tree::new(Form::While(shown), [die(), next])
        }
        "once" => {
            let other = Tree::new(Form::If, [test, die(), Tree::name(&shown)]);
            Tree::new(Form::Let(shown), [die(), other])
        }
        _ => Tree::new(
            Form::Reroll(shown),
            [die(), Tree::new(Form::Prefix("not"), [test])],
        ),
    }
}
