use std::fmt::{self, Write};

use super::arena::{Arena, Program};
use super::term::{
    Arithmetic, Arrangement, Candidates, Comparison, Faces, Folding, Selection, Term, TermId,
};
use crate::number::Integer;
use crate::stack;

/// A line that is no longer than this is not broken.
const WIDTH: usize = 78;

/// The stable text form: terms in parentheses, the operator first. A long term has one line for each operand. A variable is
/// named by the depth of its binder, so that programs that differ only in names print alike.
///
/// ```
/// # fn main() -> Result<(), dicedist::Error> {
/// let program = dicedist::Rule::bones("let c = 2#d6 in count >4 c")?.into_program()?;
/// assert_eq!(program.to_string(), "(let x0 (repeat 2 (die 6)) (count (filter > 4 x0)))");
/// # Ok(())
/// # }
/// ```
impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        write_term(self.arena(), self.root(), 0, 0, &mut text)?;
        formatter.write_str(&text)
    }
}

fn write_term(
    arena: &Arena,
    id: TermId,
    depth: u32,
    indent: usize,
    out: &mut String,
) -> fmt::Result {
    let line_start = out.len();
    stack::level(|| write_flat(arena, id, depth, WIDTH.saturating_sub(indent), out))?;
    if out.len() - line_start <= WIDTH.saturating_sub(indent) {
        return Ok(());
    }
    out.truncate(line_start);
    let (head, operands) = parts(arena, id, depth);
    if operands.is_empty() {
        return out.write_str(&head);
    }
    write!(out, "({head}")?;
    for (operand, depth) in operands {
        write!(out, "\n{:1$}", "", indent + 2)?;
        stack::level(|| write_term(arena, operand, depth, indent + 2, out))?;
    }
    out.write_char(')')
}

/// Writes a term on one line. Stops, with a text that is too long, as soon as it exceeds `room`.
fn write_flat(arena: &Arena, id: TermId, depth: u32, room: usize, out: &mut String) -> fmt::Result {
    let limit = out.len() + room;
    let (head, operands) = parts(arena, id, depth);
    if operands.is_empty() {
        return out.write_str(&head);
    }
    write!(out, "({head}")?;
    for (operand, depth) in operands {
        if out.len() > limit {
            break;
        }
        out.write_char(' ')?;
        stack::level(|| write_flat(arena, operand, depth, limit.saturating_sub(out.len()), out))?;
    }
    out.write_char(')')
}

/// The word of a term with its parameters that are no terms, and its operands, each with the depth it is printed at.
fn parts(arena: &Arena, id: TermId, depth: u32) -> (String, Vec<(TermId, u32)>) {
    let here = |ids: &[TermId]| ids.iter().map(|&id| (id, depth)).collect::<Vec<_>>();
    let binder = |word: &str, value: TermId, body: TermId| {
        (
            format!("{word} x{depth}"),
            vec![(value, depth), (body, depth + 1)],
        )
    };
    match arena.term(id) {
        Term::Arithmetic(operator, a, b, _) => (arithmetic(*operator).into(), here(&[*a, *b])),
        Term::Arrange(arrangement, e) => {
            let word = match arrangement {
                Arrangement::Distinct => "distinct",
                Arrangement::Reverse => "reverse",
                Arrangement::Shuffle => "shuffle",
                Arrangement::Sort => "sort",
            };
            (word.into(), here(&[*e]))
        }
        Term::Compare(e, f) => ("compare".into(), here(&[*e, *f])),
        Term::Without(e, f) => ("without".into(), here(&[*e, *f])),
        Term::Die(n, _) => ("die".into(), here(&[*n])),
        Term::Pick(faces) => (format!("(pick{})", weighted(faces)), Vec::new()),
        Term::Difference(e, f, _) => ("difference".into(), here(&[*e, *f])),
        Term::Fail(kind, _) => (
            format!("fail-{}", kind.name().replace('_', "-")),
            Vec::new(),
        ),
        Term::Reject(_) => ("reject".into(), Vec::new()),
        Term::Filter(comparison, a, e, _) => {
            (format!("filter {}", symbol(*comparison)), here(&[*a, *e]))
        }
        Term::Fold(folding, e, _) => {
            let word = match folding {
                Folding::Count => "count",
                Folding::Only => "only",
                Folding::Product => "product",
                Folding::Sum => "sum",
            };
            (word.into(), here(&[*e]))
        }
        Term::Best(candidates, e, f, choice) => {
            let word = match candidates {
                Candidates::Members => "best",
                Candidates::Parts => "best-part",
            };
            match arena.choice_of(*choice).aim {
                None => binder(word, *e, *f),
                Some(aim) => binder(&format!("{word} {aim}"), *e, *f),
            }
        }
        Term::Foreach(e, f) => binder("foreach", *e, *f),
        Term::If(c, e, f) => ("if".into(), here(&[*c, *e, *f])),
        Term::Integer(value) => (value.to_string(), Vec::new()),
        Term::Join(parts) if parts.is_empty() => ("()".into(), Vec::new()),
        Term::Join(parts) => ("join".into(), here(parts)),
        Term::Let(e, f) => binder("let", *e, *f),
        Term::Negate(a, _) => ("negate".into(), here(&[*a])),
        Term::Play(e, f, g) => (
            format!("play x{depth}"),
            vec![(*e, depth), (*f, depth + 1), (*g, depth + 1)],
        ),
        Term::Range(a, b, _) => ("range".into(), here(&[*a, *b])),
        Term::Repeat(n, e, _) => ("repeat".into(), here(&[*n, *e])),
        Term::Select(selection, n, e, _) => {
            let word = match selection {
                Selection::DropFirst => "drop-first",
                Selection::DropHigh => "drop-high",
                Selection::DropLast => "drop-last",
                Selection::DropLow => "drop-low",
                Selection::First => "first",
                Selection::High => "high",
                Selection::Last => "last",
                Selection::Low => "low",
            };
            (word.into(), here(&[*n, *e]))
        }
        Term::Variable(index) => (format!("x{}", depth.wrapping_sub(index + 1)), Vec::new()),
        Term::While(e, f) => binder("while", *e, *f),
    }
}

/// Faces as printed: each with its weight after `x`, if that is not 1.
fn weighted(faces: &Faces) -> String {
    let faces = faces.weighted().iter();
    let faces = faces.map(|(face, weight)| {
        if *weight == Integer::ONE {
            format!(" {face}")
        } else {
            format!(" {face}x{weight}")
        }
    });
    faces.collect()
}

fn arithmetic(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => "add",
        Arithmetic::BitAnd => "bit-and",
        Arithmetic::BitOr => "bit-or",
        Arithmetic::Concatenate => "concatenate",
        Arithmetic::Divide => "divide",
        Arithmetic::FloorDivide => "floor-divide",
        Arithmetic::Max => "max",
        Arithmetic::Min => "min",
        Arithmetic::Modulo => "modulo",
        Arithmetic::Multiply => "multiply",
        Arithmetic::Power => "power",
        Arithmetic::Remainder => "remainder",
        Arithmetic::Shift => "shift",
        Arithmetic::Subtract => "subtract",
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::NotEqual => "!=",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_printed_word_is_on_the_page_of_the_core_language() {
        let page = include_str!("mod.rs");
        let code = include_str!("print.rs");
        let start = code.find("\nfn parts").unwrap();
        let end = code.find("\nfn symbol").unwrap();
        // Every second piece between quotation marks is a string literal; its word ends at a blank or a brace.
        let texts = code[start..end].split('"').skip(1).step_by(2);
        let words = texts.map(|text| text.split([' ', '{']).next().unwrap());
        let is_letters = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
        let mut count = 0;
        for word in words.filter(|word| is_letters(word) && *word != "x") {
            assert!(page.contains(&format!("`{word}`")), "{word}");
            count += 1;
        }
        assert!(count >= 35, "only {count} words were found");
    }
}
