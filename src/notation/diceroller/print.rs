//! Prints a script: its canonical text, and its tree for people.

use super::tree::{Action, Block, Operand, OperandKind, Script, Sign};
use crate::notation::extreme::Extreme;
use crate::notation::reader::outline;
use crate::stack;

/// The canonical text: one blank between instructions, but none between a number and the instruction that takes it.
pub(super) fn text(script: &Script) -> String {
    let mut text = String::new();
    write_block(script, script.node(script.root), &mut text);
    text
}

fn write_block(script: &Script, block: &Block, out: &mut String) {
    for (index, instruction) in block.iter().enumerate() {
        if index > 0 {
            let is_pushed = matches!(block[index - 1].kind, Action::Push(_));
            if !is_pushed || instruction.kind.stack_effect().0 == 0 {
                out.push(' ');
            }
        }
        match instruction.kind {
            Action::Append(sign, value) => write_with(script, symbol(sign), value, out),
            Action::Block { body, .. } => write_bracketed(script, script.node(body), "{}", out),
            Action::Graph => out.push('G'),
            Action::Keep(sign) => out.push_str(symbol(sign)),
            Action::Multiply(value) => write_with(script, "*", value, out),
            Action::Print => out.push('P'),
            Action::Push(value) => write_with(script, "", value, out),
            Action::Remove { filter, then } => {
                write_bracketed(script, script.node(filter), "[]", out);
                if let Some(then) = then {
                    write_bracketed(script, script.node(then.body), "{}", out);
                }
            }
            Action::Roll { sides, .. } => write_with(script, "D", sides, out),
            Action::Select(Extreme::High, value) => write_with(script, "H", value, out),
            Action::Select(Extreme::Low, value) => write_with(script, "L", value, out),
            Action::Verbosity(value) => write_with(script, "V", value, out),
        }
    }
}

fn write_bracketed(script: &Script, block: &Block, brackets: &str, out: &mut String) {
    let (open, close) = brackets.split_at(1);
    out.push_str(open);
    stack::level(|| write_block(script, block, out));
    out.push_str(close);
}

fn write_with(script: &Script, instruction: &str, value: Operand, out: &mut String) {
    out.push_str(instruction);
    let digits = script.slice(value.span);
    out.push_str(match value.kind {
        OperandKind::Integer => match digits.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        },
        OperandKind::Count | OperandKind::Sum => digits,
    });
}

fn symbol(sign: Sign) -> &'static str {
    match sign {
        Sign::Minus => "-",
        Sign::Plus => "+",
    }
}

/// The tree in words, one line for each instruction.
pub(super) fn tree(script: &Script) -> String {
    let mut lines = String::new();
    write_tree(script, script.node(script.root), 0, &mut lines);
    lines
}

fn write_tree(script: &Script, block: &Block, depth: usize, out: &mut String) {
    let mut stack: Vec<String> = Vec::new();
    for &instruction in block {
        let value = |value: Operand| words(script, value);
        let mut inner = Vec::new();
        let line = match instruction.kind {
            Action::Append(Sign::Plus, added) => format!("append {}", value(added)),
            Action::Append(Sign::Minus, added) => {
                format!("append the opposite of {}", value(added))
            }
            Action::Block { pops, body } => {
                inner.push(body);
                format!("replace the pool by {} of", runs(pops, &mut stack))
            }
            Action::Graph if depth > 0 => "graph (ignored here)".into(),
            Action::Graph => "graph".into(),
            Action::Keep(sign) => {
                let number = stack.pop().unwrap_or_default();
                let bound = match sign {
                    Sign::Minus => "at most",
                    Sign::Plus => "at least",
                };
                format!("keep what is {bound} {number}")
            }
            Action::Multiply(times) => format!("each member so often: {}", value(times)),
            Action::Print => "print".into(),
            Action::Push(pushed) => {
                stack.push(value(pushed));
                format!("push {}", value(pushed))
            }
            Action::Remove { filter, .. } => {
                inner.push(filter);
                "take away what is left by".into()
            }
            Action::Roll { pops, sides } => {
                let count = if pops {
                    stack.pop().unwrap_or_default()
                } else {
                    "1".into()
                };
                let dice = if count == "1" { "die" } else { "dice" };
                format!("roll {count} {dice} of {} sides", value(sides))
            }
            Action::Select(Extreme::High, count) => format!("keep the highest {}", value(count)),
            Action::Select(Extreme::Low, count) => format!("keep the lowest {}", value(count)),
            Action::Verbosity(level) => format!("verbosity {}", value(level)),
        };
        outline::line(depth, &line, out);
        for body in inner {
            stack::level(|| write_tree(script, script.node(body), depth + 1, out));
        }
        if let Action::Remove {
            then: Some(then), ..
        } = instruction.kind
        {
            let runs = runs(then.pops, &mut stack);
            outline::line(depth, &format!("and add {runs}, on that, of"), out);
            stack::level(|| write_tree(script, script.node(then.body), depth + 1, out));
        }
    }
}

fn runs(pops: bool, stack: &mut Vec<String>) -> String {
    match pops.then(|| stack.pop()).flatten() {
        Some(count) => format!("{count} runs"),
        None => "one run".into(),
    }
}

fn words(script: &Script, value: Operand) -> String {
    match value.kind {
        OperandKind::Count => "the count".into(),
        OperandKind::Integer => script.slice(value.span).into(),
        OperandKind::Sum => "the sum".into(),
    }
}
