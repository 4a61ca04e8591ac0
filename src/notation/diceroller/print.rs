//! Prints a script: its canonical text, and its tree for people.

use super::tree::{Block, End, Kind, Script, Sign, Value, ValueKind};
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
            let is_pushed = matches!(block[index - 1].kind, Kind::Push(_));
            if !is_pushed || instruction.kind.stack_effect().0 == 0 {
                out.push(' ');
            }
        }
        match instruction.kind {
            Kind::Append(sign, value) => write_with(script, symbol(sign), value, out),
            Kind::Block { body, .. } => write_bracketed(script, script.node(body), "{}", out),
            Kind::Graph => out.push('G'),
            Kind::Keep(sign) => out.push_str(symbol(sign)),
            Kind::Multiply(value) => write_with(script, "*", value, out),
            Kind::Print => out.push('P'),
            Kind::Push(value) => write_with(script, "", value, out),
            Kind::Remove { filter, then } => {
                write_bracketed(script, script.node(filter), "[]", out);
                if let Some(then) = then {
                    write_bracketed(script, script.node(then.body), "{}", out);
                }
            }
            Kind::Roll { sides, .. } => write_with(script, "D", sides, out),
            Kind::Select(End::High, value) => write_with(script, "H", value, out),
            Kind::Select(End::Low, value) => write_with(script, "L", value, out),
            Kind::Verbosity(value) => write_with(script, "V", value, out),
        }
    }
}

fn write_bracketed(script: &Script, block: &Block, brackets: &str, out: &mut String) {
    let (open, close) = brackets.split_at(1);
    out.push_str(open);
    stack::level(|| write_block(script, block, out));
    out.push_str(close);
}

fn write_with(script: &Script, instruction: &str, value: Value, out: &mut String) {
    out.push_str(instruction);
    let digits = script.slice(value.span);
    out.push_str(match value.kind {
        ValueKind::Integer => match digits.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        },
        ValueKind::Count | ValueKind::Sum => digits,
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
        let value = |value: Value| words(script, value);
        let mut inner = Vec::new();
        let line = match instruction.kind {
            Kind::Append(Sign::Plus, added) => format!("append {}", value(added)),
            Kind::Append(Sign::Minus, added) => format!("append the opposite of {}", value(added)),
            Kind::Block { pops, body } => {
                inner.push(body);
                format!("replace the pool by {} of", runs(pops, &mut stack))
            }
            Kind::Graph if depth > 0 => "graph (ignored here)".into(),
            Kind::Graph => "graph".into(),
            Kind::Keep(sign) => {
                let number = stack.pop().unwrap_or_default();
                let bound = match sign {
                    Sign::Minus => "at most",
                    Sign::Plus => "at least",
                };
                format!("keep what is {bound} {number}")
            }
            Kind::Multiply(times) => format!("each member so often: {}", value(times)),
            Kind::Print => "print".into(),
            Kind::Push(pushed) => {
                stack.push(value(pushed));
                format!("push {}", value(pushed))
            }
            Kind::Remove { filter, .. } => {
                inner.push(filter);
                "take away what is left by".into()
            }
            Kind::Roll { pops, sides } => {
                let count = if pops {
                    stack.pop().unwrap_or_default()
                } else {
                    "1".into()
                };
                let dice = if count == "1" { "die" } else { "dice" };
                format!("roll {count} {dice} of {} sides", value(sides))
            }
            Kind::Select(End::High, count) => format!("keep the highest {}", value(count)),
            Kind::Select(End::Low, count) => format!("keep the lowest {}", value(count)),
            Kind::Verbosity(level) => format!("verbosity {}", value(level)),
        };
        outline::line(depth, &line, out);
        for body in inner {
            stack::level(|| write_tree(script, script.node(body), depth + 1, out));
        }
        if let Kind::Remove {
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

fn words(script: &Script, value: Value) -> String {
    match value.kind {
        ValueKind::Count => "the count".into(),
        ValueKind::Integer => script.slice(value.span).into(),
        ValueKind::Sum => "the sum".into(),
    }
}
