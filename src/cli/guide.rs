//! What people read before they type: the texts below the options of `-h` and `--help`, and the manual page.

use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// What is printed where no rule is given and standard input is a terminal.
pub(super) const SHORT_HELP: &str = "\
dicedist finds the exact probabilities of dice rules. Try:

  dicedist 4d6kh3                             four dice, keep the best three
  dicedist \"sum(drop low 1 4#d6)\"            the same in Bones, its own language
  dicedist 4d6kh3 --svg out.svg               a picture
  dicedist 1d20+5 2d20kh1 --at-least 15       two rules side by side

A rule with blanks, brackets or `>` stands in quotes.
dicedist --examples yahtzee shows the rule of a game, and dicedist --help lists everything.
";

/// What `-h` prints below the options.
pub(super) const SHORT_EXAMPLES: &str = "\
Examples:
  dicedist 4d6kh3 --svg out.svg                    a table, and a picture in a file
  dicedist 1d20+5 2d20kh1 --at-least 15            two rules side by side
  dicedist \"sum(drop low 1 4#d6)\"                 a rule with blanks or brackets stands in quotes
  dicedist \"count >=8 n#d10\" --set n=1..10 --at-least 3

dicedist --help has every option and the words of the language.";

/// The examples of `--help` and of the manual: each with what it does.
const EXAMPLES: [(&str, &str); 11] = [
    ("dicedist 4d6kh3", "a table"),
    (
        "dicedist \"sum(drop low 1 4#d6)\"",
        "the same in Bones; a rule with blanks or brackets stands in quotes",
    ),
    (
        "dicedist 4d6kh3 --svg out.svg",
        "a table, and a picture in a file",
    ),
    (
        "dicedist \"plain: sum(3#d6)\" \"heroic: sum(drop low 1 4#d6)\"",
        "two named rules side by side",
    ),
    (
        "dicedist \"count >=8 n#d10\" --set n=1..10 --at-least 3",
        "one chance for each size of a pool",
    ),
    (
        "dicedist \"let x = 7#d10 in {hits: count >=8 x, ones: count ==1 x}\" --chance \"hits > ones\"",
        "two numbers of one roll, and a condition on them",
    ),
    ("dicedist --examples yahtzee", "the rule of a game"),
    ("dicedist -f rules.bones --format csv", "rules from a file"),
    (
        "echo \"3#d6\" | dicedist -d dicelab",
        "a rule from standard input",
    ),
    ("dicedist --roll 5 --seed 1 \"sum(3#d6)\"", "five rolls"),
    ("dicedist -- \"-d6\"", "a rule that starts with '-'"),
];

/// The words of the language in short: what people write, and what it means.
const LANGUAGE: [(&str, &str); 16] = [
    (
        "d6, d%, dF, d{1, 2, 2, 5: 3}",
        "a die; a die with any faces and weights",
    ),
    (
        "draw 5 {1..13: 4}, draw 3 from L",
        "cards of a deck, members of a list",
    ),
    ("4#d6", "a list of four dice"),
    ("sum L, count L, max(L), min(L)", "one number of a list"),
    ("high 3 L, drop low 1 L, rank 2 L", "members by rank"),
    (
        ">=5 L, ==1 L, count >=5 L",
        "members that pass, and their number",
    ),
    ("sort L, distinct L, without A B", "lists from lists"),
    ("+ - * / % div mod ^", "arithmetic"),
    ("x >= 15, and, or, not", "conditions, which count as 1 or 0"),
    ("if C then A else B", "A if C holds, otherwise B"),
    (
        "case d20 {1: \"fumble\", 20: \"crit\", else: \"ok\"}",
        "labels by value",
    ),
    ("let x = d6 in x * x", "one roll, used twice"),
    ("{hits: A, ones: B}", "a record: two numbers of one roll"),
    (
        "repeat hp = 9 until hp <= 0 do hp - d6",
        "a loop with a state; reroll x = d6 until x > 1",
    ),
    (
        "E given C, best y in L do E",
        "a condition on what was rolled; the best choice",
    ),
    (
        "best y in L by hits do {hits: A, ones: B}",
        "the best choice by a part of a record",
    ),
];

const EXIT_STATUS: &str = "\
Exit status: 0 answered, 1 a rule is wrong (or --check found a difference), 2 the command line is wrong, 3 a limit was reached, \
4 a file could not be read or written, 130 interrupted.";

/// What `--help` prints below the options.
pub(super) fn long_examples() -> String {
    let lines = |pairs: &[(&str, &str)]| {
        let lines = pairs.iter().map(|(text, meaning)| {
            if text.len() <= 46 {
                format!("  {text:46}  {meaning}\n")
            } else {
                format!("  {text}\n  {:46}  {meaning}\n", "")
            }
        });
        lines.collect::<String>()
    };
    format!(
        "The language (Bones; docs/bones.md has all of it):\n{}\nExamples:\n{}\n{EXIT_STATUS}",
        lines(&LANGUAGE),
        lines(&EXAMPLES)
    )
}

/// Writes the manual page.
pub(super) fn write_manual(command: Command, out: &mut dyn io::Write) -> io::Result<()> {
    // Options that the short help hides have a text here, too.
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    let manual = Man::new(command.after_help("").after_long_help(""));
    manual.render_title(out)?;
    manual.render_name_section(out)?;
    let mut synopsis = Roff::new();
    synopsis.control("SH", ["SYNOPSIS"]);
    synopsis.text([bold("dicedist"), roman(" [OPTION]... [EXPR]...")]);
    synopsis.to_writer(out)?;
    manual.render_description_section(out)?;
    manual.render_options_section(out)?;
    let sections = [
        (
            "THE LANGUAGE",
            "Bones in short; docs/bones.md has all of it.",
            &LANGUAGE[..],
        ),
        ("EXAMPLES", "", &EXAMPLES[..]),
    ];
    for (title, text, pairs) in sections {
        let mut roff = Roff::new();
        roff.control("SH", [title]);
        if !text.is_empty() {
            roff.text([roman(text)]);
        }
        for (example, meaning) in pairs {
            roff.control("TP", []);
            roff.text([bold(*example)]);
            roff.text([roman(*meaning)]);
        }
        roff.to_writer(out)?;
    }
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    roff.text([roman(EXIT_STATUS)]);
    roff.to_writer(out)
}
