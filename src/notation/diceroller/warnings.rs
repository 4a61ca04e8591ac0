//! Warnings and notes about scripts that can be run but probably do not do what was intended.

use super::tree::{Action, Block, Instruction, OperandKind, Script, Sign};
use crate::error::Diagnostic;
use crate::notation::reader::quote::{MOST_LISTED, shortened};

/// The warnings and notes about a script, in the order of the text.
pub(super) fn warnings(script: &Script) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for id in script.ids() {
        in_block(script, script.node(id), id == script.root, &mut found);
    }
    found.sort_by_key(|warning: &Diagnostic| warning.span);
    found.truncate(MOST_LISTED);
    found
}

fn in_block(script: &Script, block: &Block, is_root: bool, found: &mut Vec<Diagnostic>) {
    for (index, &instruction) in block.iter().enumerate() {
        let (before, after) = (
            index.checked_sub(1).map(|index| block[index]),
            &block[index + 1..],
        );
        match instruction.kind {
            Action::Graph if !is_root => found.push(
                Diagnostic::new(instruction.span, "`G` shows nothing inside of brackets")
                    .with_code("graph-inside")
                    .with_help("write it at the end of the script, outside of all brackets"),
            ),
            Action::Graph => found.extend(repeated_for_a_graph(before)),
            Action::Keep(sign) => {
                found.extend(filter_for_a_sum(script, before, sign, instruction, after));
            }
            _ => {}
        }
    }
}

/// `2D6 S+3`: a filter where an addition was probably intended.
fn filter_for_a_sum(
    script: &Script,
    before: Option<Instruction>,
    sign: Sign,
    filter: Instruction,
    after: &[Instruction],
) -> Option<Diagnostic> {
    let Action::Push(argument) = before?.kind else {
        return None;
    };
    let pushed = *after.first()?;
    let Action::Push(value) = pushed.kind else {
        return None;
    };
    let (sign, bound) = match sign {
        Sign::Minus => ("-", "at most"),
        Sign::Plus => ("+", "at least"),
    };
    let is_taken = after
        .get(1)
        .is_some_and(|next| next.kind.stack_effect().0 > 0);
    let is_close = filter.span.end == value.span.start;
    let is_meant = argument.kind == OperandKind::Integer || value.kind != OperandKind::Integer;
    if is_taken || (is_meant && !is_close) {
        return None;
    }
    let [number, words] = [argument, value].map(|value| shortened(script.slice(value.span)));
    let limit = match argument.kind {
        OperandKind::Count => "the size of the pool",
        OperandKind::Integer => &number,
        OperandKind::Sum => "the sum of the pool",
    };
    let diagnostic = Diagnostic::new(
        argument.span.to(pushed.span),
        format!("`{number}{sign}` keeps what is {bound} {limit}, and then `{words}` is a number of its own"),
    ).with_code("filter")
    .with_note(format!("`{sign}` is a filter where a number is on the stack, and takes nothing behind it"));
    Some(if argument.kind == OperandKind::Sum {
        diagnostic.with_help(format!("write `{sign}{words} S` to add to the sum"))
    } else {
        diagnostic.with_help(format!("write `{number}{sign} {words}` if that is meant"))
    })
}

/// `1000{2D6 S} G`: a block that is repeated only for its shares.
fn repeated_for_a_graph(before: Option<Instruction>) -> Option<Diagnostic> {
    let Instruction {
        span,
        kind: Action::Block { pops: true, .. },
    } = before?
    else {
        return None;
    };
    Some(
        Diagnostic::new(
            span,
            "the shares of a repeated block are exact, however often it is repeated",
        )
        .with_code("repeated-graph")
        .with_label("once would do")
        .as_note(),
    )
}
