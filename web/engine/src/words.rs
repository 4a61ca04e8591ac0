//! The words that the editor completes, each with what it does in a line and a rule that shows it.

use dicedist::Dialect;
use serde::Serialize;

/// A word of a notation.
#[expect(clippy::struct_field_names, reason = "the page reads these names")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Word {
    /// The word.
    pub(crate) word: &'static str,
    /// What it does.
    pub(crate) does: &'static str,
    /// A rule with the word.
    pub(crate) example: &'static str,
}

const fn word(word: &'static str, does: &'static str, example: &'static str) -> Word {
    Word {
        word,
        does,
        example,
    }
}

const BONES: &[Word] = &[
    word("abs", "a number without its sign", "abs(d6 - d6)"),
    word("and", "whether both conditions hold", "d6 >= 3 and d6 >= 5"),
    word(
        "best",
        "the choice with the greatest mean",
        "let x = 2#d6 in best kept from x do sum(kept, (2 - count kept)#d6)",
    ),
    word(
        "by",
        "the part of a record whose mean a choice makes greatest",
        "let x = d20 in best roll in (x, d20) by hit do {hit: roll >= 11, roll: roll}",
    ),
    word(
        "case",
        "one result for each range of values",
        "case d20 { 1: \"fumble\", 2..19: \"other\", 20: \"crit\" }",
    ),
    word(
        "count",
        "how many members fulfil a condition",
        "count >=5 4#d6",
    ),
    word(
        "def",
        "a name for a rule that others use",
        "def ability = sum(drop low 1 4#d6)\nability >= 15",
    ),
    word("distinct", "each value once", "count distinct 5#d6"),
    word("div", "divides and rounds down", "d20 div 2"),
    word(
        "draw",
        "cards or tokens without putting back",
        "sum(draw 2 {1: 4, 2: 4})",
    ),
    word(
        "drop",
        "all members but the chosen ones",
        "sum(drop low 1 4#d6)",
    ),
    word(
        "else",
        "the result where the condition fails",
        "if d20 >= 11 then d8 else 0",
    ),
    word("first", "the first members", "sum(first 2 4#d6)"),
    word(
        "foreach",
        "does something with each member",
        "sum(foreach x in 2#d6 do if x <= 2 then d6 else x)",
    ),
    word(
        "from",
        "the list of what is drawn, or of what parts are kept",
        "count ==2 draw 3 from (5#1, 3#2)",
    ),
    word(
        "given",
        "keeps only the rolls in which a condition holds",
        "let x = d6 in x given x >= 3",
    ),
    word("high", "the highest members", "sum(high 3 4#d6)"),
    word(
        "if",
        "chooses by a condition",
        "if d20 >= 11 then d8 else 0",
    ),
    word("in", "what a name is used for", "let x = d6 in x * x"),
    word(
        "keep",
        "the members that fulfil a condition, or the highest",
        "sum(keep high 3 4#d6)",
    ),
    word("last", "the last members", "sum(last 2 4#d6)"),
    word(
        "let",
        "a name for one roll",
        "let x = d20 in if x == 20 then 2 * x else x",
    ),
    word("low", "the lowest members", "sum(low 1 2#d20)"),
    word("max", "the greatest", "max(2#d20)"),
    word("min", "the least", "min(2#d20)"),
    word("mod", "the rest of a division", "d20 mod 3"),
    word("not", "whether a condition fails", "not d6 == 6"),
    word(
        "of",
        "a part of a record",
        "let x = {hits: count >=8 5#d10} in hits of x",
    ),
    word(
        "or",
        "whether a condition of two holds",
        "d6 == 6 or d6 == 6",
    ),
    word("prod", "the product of all members", "prod(2#d6)"),
    word(
        "repeat",
        "does something until an end",
        "repeat n = 0 until d6 == 6 do n + 1",
    ),
    word(
        "reroll",
        "rolls again until a condition holds",
        "reroll x = d6 until x > 2",
    ),
    word("rev", "the members backwards", "rev 3#d6"),
    word("sort", "the members in ascending order", "sort 3#d6"),
    word("sum", "all members together", "sum(3#d6)"),
    word(
        "then",
        "the result where the condition holds",
        "if d20 >= 11 then d8 else 0",
    ),
    word(
        "until",
        "how a loop ends",
        "repeat n = 0 until d6 == 6 do n + 1",
    ),
    word(
        "while",
        "rolls on as long as something is left",
        "sum(while x = d6 do ((count ==6 x)#d6))",
    ),
];

const TABLETOP: &[Word] = &[
    word("d", "dice", "3d6"),
    word("dF", "Fate dice", "4dF"),
    word("kh", "keeps the highest", "4d6kh3"),
    word("kl", "keeps the lowest", "2d20kl1"),
    word("dh", "drops the highest", "4d6dh1"),
    word("dl", "drops the lowest", "4d6dl1"),
    word("r", "rolls again as long as it comes up", "2d6r1"),
    word("ro", "rolls again once", "2d6ro1"),
    word("floor", "rounds down", "floor(d20/2)"),
    word("ceil", "rounds up", "ceil(d20/2)"),
    word("max", "the greatest", "max(d20, d20)"),
    word("min", "the least", "min(d20, d20)"),
    word("abs", "a number without its sign", "abs(d6-d6)"),
];

const ANYDICE: &[Word] = &[
    word("output", "shows a result", "output 3d6"),
    word(
        "named",
        "the name of a result",
        "output 3d6 named \"plain\"",
    ),
    word(
        "function:",
        "a function of your own",
        "function: double N:n { result: N * 2 }\noutput [double d6]",
    ),
    word(
        "result:",
        "what a function returns",
        "function: double N:n { result: N * 2 }\noutput [double d6]",
    ),
    word(
        "loop",
        "does something for each value",
        "loop N over {1..3} { output Nd6 }",
    ),
    word(
        "over",
        "the values of a loop",
        "loop N over {1..3} { output Nd6 }",
    ),
    word("if", "chooses by a condition", "if 1 = 1 { output 1d6 }"),
    word(
        "else",
        "what is done otherwise",
        "if 1 = 2 { output 1d6 } else { output 1d8 }",
    ),
    word(
        "set",
        "a setting of the program",
        "set \"maximum function depth\" to 5\noutput [explode d6]",
    ),
    word(
        "highest",
        "the sum of the highest dice",
        "output [highest 3 of 4d6]",
    ),
    word(
        "lowest",
        "the sum of the lowest dice",
        "output [lowest 1 of 2d20]",
    ),
    word(
        "explode",
        "adds another roll to the highest face",
        "output [explode d6]",
    ),
    word(
        "count",
        "how many members are among some values",
        "output [count {5, 6} in 4d6]",
    ),
];

/// The words of a notation.
pub(crate) fn words(dialect: Dialect) -> &'static [Word] {
    match dialect {
        Dialect::Bones | Dialect::Dicelab => BONES,
        Dialect::Tabletop => TABLETOP,
        Dialect::Anydice => ANYDICE,
        _ => &[],
    }
}
