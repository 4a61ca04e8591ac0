//! The notations: how texts are read, which texts are refused, and the messages.

use std::fmt::Write;
use std::time::{Duration, Instant};

use dicedist::notation::{self, Reading, Rule, Settings, WrongRule};
use dicedist::source::{Source, Span};
use dicedist::{Dialect, Error, ErrorKind};
use proptest::prelude::*;

use Dialect::{Bones, Dicebag, Dicelab};

/// Each notation is found by its own name, and none has another's.
#[test]
fn every_notation_has_a_name_of_its_own() {
    for &dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse(), Ok(dialect));
    }
    assert_eq!(Dialect::ALL.len(), 7);
}

/// Every rule of a text.
fn rules(dialect: Dialect, text: &str) -> Vec<Result<Rule, WrongRule>> {
    notation::rules(dialect, &Source::new("rule", text))
}

/// The first rule of a text, read.
fn read(dialect: Dialect, text: &str) -> Result<Reading, Error> {
    let source = Source::new("rule", text);
    let rule = notation::rules(dialect, &source).swap_remove(0)?;
    lower(rule.dialect, &source, rule.span, &Settings::default())
}

/// The first result of a rule.
fn lower(
    dialect: Dialect,
    source: &Source,
    span: Span,
    settings: &Settings,
) -> Result<Reading, Error> {
    let mut results = notation::parse(dialect, source, span)?.lower(settings)?;
    Ok(results.swap_remove(0))
}

#[track_caller]
fn core(dialect: Dialect, text: &str) -> String {
    match read(dialect, text) {
        Ok(reading) => reading.program.to_string(),
        Err(error) => panic!("{dialect} refuses {text}: {error}"),
    }
}

/// Asserts that a text is read as the same text with explicit parentheses.
#[track_caller]
fn reads_as(dialect: Dialect, text: &str, explicit: &str) {
    assert_eq!(core(dialect, text), core(dialect, explicit), "{text}");
}

#[track_caller]
fn refused(dialect: Dialect, text: &str, kind: ErrorKind) {
    match read(dialect, text) {
        Ok(reading) => panic!("{dialect} reads {text} as {}", reading.program),
        Err(error) => assert_eq!(error.kind(), kind, "{text}: {error}"),
    }
}

/// What makes a word a name is said where the word is used, and nothing else is offered.
#[test]
fn a_name_that_is_used_as_a_word_is_shown_with_its_binder() {
    for (rule, since) in [
        ("let sum = 3 in sum 2#d6", "since `let sum = …`"),
        ("let max = 3 in max(2#d6)", "since `let max = …`"),
        (
            "foreach max in 3#d6 do max(max, 2)",
            "since `foreach max in …`",
        ),
        (
            "repeat n = 0, keep = 0 until keep == 6 do n + 1, keep 1 d6 then n",
            "since `keep = …`",
        ),
        (
            "def count = 3; count 2#d6",
            "because a definition or `--set`",
        ),
    ] {
        let said = crate::command::run([rule, "--format", "json"]);
        let errors = said.errors();
        let error = &errors["errors"][0];
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(since), "{rule}: {message}");
        assert_eq!(
            error["corrections"].as_array().map(Vec::len),
            Some(0),
            "{rule}"
        );
    }
}

/// The warnings of a rule, each in one line.
#[track_caller]
fn warnings(dialect: Dialect, text: &str) -> Vec<String> {
    let warnings = read(dialect, text).unwrap().warnings;
    warnings
        .into_iter()
        .map(|warning| warning.message)
        .collect()
}

mod precedence {
    use super::*;

    #[test]
    fn the_traps_of_the_two_tables_are_read_as_written_down() {
        for (text, bones, dicelab) in [
            ("2#3+1", "(2#3)+1", "2#(3+1)"),
            ("sum 3#d6 + 1", "(sum(3#d6))+1", "sum(3#(d6+1))"),
            ("2*3#4", "2*(3#4)", "(2*3)#4"),
            ("1+2#3", "1+(2#3)", "(1+2)#3"),
            ("-1#3", "-(1#3)", "(-1)#3"),
            ("1,2..4", "(1,2)..4", "1,(2..4)"),
            ("2#1..3", "(2#1)..3", "2#(1..3)"),
            ("high 1 1,2,3", "(high 1 1),2,3", "high 1 (1,2,3)"),
            ("sum 1,2,3", "(sum 1),2,3", "sum(1,2,3)"),
            ("> 2 1,3,4", "(> 2 1),3,4", "> 2 (1,3,4)"),
            ("rev 1,2,3", "(rev 1),2,3", "rev(1,2,3)"),
            ("sum 1..3", "(sum 1)..3", "sum(1..3)"),
            ("prod 2,3*2", "(prod 2),(3*2)", "prod(2,(3*2))"),
            ("count 5,6", "(count 5),6", "count(5,6)"),
        ] {
            reads_as(Bones, text, bones);
            reads_as(Dicelab, text, dicelab);
        }
    }

    #[test]
    fn what_the_tables_agree_on_is_read_alike() {
        for (text, explicit) in [
            ("2+3*4", "2+(3*4)"),
            ("2-3-4", "(2-3)-4"),
            ("7%3*2", "(7%3)*2"),
            ("2^3^2", "2^(3^2)"),
            ("2#3#4", "2#(3#4)"),
            ("d2^3", "(d2)^3"),
            ("d d6", "d(d6)"),
            ("d6.d6", "(d6).(d6)"),
            ("2*d6", "2*(d6)"),
            ("3#d6,1", "(3#(d6)),1"),
            ("1..1+2", "1..(1+2)"),
            ("2^1#5", "(2^1)#5"),
            ("-10.9", "(-10).9"),
            ("1,2,3", "(1,2),3"),
            ("sum3#d2", "sum (3#(d2))"),
            ("count >7 5#d10", "count(>7 (5#(d10)))"),
            ("count >7 c - 1", "count(>7 (c-1))"),
            ("==a ==b c", "==a (==b c)"),
            ("<(high 1 a) high 1 b", "<(high 1 a) (high 1 b)"),
            ("high 1 low 2 3#d20", "high 1 (low 2 (3#(d20)))"),
            (
                "sum drop low 1 drop high 1 c",
                "sum(drop low 1 (drop high 1 c))",
            ),
            ("let x=1 in x,2", "let x=1 in (x,2)"),
            ("if a then b else c,x", "if a then b else (c,x)"),
            ("foreach x in 1..3 do x,0", "foreach x in (1..3) do (x,0)"),
            (
                "if a then 1 else if b then 2 else 3",
                "if a then 1 else (if b then 2 else 3)",
            ),
            ("6//2\n/2", "6/2"),
        ] {
            let with_names =
                |text| format!("let a=1 in let b=2 in let c=(3,4) in let x=5 in {text}");
            for dialect in [Bones, Dicelab] {
                reads_as(dialect, &with_names(text), &with_names(explicit));
            }
        }
    }

    #[test]
    fn a_minus_sign_is_tighter_than_a_product_in_bones_alone() {
        reads_as(Bones, "-2*3", "(-2)*3");
        reads_as(Dicelab, "-2*3", "-(2*3)");
        reads_as(Bones, "2*-3*4", "(2*(-3))*4");
        reads_as(Dicelab, "2*-3*4", "2*(-(3*4))");
        reads_as(Dicelab, "2*-3+4", "(2*(-3))+4");
    }

    #[test]
    fn a_minus_sign_after_an_operand_is_binary() {
        reads_as(Bones, "2-1", "2 - 1");
        reads_as(Bones, "2--1", "2 - (-1)");
        reads_as(Bones, ">7 -1 5", ">(7-1) 5");
        refused(Bones, "low 1 -2", ErrorKind::Parse);
        refused(Dicelab, "low 1 -2", ErrorKind::Parse);
        refused(Dicelab, "high (1,2) -1", ErrorKind::Parse);
    }

    #[test]
    fn a_looser_prefix_operator_takes_its_whole_operand() {
        reads_as(Bones, "2*>1 3+4", "2*(>1 (3+4))");
        reads_as(Bones, "2*>1 3+4,5", "(2*(>1 (3+4))),5");
        reads_as(Bones, "sum -1#2", "sum (-(1#2))");
        reads_as(Bones, "2^-1*3", "(2^(-1))*3");
        reads_as(Bones, "d sum 2#d3+1", "(d(sum(2#d3)))+1");
        reads_as(Bones, "1+let x=2 in x,3", "1+(let x=2 in (x,3))");
        reads_as(Dicelab, "1+sum 2,3", "1+(sum(2,3))");
    }

    #[test]
    fn the_first_operand_of_a_filter_takes_arithmetic() {
        for dialect in [Bones, Dicelab] {
            reads_as(dialect, "high 1+1 (4,5,6)", "high (1+1) (4,5,6)");
            reads_as(dialect, ">2*3^d2 10#d6", ">(2*(3^(d2))) (10#d6)");
            refused(dialect, "high 1,2 (4,5,6)", ErrorKind::Parse);
            refused(dialect, "high 1..2 (4,5,6)", ErrorKind::Parse);
        }
    }

    #[test]
    fn the_words_that_the_bones_table_forgets_are_as_tight_as_sum() {
        for word in [
            "perm",
            "sort",
            "rev",
            "first 1",
            "last 1",
            "drop last 1",
            "drop low 1",
        ] {
            reads_as(
                Bones,
                &format!("{word} 2#3+1"),
                &format!("({word} (2#3))+1"),
            );
            reads_as(
                Bones,
                &format!("-{word} 2#3,1"),
                &format!("(-({word} (2#3))),1"),
            );
        }
    }

    #[test]
    fn bones_asks_for_numbers_by_value_not_by_syntax() {
        assert_eq!(
            core(Bones, "(high 1 (1,2))+1"),
            "(add (high 1 (join 1 2)) 1)"
        );
        assert_eq!(core(Bones, "(1..1)#2"), "(repeat (range 1 1) 2)");
        assert_eq!(
            core(Bones, "<(high 1 2) high 1 3"),
            "(filter < (high 1 2) (high 1 3))"
        );
    }
}

mod dicelab {
    use super::*;

    #[test]
    fn a_list_in_parentheses_ends_the_operand_of_a_word() {
        reads_as(Dicelab, "count (1,2)+1", "(count((1,2)))+1");
        reads_as(Dicelab, "count (5)+1", "count((5)+1)");
        reads_as(Dicelab, "sum 3,(1,2)*2", "(sum(3,(1,2)))*2");
        reads_as(Dicelab, "sum 2#(1,2)+1", "(sum(2#(1,2)))+1");
        reads_as(Dicelab, "sum ((1,2))+1,3", "((sum(1,2))+1),3");
        reads_as(Dicelab, "2*sum (1,2)+1", "(2*(sum(1,2)))+1");
        reads_as(Dicelab, "(sum (1,2))#4", "(sum(1,2))#4");
        reads_as(Dicelab, "sum (1,2)#4", "(sum(1,2))#4");
    }

    #[test]
    fn lists_by_syntax_are_refused_where_numbers_must_stand() {
        for text in [
            "(high 1 (1,2))+1",
            "(1..1)+2",
            "(let x=3 in x)+1",
            "(if 1 then 2 else 3)*2",
            "(sort 1)-1",
            "()+1",
            "(1,2)#3",
            "((1,2))#3",
            "(1,2)..3",
            "1..(1,2)",
            "1..2#3",
            "1..2..3",
            "1+(1,2)",
            "d(1..6)",
            "-(1,2)",
            "2#(1,2)+1",
        ] {
            refused(Dicelab, text, ErrorKind::Parse);
        }
    }

    #[test]
    fn numbers_by_syntax_may_have_lists_inside() {
        for text in [
            "(sum (1,2))+1",
            "(count >4 2#d6)*2",
            "let x=(1,2) in x+1",
            "d(sum 2#d6)",
            "(prod 1,2)..4",
            "(((1)))#2",
        ] {
            core(Dicelab, text);
        }
    }

    #[test]
    fn dicelab_takes_a_list_in_parentheses_as_the_first_operand_of_a_filter() {
        assert_eq!(
            core(Dicelab, "<(high 1 2) high 1 3"),
            "(filter < (high 1 2) (high 1 3))"
        );
    }

    #[test]
    fn a_dot_shifts_in_dicelab_and_joins_digits_in_bones() {
        assert_eq!(core(Dicelab, "1.10"), "(shift 1 10)");
        assert_eq!(core(Bones, "1.10"), "(concatenate 1 10)");
    }

    #[test]
    fn negative_counts_are_none_in_dicelab_and_left_alone_in_bones() {
        assert_eq!(core(Bones, "(-2)#5"), "(repeat (negate 2) 5)");
        assert_eq!(core(Dicelab, "(-2)#5"), "(repeat (max 0 (negate 2)) 5)");
        assert_eq!(
            core(Dicelab, "high (0-1) 5"),
            "(high (max 0 (subtract 0 1)) 5)"
        );
        assert_eq!(
            core(Dicelab, "drop last d6-3 5"),
            "(drop-last (max 0 (subtract (die 6) 3)) 5)"
        );
    }

    #[test]
    fn counts_that_cannot_be_negative_are_left_alone() {
        for text in [
            "3#5",
            "d6#5",
            "(count >4 2#d6)#5",
            "(2*d6+1)#5",
            "low d3 5",
            "(sum 3#d6)#5",
        ] {
            assert!(!core(Dicelab, text).contains("max"), "{text}");
        }
    }
}

mod lowering {
    use super::*;

    #[test]
    fn the_best_three_of_four_dice_are_lowered_as_the_page_says() {
        assert_eq!(
            core(Bones, "sum(drop low 1 4#d6)"),
            "(sum (drop-low 1 (repeat 4 (die 6))))"
        );
    }

    #[test]
    fn dropping_by_comparison_keeps_what_fails_it() {
        for (dropped, kept) in [
            ("==", "!="),
            ("!=", "=="),
            ("<", ">="),
            (">", "<="),
            ("<=", ">"),
            (">=", "<"),
        ] {
            reads_as(
                Bones,
                &format!("drop {dropped} 4 6#d6"),
                &format!("{kept} 4 6#d6"),
            );
            reads_as(
                Bones,
                &format!("keep {dropped} 4 6#d6"),
                &format!("{dropped} 4 6#d6"),
            );
        }
    }

    #[test]
    fn names_are_bound_lexically_and_the_innermost_counts() {
        assert_eq!(
            core(Bones, "let x=d6 in let x=x+1 in x"),
            "(let x0 (die 6) (let x1 (add x0 1) x1))"
        );
        assert_eq!(
            core(Bones, "let x=2 in while x=x do (if ==0 x then () else x-1)"),
            "(let x0 2 (while x1 x0 (if (filter == 0 x1) () (subtract x1 1))))"
        );
        assert_eq!(
            core(Bones, "foreach x in 1..2 do foreach y in 1..2 do 10*x+y"),
            core(Bones, "foreach a in 1..2 do foreach b in 1..2 do 10*a+b"),
        );
    }

    #[test]
    fn settings_give_values_to_free_names_alone() {
        let settings = Settings::default()
            .with_parameter("n", -3_i64)
            .with_parameter("x", 1_i64);
        let source = Source::new("rule", "let x=2 in x+n");
        let reading = lower(Bones, &source, source.span(), &settings).unwrap();
        assert_eq!(reading.program.to_string(), "(let x0 2 (add x0 -3))");
    }

    #[test]
    fn a_rule_is_read_once_and_lowered_with_any_values() {
        let source = Source::new("rule", "let x=d6 in x+n");
        let rule = notation::parse(Bones, &source, source.span()).unwrap();
        for n in 1..4 {
            let settings = Settings::default().with_parameter("n", n);
            let results = rule.lower(&settings).unwrap();
            let expected = format!("(let x0 (die 6) (add x0 {n}))");
            assert_eq!(results[0].program.to_string(), expected);
        }
        let error = rule.lower(&Settings::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unbound);
    }

    #[test]
    fn an_integer_that_is_too_long_fails_where_it_is_evaluated() {
        let long = "9".repeat(30_000);
        let program = core(Bones, &format!("0#{long}"));
        assert_eq!(program, "(repeat 0 fail-overflow)");
        assert_eq!(core(Bones, &long[..100]), &long[..100]);
    }

    #[test]
    fn the_tree_is_in_the_words_of_the_notation() {
        let source = Source::new("rule", "let c = 5#d10 in (count keep >7 c)-1");
        let tree = notation::parse(Bones, &source, source.span())
            .unwrap()
            .tree();
        insta::assert_snapshot!(tree, @r"
        let c
          #
            5
            d
              10
          -
            count
              keep >
                7
                c
            1
        ");
    }
}

mod several_rules {
    use super::*;

    #[track_caller]
    fn split(dialect: Dialect, text: &str) -> Vec<(String, Dialect, String)> {
        let source = Source::new("rules", text);
        notation::rules(dialect, &source)
            .into_iter()
            .map(|rule| rule.unwrap())
            .map(|rule| (rule.name, rule.dialect, source.slice(rule.span).into()))
            .collect()
    }

    #[track_caller]
    fn bones(text: &str) -> Vec<(String, String)> {
        let rules = split(Bones, text).into_iter();
        rules.map(|(name, _, rule)| (name, rule)).collect()
    }

    fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
        pairs.map(|(name, rule)| (name.into(), rule.into())).into()
    }

    #[test]
    fn semicolons_separate_rules() {
        assert_eq!(
            bones("d2;;sum 2#d2;"),
            pairs([("d2", "d2"), ("sum 2#d2", "sum 2#d2")])
        );
        assert_eq!(bones("1;"), pairs([("1", "1")]));
        assert_eq!(split(Dicelab, "d2; d4").len(), 2);
    }

    #[test]
    fn semicolons_in_comments_do_not() {
        assert_eq!(
            bones("d2 // one; two\n+1"),
            pairs([("d2 +1", "d2 // one; two\n+1")])
        );
        assert_eq!(split(Dicelab, "d2\n# one; two\n+1").len(), 1);
        assert_eq!(bones("d2\n# 1; 2").len(), 2);
    }

    #[test]
    fn each_rule_may_have_a_name() {
        assert_eq!(
            bones("heroic: sum(drop low 1 4#d6); Baldur's 3d6/re-roll : sum 3#d6;d6"),
            pairs([
                ("heroic", "sum(drop low 1 4#d6)"),
                ("Baldur's 3d6/re-roll", "sum 3#d6"),
                ("d6", "d6"),
            ])
        );
    }

    #[test]
    fn comments_may_stand_before_a_name_and_after_a_rule() {
        assert_eq!(
            bones("// for: beginners\n// d6; d8\nheroic: sum(3#d6) // why not\n;\n// x\n"),
            pairs([("heroic", "sum(3#d6)")])
        );
        assert_eq!(
            split(Dicelab, "# a comment: this\nheroic: d6")[0].0,
            "heroic"
        );
    }

    #[test]
    fn the_name_of_a_nameless_rule_is_its_text_on_one_line() {
        assert_eq!(
            bones("let a = d6 in // first\n  a*a\n")[0].0,
            "let a = d6 in a*a"
        );
    }

    #[test]
    fn a_colon_without_a_blank_ends_no_name() {
        assert_eq!(bones("a:d6")[0].1, "a:d6");
        refused(Bones, "a:d6", ErrorKind::Parse);
    }

    #[test]
    fn a_name_may_say_its_dialect() {
        assert_eq!(
            split(Bones, "a [dicelab]: 2#3+1; b[bones]: 2; c: 3"),
            [
                ("a".into(), Dicelab, "2#3+1".into()),
                ("b".into(), Bones, "2".into()),
                ("c".into(), Bones, "3".into()),
            ]
        );
    }

    #[test]
    fn an_unknown_dialect_is_refused_and_the_other_rules_are_not() {
        let rules = rules(Bones, "a [dicelap]: 1; b: 2");
        let WrongRule { name, error } = rules[0].as_ref().unwrap_err();
        assert_eq!(name.as_deref(), Some("a"));
        assert_eq!(error.kind(), ErrorKind::Parse);
        let diagnostic = &error.diagnostics()[0];
        assert_eq!(diagnostic.message, "unknown dialect 'dicelap'");
        assert_eq!(
            diagnostic.notes,
            ["the dialects are bones, dicelab, dicebag, diceroller, onedice, tabletop, anydice"]
        );
        assert_eq!(diagnostic.help.as_deref(), Some("did you mean `dicelab`?"));
        assert_eq!(diagnostic.span, Some((3..10).into()));
        assert_eq!(rules[1].as_ref().unwrap().name, "b");
    }

    #[test]
    fn a_text_without_a_rule_is_refused() {
        for text in [
            "",
            "  \n",
            "// only a comment",
            ";",
            " ; // x\n;",
            "\u{feff}",
        ] {
            refused(Bones, text, ErrorKind::Parse);
        }
        refused(Dicelab, "#3", ErrorKind::Parse);
        refused(Bones, "heroic: ; d6", ErrorKind::Parse);
    }

    #[test]
    fn hash_lines_are_comments_in_dicelab_and_repetition_in_bones() {
        reads_as(Bones, "3\n#d2", "3#d2");
        reads_as(Dicelab, "3\n#d2", "3");
        reads_as(Dicelab, "3\n #d2", "3#d2");
        reads_as(Dicelab, "  # note; more\n#d2\r\n3", "3");
        assert_eq!(split(Dicelab, "2;\n#d2").len(), 1);
    }

    #[test]
    fn other_blanks_are_blanks() {
        reads_as(Bones, "\u{feff}sum\u{a0}(\u{3000}3#d6)\t\r\n", "sum(3#d6)");
    }
}

mod vectors {
    use super::*;

    /// The expected kind of error before a program is evaluated, if any.
    fn expected(expect: &serde_json::Value) -> Option<ErrorKind> {
        match expect["error"].as_str() {
            Some("parse") => Some(ErrorKind::Parse),
            Some("unbound") => Some(ErrorKind::Unbound),
            _ => None,
        }
    }

    /// The first error of reading a text's rules.
    fn first_error(dialect: Dialect, text: &str) -> Option<Error> {
        let source = Source::new("vector", text);
        notation::rules(dialect, &source)
            .into_iter()
            .map(|rule| {
                let rule = rule?;
                lower(dialect, &source, rule.span, &Settings::default())
            })
            .find_map(Result::err)
    }

    #[track_caller]
    fn agree(dialect: Dialect, vectors: &str) {
        let vectors: Vec<serde_json::Value> = serde_json::from_str(vectors).unwrap();
        assert!(vectors.len() > 200);
        let mut wrong = String::new();
        for vector in &vectors {
            let text = vector["program"].as_str().unwrap();
            let expected = expected(&vector["expect"]);
            let mut found = first_error(dialect, text);
            if found.is_none() && dialect == Bones && expected == Some(ErrorKind::Parse) {
                // The vectors are older than some forms of Bones; dicelab still refuses these.
                found = first_error(Dicelab, text);
            }
            if found.as_ref().map(Error::kind) != expected {
                writeln!(wrong, "{}: {text}: {found:?}", vector["id"]).unwrap();
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn every_bones_vector_is_read_or_refused_as_it_should() {
        agree(Bones, include_str!("../golden/bones.json"));
    }

    #[test]
    fn every_dicelab_vector_is_read_or_refused_as_it_should() {
        agree(Dicelab, include_str!("../golden/dicelab.json"));
    }
}

mod diagnostics {
    use super::*;

    /// An error as plain text: the underlined text, and all messages.
    fn render(source: &Source, error: &Error) -> String {
        let mut out = String::new();
        for diagnostic in error.diagnostics() {
            writeln!(out, "{}: {}", error.kind(), diagnostic.message).unwrap();
            if let Some(span) = diagnostic.span {
                let at = source.position(span.start);
                write!(out, "  {}:{} `{}`", at.line, at.column, source.slice(span)).unwrap();
            }
            let label = diagnostic.label.iter().map(|label| format!(" {label}\n"));
            out.extend(label.chain(diagnostic.label.is_none().then(|| "\n".into())));
            out.extend(
                diagnostic
                    .notes
                    .iter()
                    .map(|note| format!("  note: {note}\n")),
            );
            out.extend(
                diagnostic
                    .help
                    .iter()
                    .map(|help| format!("  help: {help}\n")),
            );
        }
        out
    }

    fn refusals(folder: &str, kind: ErrorKind) {
        insta::glob!("../reject", &format!("{folder}/*"), |path| {
            let extension = path.extension().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(path).unwrap();
            let source = Source::new("rule", text.clone());
            let error = notation::rules(extension.parse().unwrap(), &source)
                .into_iter()
                .map(|rule| {
                    let rule = rule?;
                    lower(rule.dialect, &source, rule.span, &Settings::default())
                })
                .find_map(Result::err)
                .expect("the rule is refused");
            assert_eq!(error.kind(), kind);
            insta::with_settings!({ description => text, omit_expression => true }, {
                insta::assert_snapshot!(render(&source, &error));
            });
        });
    }

    #[test]
    fn rules_that_cannot_be_parsed_say_what_to_write_instead() {
        refusals("parse", ErrorKind::Parse);
    }

    #[test]
    fn names_without_a_value_are_all_named() {
        refusals("unbound", ErrorKind::Unbound);
    }

    #[track_caller]
    fn helps(dialect: Dialect, text: &str, help: &str) {
        let error = read(dialect, text).unwrap_err();
        let found = error.diagnostics()[0].help.as_deref();
        assert_eq!(found, Some(help), "{text}: {error}");
    }

    #[test]
    fn what_other_notations_write_is_translated() {
        helps(Bones, "4d6", "write `sum(4#d6)` or `4#d6`");
        helps(Bones, "1d20", "write `d20`");
        helps(Bones, "2d6+3", "write `sum(2#d6)+3`");
        helps(
            Bones,
            "3d6kh2",
            "write `sum(high 2 3#d6)` or `(high 2 3#d6)`",
        );
        helps(
            Bones,
            "4d6dl1",
            "write `sum(drop low 1 4#d6)` or `(drop low 1 4#d6)`",
        );
        helps(Bones, "4d%", "write `sum(4#d%)` or `4#d%`");
        helps(Bones, "dd6", "write `d d6`");
    }

    #[test]
    fn mistakes_in_several_parentheses_are_reported_together() {
        let error = read(Bones, "(2d6)+(3 4)*(1+)").unwrap_err();
        assert_eq!(error.diagnostics().len(), 3);
        let error = read(Bones, "a+b+a").unwrap_err();
        assert_eq!(error.diagnostics().len(), 2);
    }

    #[test]
    fn an_unclosed_parenthesis_is_shown_where_it_opens() {
        let error = read(Bones, "sum(high 3 (4#d6)").unwrap_err();
        assert_eq!(error.diagnostics()[0].span, Some((3..4).into()));
    }
}

mod warned {
    use super::*;

    #[test]
    fn ordinary_rules_have_no_warnings() {
        for text in [
            "sum(drop low 1 4#d6)",
            "let c=5#d10 in (count >7 c)-(count ==1 c)",
            "let x = 7#d10 in high 1 (foreach y in 1..10 do sum (==y x))",
            "count (while x=d6 do ((count <6 x)#d6))",
            "if (>4 2#d6) then 1 else 0",
            "let c=d6 in if ==6 c then c else 0",
            "count >7 c - 1",
        ] {
            for dialect in [Bones, Dicelab] {
                let text = format!("let c = 3#d20 in let unused = c in (unused, ({text}))");
                assert_eq!(warnings(dialect, &text), [""; 0], "{text}");
            }
        }
    }

    #[test]
    fn a_condition_that_is_always_a_number_says_what_was_meant() {
        assert_eq!(
            warnings(Bones, "if count(>4 2#d6) then 1 else 0"),
            ["count gives a number, and a number is never empty; did you mean `if >4 2#d6`?"]
        );
        for condition in ["0", "d6", "(d6-1)", "sum 2#d6", "-1", "let x=1 in x"] {
            let text = format!("if {condition} then 1 else 0");
            assert_eq!(
                warnings(Bones, &text),
                ["a number always holds as a condition, even 0"],
                "{text}"
            );
        }
        assert_eq!(
            warnings(Bones, "let n=count >4 2#d6 in if n then 1 else 0").len(),
            1
        );
    }

    #[test]
    fn the_fibonacci_example_is_no_running_total() {
        let text = "let n = 20 in let f = (1,1) in foreach i in 1..n do \
                    let f = (f,sum(high 2 f)) in if ==n i then f else ()";
        assert_eq!(
            warnings(Bones, text),
            ["`f` starts anew for each member of `foreach`"]
        );
        assert_eq!(
            warnings(Bones, "foreach x in 3#d6 do let x=x+1 in x"),
            [""; 0],
            "the member itself may be changed"
        );
    }

    #[test]
    fn filters_that_are_plainly_empty_are_named() {
        for text in [
            ">6 d6",
            "==0 3#d6",
            "<1 (d6,d8)",
            ">=13 (d6+d6)",
            "<=0 (1..10)",
            "!=2 2",
            "drop <=6 5#d6",
            "let x=3#d6 in >6 x",
            "foreach x in 2#d6 do >6 x",
            "high 0 3#d6",
            ">18 rev 3#(d6+d6*2)",
            ">18 sum 3#d6",
        ] {
            assert_eq!(
                warnings(Bones, text),
                ["this filter never keeps anything"],
                "{text}"
            );
        }
        for text in [
            ">5 d6",
            "==6 d6",
            ">17 sum 3#d6",
            ">3 (d6^2)",
            "<0 (d6-2)",
            "drop <6 d6",
        ] {
            assert_eq!(warnings(Bones, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn names_that_nobody_uses_are_named() {
        assert_eq!(
            warnings(Bones, "let x=d6 in let y=d6 in y"),
            ["`x` is never used"]
        );
        assert_eq!(
            warnings(Bones, "let x=1 in let x=2 in x"),
            ["`x` is never used"]
        );
        assert_eq!(
            warnings(Bones, "foreach i in 1..3 do d6"),
            ["`i` is never used"]
        );
    }

    #[test]
    fn what_a_name_without_use_means_is_said_as_it_is() {
        let only = |text| read(Bones, text).unwrap().warnings.remove(0);
        // The value may fail, so the rule without it has another meaning.
        assert_eq!(
            only("let x=1/(d6-1) in d6").help.as_deref(),
            Some("leave it out, unless its value is to fail or never to end")
        );
        // Each round ends the loop with 1/6, so it ends with probability 1.
        assert_eq!(
            only("while x=d6 do drop ==6 d6").notes,
            ["each round is rolled afresh, whatever the last one was"]
        );
        assert_eq!(
            only("while x=1 do perm(1,2)").notes,
            ["each round is rolled afresh, whatever the last one was"]
        );
        // The die outside the loop is rolled only once.
        assert_eq!(
            only("let y=d6 in while x=1 do >3 y").notes,
            ["what is repeated is the same each time: the loop ends after one round or never"]
        );
    }
}

mod limits {
    use super::*;

    /// Runs a function on a thread with a small stack.
    fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn deep_nesting_is_a_limit_and_no_crash() {
        on_a_small_stack(|| {
            let many = 100_000;
            for dialect in [Bones, Dicelab] {
                for (open, middle, close) in [
                    ("(", "1", ")"),
                    ("-", "1", ""),
                    ("d ", "6", ""),
                    ("sum ", "1", ""),
                    ("1#", "1", ""),
                    ("1^", "1", ""),
                    ("(1,", "1", ")"),
                    ("1+(", "1", ")"),
                    (">1 ", "1", ""),
                    ("low 1 ", "1", ""),
                    ("low ", "1", " 1"),
                    ("if 1 then 1 else ", "1", ""),
                    ("if ", "1", " then 1 else 1"),
                    ("let x=1 in ", "1", ""),
                    ("let x=", "1", " in 1"),
                    ("while x=1 do ", "1", ""),
                    ("-(", "1", ")"),
                ] {
                    let text = open.repeat(many) + middle + &close.repeat(many);
                    let text = &text[..text.len().min(1 << 20)];
                    let start = Instant::now();
                    let error = read(dialect, text).unwrap_err();
                    let is_cut = text.len() == 1 << 20;
                    assert!(error.is_limit() || is_cut, "{dialect} {open}: {error}");
                    assert!(start.elapsed() < Duration::from_secs(5), "{dialect} {open}");
                }
            }
        });
    }

    #[test]
    fn five_hundred_levels_are_no_limit() {
        on_a_small_stack(|| {
            for (open, close) in [
                ("(", ")"),
                ("-", ""),
                ("1^", ""),
                ("sum ", ""),
                ("let x=1 in ", ""),
            ] {
                let text = open.repeat(500) + "1" + &close.repeat(500);
                core(Bones, &text);
                core(Dicelab, &text);
                refused(Bones, &(open.to_owned() + &text + close), ErrorKind::Limit);
            }
        });
    }

    #[test]
    fn long_flat_chains_are_ordinary() {
        on_a_small_stack(|| {
            for dialect in [Bones, Dicelab] {
                for (part, many) in [
                    ("1,", 100_000),
                    ("d6+", 5_000),
                    ("2*3-", 3_500),
                    ("(d6)+", 5_000),
                ] {
                    let text = part.repeat(many) + "1";
                    read(dialect, &text).unwrap();
                }
                refused(dialect, &("d6+".repeat(10_000) + "1"), ErrorKind::Limit);
            }
            core(Bones, &("sum(3#d6)+".repeat(5_000) + "1"));
            core(Dicelab, &("sum(3#d6)+".repeat(5_000) + "1"));
        });
    }

    #[test]
    fn limits_are_named_with_their_value() {
        let error = read(Bones, &("(".repeat(501) + "1" + &")".repeat(501))).unwrap_err();
        assert_eq!(
            error.diagnostics()[0].message,
            "the parts of the rule are nested deeper than the limit of 500"
        );
        let error = read(Bones, &"1,".repeat(600_000)).unwrap_err();
        assert_eq!(
            error.diagnostics()[0].message,
            "the text is longer than the limit of 1048576 bytes"
        );
    }

    #[test]
    fn the_longest_texts_are_read_in_linear_time() {
        for text in [
            "1,".repeat((1 << 19) - 1) + "1",
            "(2d6)+".repeat(1 << 17) + "1",
            "× ".repeat(1 << 18),
            "(".repeat(1 << 20),
            ")".repeat(1 << 20),
            "x,".repeat((1 << 19) - 1) + "1",
            "let x=>9 d6 in ".repeat(499) + &"x,".repeat(1 << 18) + "1",
            "1;".repeat(1 << 19),
            "a".repeat(1 << 20),
            "9".repeat(1 << 20),
            "\n".repeat(1 << 20),
            "high(1 2)".repeat(1 << 16),
            "(1 ".repeat(400) + &"1,".repeat(1 << 18) + "1" + &")".repeat(400),
        ] {
            for &dialect in Dialect::ALL {
                let start = Instant::now();
                let _ = read(dialect, &text);
                let took = start.elapsed();
                assert!(
                    took < Duration::from_secs(5),
                    "{} took {took:?}",
                    &text[..20]
                );
            }
        }
    }
}

mod printing {
    use super::*;

    fn print(dialect: Dialect, text: &str) -> String {
        let source = Source::new("rule", text);
        notation::parse(dialect, &source, source.span())
            .unwrap()
            .print()
    }

    #[test]
    fn the_canonical_text_has_no_more_parentheses_than_needed() {
        for (text, bones, dicelab) in [
            (
                "sum ( drop low 1 (4#(d6)) )",
                "sum drop low 1 4#d6",
                "sum drop low 1 4#d6",
            ),
            (
                "((1+2)*(3))-4-(5-6)",
                "(1 + 2) * 3 - 4 - (5 - 6)",
                "(1 + 2) * 3 - 4 - (5 - 6)",
            ),
            ("(sum(3#d6))+1", "sum 3#d6 + 1", "(sum 3#d6) + 1"),
            ("low 1 (-2)", "low 1 (-2)", "low 1 (-2)"),
            ("(2^3)^(2^3)", "(2^3)^2^3", "(2^3)^2^3"),
            ("2#(3+1)", "2#(3 + 1)", "2#3 + 1"),
            ("1,((2,3)),(4..5)", "1, (2, 3), (4..5)", "1, (2, 3), 4..5"),
            ("-(-1)", "--1", "--1"),
            ("let x = (d 6) in(x)", "let x = d6 in x", "let x = d6 in x"),
        ] {
            assert_eq!(print(Bones, text), bones);
            assert_eq!(print(Dicelab, text), dicelab);
        }
    }

    /// What follows `on` may go on with `..`, and a `case` at the end of a binder with the braces of another.
    #[test]
    fn what_would_go_on_to_the_right_is_closed() {
        for (text, printed) in [
            ("(sum reroll d3 on (2)) .. 3", "(sum reroll d3 on 2)..3"),
            (
                "(1 + sum explode d3 on 1) .. 4",
                "(1 + sum explode d3 on 1)..4",
            ),
            ("1 .. (sum reroll d3 on 2)", "1..sum reroll d3 on 2"),
            (
                "case (let x = d2 in case {d3 == 1: x, else: 0}) {1: 2, else: 0}",
                "case (let x = d2 in case {d3 == 1: x, else: 0}) {1: 2, else: 0}",
            ),
        ] {
            assert_eq!(print(Bones, text), printed);
            assert_eq!(print(Bones, printed), printed);
        }
    }

    /// Random rules with every construct. Most are correct in Bones, many in dicelab.
    fn texts() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            (0..20_i32).prop_map(|number| number.to_string()),
            prop_oneof!["x", "y", "()"],
        ];
        leaf.prop_recursive(6, 40, 3, |part| {
            let pair = (part.clone(), part.clone());
            let infix = prop_oneof![
                Just("+"), Just("-"), Just("*"), Just("/"), Just("%"), Just("^"), Just("."),
                Just("#"), Just(".."), Just(","),
            ];
            let word = prop_oneof![
                Just("sum"), Just("count"), Just("prod"), Just("perm"), Just("rev"), Just("sort"),
                Just("d "), Just("-"),
            ];
            let filter = prop_oneof![
                Just("low"), Just("drop high"), Just("keep first"), Just("last"), Just(">"),
                Just("drop =="), Just("<="), Just("keep !="),
            ];
            prop_oneof![
                3 => (pair.clone(), infix).prop_map(|((a, b), sign)| format!("{a} {sign} {b}")),
                2 => (part.clone(), word).prop_map(|(a, word)| format!("{word} {a}")),
                2 => (pair.clone(), filter).prop_map(|((a, b), filter)| format!("{filter} {a} {b}")),
                2 => part.clone().prop_map(|a| format!("({a})")),
                1 => pair.clone().prop_map(|(a, b)| format!("let x = {a} in {b}")),
                1 => pair.clone().prop_map(|(a, b)| format!("foreach y in {a} do {b}")),
                1 => pair.clone().prop_map(|(a, b)| format!("while x = {a} do {b}")),
                1 => (pair, part).prop_map(|((a, b), c)| format!("if {a} then {b} else {c}")),
            ]
        })
        .prop_map(|text| format!("let x = 1 in let y = 2 in {text}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn printing_what_was_read_is_a_fixed_point(text in texts()) {
            for dialect in [Bones, Dicelab] {
                let Ok(reading) = read(dialect, &text) else { continue };
                let printed = print(dialect, &text);
                prop_assert_eq!(core(dialect, &printed), reading.program.to_string(), "{}", printed);
                prop_assert_eq!(&print(dialect, &printed), &printed);
            }
        }

        #[test]
        fn no_text_is_too_strange_to_be_answered(
            text in "([a-z(){}0-9 .,;:#<>=!+*/%^\n-]|sum|low|let|in|do|if|then|else|d|×|é){0,40}"
        ) {
            for &dialect in Dialect::ALL {
                let source = Source::new("rule", text.clone());
                for rule in notation::rules(dialect, &source).into_iter().flatten() {
                    let _ = lower(rule.dialect, &source, rule.span, &Settings::default());
                }
            }
        }
    }
}

/// dicebag. Expected values are from LANGUAGES.md, or a comment says where they are from.
mod dicebag {
    use dicedist::Limits;
    use dicedist::notation::Wanted;

    use super::*;

    /// The pool of a rule, as a core term.
    #[track_caller]
    fn pool(text: &str) -> String {
        let source = Source::new("rule", text);
        let settings = Settings::default().with_wanted(Wanted::Pool);
        let reading = lower(Dicebag, &source, source.span(), &settings);
        reading.unwrap().program.to_string()
    }

    /// All outcomes of a rule.
    #[track_caller]
    fn outcomes(text: &str) -> Vec<(String, String)> {
        let answer = crate::rules::analyze(Dicebag, text, &Limits::default()).unwrap();
        assert!(answer.above().or(answer.below()).is_none(), "{text}");
        let outcomes = answer.outcomes().iter();
        outcomes
            .map(|(value, weight)| {
                (
                    value.exact(&answer.unit, &answer.shape),
                    answer.probability(weight).to_string(),
                )
            })
            .collect()
    }

    #[test]
    fn letters_are_tightest_and_signs_without_blanks_tighter_than_with() {
        reads_as(Dicebag, "1d2d3", "1d(2d3)");
        reads_as(Dicebag, "d2d3", "1d(2d3)");
        reads_as(Dicebag, "4d6k3", "4d(6k3)");
        reads_as(Dicebag, "3K4d6+1", "(3K4d6)+1");
        reads_as(Dicebag, "6E6E1d6", "6E(6E1d6)");
        reads_as(Dicebag, "2d6+1-2", "(2d6+1)-2");
        reads_as(Dicebag, "1d4+1 x 2", "(1d4+1) x 2");
        reads_as(Dicebag, "2 * 1d4 x 2", "2 * (1d4 x 2)");
        reads_as(Dicebag, "1 + 2 * 3 - 4", "(1 + (2 * 3)) - 4");
        reads_as(Dicebag, "10 - 2+3", "10 - (2+3)");
        reads_as(Dicebag, "2d-1", "2d(-1)");
        assert_eq!(core(Dicebag, "10 - 2+3"), "(subtract 10 (add 2 3))");
    }

    #[test]
    fn a_sign_before_dice_negates_them() {
        reads_as(Dicebag, "-1d6", "-(1d6)");
        reads_as(Dicebag, "-d6+2", "(-d6)+2");
        assert_eq!(core(Dicebag, "-1d6"), "(negate (die 6))");
        assert_eq!(core(Dicebag, "2 * -1d6"), "(multiply 2 (negate (die 6)))");
    }

    #[test]
    fn a_bonus_is_for_each_die_and_a_sum_for_all() {
        assert_eq!(pool("2d6+3"), "(repeat 2 (add (die 6) 3))");
        assert_eq!(pool("2d6 + 3"), "(join (repeat 2 (die 6)) 3)");
        assert_eq!(pool("2d6+1d4"), "(repeat 2 (add (die 6) (die 4)))");
        assert_eq!(pool("3K4d6"), "(high 3 (repeat 4 (die 6)))");
    }

    #[test]
    fn limits_and_sides_that_are_rolled_are_rolled_once() {
        assert_eq!(
            core(Dicebag, "2d(1d4)"),
            "(let x0 (die 4) (sum (repeat 2 (die x0))))"
        );
        assert_eq!(
            core(Dicebag, "(1d4)E2d6"),
            "(let x0\n  (die 4)\n  (sum\n    (repeat\n      2\n      (sum (while x1 (die 6) (repeat \
             (count (filter >= x0 x1)) (die 6)))))))"
        );
    }

    #[test]
    fn dice_without_sides_are_errors() {
        let kind = |text: &str| {
            let error = crate::rules::analyze(Dicebag, text, &Limits::default()).unwrap_err();
            (error.kind(), error.probability().unwrap().to_string())
        };
        assert_eq!(kind("1d(-4)"), (ErrorKind::BadDie, "1".into()));
        assert_eq!(kind("1d(1d3 - 1)"), (ErrorKind::BadDie, "1/3".into()));
        assert_eq!(
            kind("1 / (1d2 - 1)"),
            (ErrorKind::DivisionByZero, "1/2".into())
        );
        // Without dice the number of sides is not checked.
        assert_eq!(outcomes("0d0"), [("0".into(), "1".into())]);
    }

    #[test]
    fn less_than_no_dice_are_none() {
        for text in ["(1d2 - 3)d6", "(0 - 1)K2d6", "(-1)k2d6", "1d6 x (1d2 - 2)"] {
            assert_eq!(outcomes(text), [("0".into(), "1".into())], "{text}");
        }
    }

    #[test]
    fn quotients_are_rounded_down() {
        // The floors of -3/2, -2/2, …, by hand.
        let halves = [("-2", "1/6"), ("-1", "1/3"), ("0", "1/3"), ("1", "1/6")];
        let expected = halves.map(|(value, share)| (value.to_owned(), share.to_owned()));
        assert_eq!(outcomes("(1d6 - 4) / 2"), expected);
        assert_eq!(outcomes("7 / (-2)"), [("-4".into(), "1".into())]);
        assert_eq!(outcomes("(-7) / (-2)"), [("3".into(), "1".into())]);
    }

    #[test]
    fn what_is_kept_is_rolled_again_as_it_was_rolled_first() {
        let of = |text: &str, value: i64| {
            let answer = crate::rules::analyze(Dicebag, text, &Limits::default()).unwrap();
            let numbers = answer.numbers().unwrap();
            answer
                .probability(&numbers.weight_of(&value.into()))
                .to_string()
        };
        // The higher of a d2 and a d3 is rolled again on a 3. It is then the d3, and shows 1, 2, or 3 again.
        assert_eq!(of("3E1K(1d2 + 1d3)", 1), "1/6");
        assert_eq!(of("3E1K(1d2 + 1d3)", 2), "1/2");
        assert_eq!(of("3E1K(1d2 + 1d3)", 4), "1/9");
        assert_eq!(of("3E1K(1d2 + 1d3)", 8), "1/27");
        // Among equal dice the earlier one is kept, so for 2 and 2 the d2. The first value is 2 from the d2 with 1/3, and from the
        // d3 with 1/6. A 1 then follows with 1/2 or 1/3.
        assert_eq!(of("2E1K(1d2 + 1d3)", 1), "1/6");
        assert_eq!(of("2E1K(1d2 + 1d3)", 3), "2/9");
        // The higher of two d2 is 2 with 3/4.
        assert_eq!(of("2E1K2d2", 1), "1/4");
        assert_eq!(of("2E1K2d2", 3), "3/8");
        assert_eq!(of("2E1K2d2", 5), "3/16");
    }

    #[test]
    fn each_line_is_a_rule() {
        let rules = rules(Dicebag, "// bows\n1d6\n\nlong: 1d8 + 1\r\n  // x\n 2d4 \n");
        let rules: Vec<Rule> = rules.into_iter().map(Result::unwrap).collect();
        let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(names, ["1d6", "long", "2d4"]);
        refused(Dicebag, "1d6;1d4", ErrorKind::Parse);
        refused(Dicebag, " ", ErrorKind::Parse);
    }

    #[test]
    fn letters_after_the_dice_are_worth_a_warning() {
        let source = Source::new("rule", "4d6K3");
        let reading = lower(Dicebag, &source, source.span(), &Settings::default());
        let warning = &reading.unwrap().warnings[0];
        assert_eq!(warning.message, "`d` takes all of `6K3` as its sides");
        assert_eq!(warning.help.as_deref(), Some("did you mean `3K4d6`?"));
        assert!(warnings(Dicebag, "3K4d6").is_empty());
        assert!(warnings(Dicebag, "4d(6K3)").is_empty());
    }

    #[test]
    fn deep_nesting_of_dicebag_is_a_limit_and_no_crash() {
        for text in [
            format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
            format!("{}1", "-".repeat(100_000)),
            format!("{}1", "d".repeat(100_000)),
            format!("1{}", "E1".repeat(100_000)),
            format!("1{}", " + 1".repeat(100_000)),
            format!("1{}", "+1".repeat(100_000)),
        ] {
            refused(Dicebag, &text, ErrorKind::Limit);
        }
        for text in [
            format!("1{}", " + 1d6".repeat(5_000)),
            format!("6E(1d6{})", " x 1d2".repeat(5_000)),
            format!("{}1d6", "6E".repeat(400)),
            format!("{}1d6", "6A".repeat(400)),
            format!("{}1d6", "6E1K".repeat(100)),
        ] {
            assert!(read(Dicebag, &text).is_ok(), "{}", &text[..20]);
        }
    }

    fn expressions() -> impl Strategy<Value = String> {
        let operand = prop_oneof!["[0-9]{1,2}", "d[1-9]", "[1-3]d[1-9]"];
        operand.prop_recursive(4, 32, 2, |inner| {
            let letters = prop::sample::select(vec!["d", "E", "e", "K", "k", "A", "a", "T", "t"]);
            let signs = prop::sample::select(vec!["+", "-", " + ", " - ", " * ", " / ", " x "]);
            prop_oneof![
                (inner.clone(), letters, inner.clone())
                    .prop_map(|(a, letter, b)| format!("({a}){letter}({b})")),
                (inner.clone(), signs, inner.clone())
                    .prop_map(|(a, sign, b)| format!("{a}{sign}{b}")),
                inner.clone().prop_map(|a| format!("-{a}")),
                inner.prop_map(|a| format!("({a})")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn printing_a_dicebag_rule_is_a_fixed_point(text in expressions()) {
            let print = |text: &str| {
                let source = Source::new("rule", text);
                notation::parse(Dicebag, &source, source.span()).map(|rule| rule.print())
            };
            if let Ok(printed) = print(&text) {
                prop_assert_eq!(core(Dicebag, &printed), core(Dicebag, &text));
                prop_assert_eq!(print(&printed).unwrap(), printed);
            }
        }

        #[test]
        fn no_text_of_dicebag_signs_panics(text in "[0-9dEeKkAaTtxX+*/ ()!#;%<>=.h×-]{0,24}") {
            if let Err(error) = read(Dicebag, &text) {
                prop_assert!(!error.diagnostics().is_empty());
            }
        }
    }
}
