//! Command lines, and the exit status of the process. The look of the output is tested by `tests/cli/*.trycmd`.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use dicedist::number::Fraction;
use serde_json::Value;

use crate::command::{Said, dicedist, run, say};

/// The values of a rule in JSON, with their probabilities.
fn outcomes(rule: &Value) -> Vec<(String, String)> {
    let outcomes = rule["outcomes"].as_array().unwrap().iter();
    outcomes
        .map(|outcome| {
            let probability = outcome["probability"].as_str().unwrap();
            (outcome["value"].to_string(), probability.to_owned())
        })
        .collect()
}

/// The names of the rules in JSON.
fn names(said: &Said) -> Vec<String> {
    let rules = said.json()["rules"].as_array().unwrap().clone();
    rules
        .iter()
        .map(|rule| rule["name"].as_str().unwrap().to_owned())
        .collect()
}

fn json<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["--format", "json"], arguments].concat()
}

#[test]
fn a_rule_is_answered_exactly() {
    let said = run(json(&["1,d2"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let rule = &said.json()["rules"][0];
    let expected = [("[1,1]", "1/2"), ("[1,2]", "1/2")];
    assert_eq!(
        outcomes(rule),
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(rule["kind"], "multiset");
    assert_eq!(rule["method"], "exact");
}

#[test]
fn lists_keep_their_order_when_asked() {
    let sorted = run(json(&["2,1"]));
    assert_eq!(outcomes(&sorted.json()["rules"][0])[0].0, "[1,2]");
    let ordered = run(json(&["2,1", "--ordered"]));
    assert_eq!(outcomes(&ordered.json()["rules"][0])[0].0, "[2,1]");
    assert_eq!(ordered.json()["rules"][0]["kind"], "sequence");
}

#[test]
fn rules_come_from_arguments_files_and_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.dicelab");
    fs::write(&path, "2#3+1;\nlast one: d4").unwrap();
    let path = path.to_str().unwrap();

    let said = run(json(&["-f", path]));
    assert_eq!(names(&said), ["2#3+1", "last one"], "{}", said.stderr);
    assert_eq!(
        outcomes(&said.json()["rules"][0])[0].0,
        "[4,4]",
        "the extension says dicelab"
    );
    assert_eq!(said.json()["rules"][0]["dialect"], "dicelab");

    let said = run(json(&["-f", path, "-d", "bones"]));
    assert_eq!(said.code, Some(1), "the option outweighs the extension");

    let said = say(dicedist(json(&["-d", "dicelab"])).write_stdin("2#3+1\n"));
    assert_eq!(names(&said), ["2#3+1"], "{}", said.stderr);

    let said = say(dicedist(json(&["first: d6", "-f", "-", "-f", path])).write_stdin("d8"));
    assert_eq!(
        names(&said),
        ["first", "d8", "2#3+1", "last one"],
        "{}",
        said.stderr
    );
}

#[test]
fn words_that_are_one_rule_together_need_quotes() {
    for (words, rule) in [
        (&["1d20+5", "vs", "15"][..], "'(1d20+5)>=15'"),
        (&["4d6", "drop", "lowest"], "'4d6dl1'"),
        (&["2d6", "+", "3"], "'2d6 + 3'"),
    ] {
        let said = say(&mut dicedist(words));
        assert_eq!((said.code, &*said.stdout), (Some(2), ""), "{}", said.stderr);
        assert!(said.stderr.contains("quotes") && said.stderr.contains(rule));
    }
    for rules in [&["2d6", "2d8"][..], &["d6", ";"], &["d20", "fumble"]] {
        let said = say(&mut dicedist(rules));
        assert!(!said.stderr.contains("quotes"), "{}", said.stderr);
    }
}

#[test]
fn rules_can_be_named_and_carry_their_dialect() {
    let said = run(json(&[
        "heroic: sum(drop low 1 4#d6)",
        "x [dicelab]: 2#3+1",
        "d6; two: d8",
    ]));
    assert_eq!(
        names(&said),
        ["heroic", "x", "d6", "two"],
        "{}",
        said.stderr
    );
    assert_eq!(said.json()["rules"][1]["dialect"], "dicelab");
}

#[test]
fn one_wrong_rule_does_not_keep_the_others_from_being_answered() {
    let said = run(json(&["d6", "d6 +", "d4"]));
    assert_eq!(said.code, Some(1));
    assert_eq!(names(&said), ["d6", "d4"]);
    let error = &said.errors()["errors"][0];
    assert_eq!(
        (&error["rule"], &error["kind"]),
        (&Value::from(1), &Value::from("parse"))
    );
    assert_eq!(said.json()["errors"], said.errors()["errors"]);

    let said = run(["d6", "d6 +"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.contains("16.66"), "{}", said.stdout);
    assert!(
        said.stderr.contains("Error:") && said.stderr.contains("rule 2:1:"),
        "{}",
        said.stderr
    );
}

#[test]
fn errors_of_evaluation_have_a_place_and_a_probability() {
    let said = run(json(&["1 +\n 6/(d6-1)"]));
    assert_eq!(said.code, Some(1));
    let error = &said.errors()["errors"][0];
    assert_eq!(error["kind"], "division_by_zero");
    assert_eq!(error["probability"], "1/6");
    assert_eq!(
        (&error["line"], &error["column"]),
        (&Value::from(2), &Value::from(2))
    );
}

#[test]
fn a_limit_has_its_own_status_and_names_the_option() {
    let large = [
        "perm(1..52)",
        "--ordered",
        "--exact",
        "--max-states",
        "1000",
        "--time-limit",
        "2",
    ];
    let said = run(large);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    let is_named = said.stderr.contains("raise the limit with --");
    assert!(is_named, "{}", said.stderr);
    let said = run(large.into_iter().chain(["d6 +"]));
    assert_eq!(said.code, Some(1), "a wrong rule outweighs a limit");
}

#[test]
fn free_variables_get_their_values_from_set() {
    let said = run(json(&[
        "n*10 + k", "d2", "--set", "n=1..2", "--set", "k=5,7",
    ]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let rules = said.json()["rules"].clone();
    let values: Vec<String> = rules
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| outcomes(rule)[0].0.clone())
        .collect();
    assert_eq!(values, ["15", "17", "25", "27", "1"]);
    assert_eq!(rules[1]["parameters"], serde_json::json!({"n": 1, "k": 7}));
    assert_eq!(rules[4]["parameters"], serde_json::json!({}));
}

#[test]
fn wrong_numbers_are_told_from_rules_and_said_plainly() {
    for (arguments, expected) in [
        (
            ["--digits", "-1", "d6"],
            "expected a whole number, found '-1'",
        ),
        (["--time-limit", "-1", "d6"], "expected a number of seconds"),
        (["--max-memory", "-1", "d6"], "expected a size"),
        (
            ["--max-states", "1e3", "d6"],
            "expected a whole number, found '1e3'",
        ),
        (
            ["--roll", "-1", "d6"],
            "expected a whole number, found '-1'",
        ),
        (
            ["--roll", "99999999999999999999", "d6"],
            "the number is too large",
        ),
        (
            ["--roll", "x", "d6"],
            "--roll expects a number of rolls, found 'x'",
        ),
        (["--set", "if=3", "d6"], "'if' cannot be a name in bones"),
        (["--set", "d6=3", "d6"], "'d6' cannot be a name in bones"),
    ] {
        let said = run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}");
        assert!(
            said.stderr.contains(expected),
            "{arguments:?}: {}",
            said.stderr
        );
    }
}

#[test]
fn values_are_named_in_the_order_of_the_call() {
    let said = run(["n+m", "--set", "n=1", "--set", "m=2..3", "--at-least", "2"]);
    assert!(said.stdout.contains("n=1, m=3"), "{}", said.stdout);
}

#[cfg(unix)]
#[test]
fn an_option_that_the_help_names_can_be_pasted_into_a_shell() {
    for text in [
        "sum(to_hit#d6)",
        "1d20+@abilities.str.mod",
        "1d20+@{selected|x}",
        "1d20+?{Attack Bonus}",
        "1d20+@{it's \"here\"}",
        "ceil(@level / 2)d6",
    ] {
        let said = run([text]).stderr;
        let from = said
            .find("--set ")
            .unwrap_or_else(|| panic!("{text}: {said}"));
        let option = said[from..].split('`').next().unwrap();
        let shell = assert_cmd::Command::new("sh")
            .args(["-c", &format!("\"$0\" \"$1\" {option}")])
            .args([env!("CARGO_BIN_EXE_dicedist"), text])
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&shell.stderr).into_owned();
        assert!(shell.status.success(), "{text}: {option}: {complaint}");
    }
}

#[test]
fn many_wrong_rules_are_a_short_complaint() {
    let said = say(dicedist(["-f", "-"]).write_stdin("4 +;\n".repeat(40_000)));
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr
            .starts_with("error: more than 1000 rules are wrong"),
        "{}",
        said.stderr
    );
    let said = say(dicedist(["-f", "-"]).write_stdin("4 +;\n".repeat(900)));
    assert_eq!(said.code, Some(1));
    assert!(
        said.stderr.ends_with("800 more could not be answered\n"),
        "{}",
        said.stderr
    );
}

#[test]
fn two_outputs_to_one_file_are_refused_however_it_is_spelt() {
    let folder = tempfile::tempdir().unwrap();
    let said = say(dicedist(["d6", "--csv", "out", "--json", "./out"]).current_dir(folder.path()));
    assert_eq!(said.code, Some(2), "{}", said.stderr);
}

#[test]
fn files_that_cannot_be_read_are_said_in_json_too() {
    let said = run(["--format", "json", "-f", "no/such/file"]);
    assert_eq!(said.code, Some(4));
    assert_eq!(said.errors()["errors"][0]["kind"], "io");
}

#[test]
fn what_cannot_be_seen_is_written_out() {
    for (rule, name) in [("d6\u{202e}+1", "U+202E"), ("d6\u{200b}", "U+200B")] {
        let said = run([rule]);
        assert!(said.stderr.contains(name), "{}", said.stderr);
        assert!(
            !said.stderr.contains(['\u{202e}', '\u{200b}']),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn words_of_the_command_line_are_shown_without_what_is_harmful() {
    for harmful in [
        '\u{202e}', '\u{2066}', '\u{200f}', '\u{1b}', '\u{7}', '\u{9b}', '\r', '\n',
    ] {
        let word = format!("x{harmful}[31my");
        let shown = format!("<U+{:04X}>", u32::from(harmful));
        for arguments in [
            vec![format!("--{word}")],
            vec![format!("-{harmful}")],
            vec![format!("--form{word}=json")],
            vec!["--format".into(), word.clone()],
            vec!["--dialect".into(), word.clone()],
            vec!["--digits".into(), word.clone()],
            vec!["--max-memory".into(), word.clone()],
            vec!["--set".into(), format!("{word}=1")],
            vec!["--set".into(), format!("n={word}")],
            vec!["--set".into(), format!("n=1..{word}")],
            vec![format!("--roll={word}")],
            vec!["--tolerance".into(), word.clone()],
        ] {
            let said = run(arguments.iter().map(String::as_str).chain(["d6"]));
            assert_eq!(said.code, Some(2), "{arguments:?}: {}", said.stdout);
            assert!(
                said.stderr.contains(&shown),
                "{arguments:?}: {}",
                said.stderr
            );
            // Several lines are the program's own.
            let is_harmful = harmful != '\n' && said.stderr.contains(harmful);
            assert!(!is_harmful, "{arguments:?}: {:?}", said.stderr);
        }
    }
    let said = run(["-1\u{202e}"]);
    assert!(said.stderr.contains("'-1<U+202E>'"), "{}", said.stderr);
    // Where there are colours, they are the program's own.
    let clipboard = "--\u{1b}]52;c;eA==\u{7}";
    let said = say(dicedist([clipboard]).env("CLICOLOR_FORCE", "1"));
    assert!(said.stderr.contains("\u{1b}[1m"), "{:?}", said.stderr);
    assert!(!said.stderr.contains("\u{1b}]"), "{:?}", said.stderr);
}

#[test]
fn long_words_are_shown_in_part() {
    let long = "x".repeat(100_000);
    for arguments in [
        vec![format!("--{long}")],
        vec!["--format".into(), long.clone()],
        vec!["--digits".into(), long.clone()],
        vec!["--set".into(), format!("{long}=1,x")],
        vec!["--set".into(), format!("{long}=1")],
        vec![
            "--set".into(),
            format!("{long}=1"),
            "--set".into(),
            format!("{long}=1"),
        ],
        vec![format!("--roll={long}")],
        vec![format!("-1{long}")],
    ] {
        let said = run(arguments.iter().map(String::as_str).chain(["d6"]));
        assert_eq!(said.code, Some(2), "{}", said.stdout);
        assert!(said.stderr.len() < 2_000, "{} bytes", said.stderr.len());
        assert!(said.stderr.contains("xxx…"), "{}", said.stderr);
    }
}

#[test]
fn a_value_that_nobody_asks_for_is_a_mistake() {
    let said = run(["d6", "--set", "n=1"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("'n'"), "{}", said.stderr);
    let said = run(["n", "--set", "n=1", "--set", "n=2"]);
    assert_eq!(said.code, Some(2));
    let said = run(["let n = 2 in n", "--set", "n=1"]);
    assert_eq!(said.code, Some(2), "a bound variable is not free");
}

#[test]
fn too_many_series_are_refused_before_they_are_made() {
    let wide = |name: &str| format!("{name}=1..10000");
    let mut arguments = vec!["a+b+c+e".to_owned()];
    for name in ["a", "b", "c", "e"] {
        arguments.extend(["--set".to_owned(), wide(name)]);
    }
    let said = run(&arguments);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(
        said.stderr.contains("more than 10000 series"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_wrong_rule_is_called_by_its_name() {
    let said = run(json(&["d6", "best:", "worst [klingon]: d6", "odd: d6 +"]));
    let errors = said.errors()["errors"].clone();
    let names: Vec<&Value> = errors
        .as_array()
        .unwrap()
        .iter()
        .map(|error| &error["name"])
        .collect();
    assert_eq!(names, ["best", "worst", "odd"]);
}

#[test]
fn answers_are_the_same_in_each_run() {
    // Maps with values of a rule have another order in each run, and nothing may show it.
    for rule in [
        "d20*(1000003*d20)",
        "perm(d4,d6,8)",
        "high 2 (d4,d6,d8,7*d10)",
        "foreach x in 3#d6 do 100*x",
        "while x=d6 do ((count ==6 x)#d6)",
        "6/(d6-1) + 1/(d4-2)",
        "2^62*d6 + (3^50)^(d3-1)",
    ] {
        let answer = || {
            let said = run(json(&[
                "--ordered",
                "--check",
                "--exact",
                "--max-states",
                "20000",
                rule,
            ]));
            (said.code, said.stdout, said.stderr)
        };
        let first = answer();
        for _ in 0..4 {
            assert_eq!(answer(), first, "{rule}");
        }
    }
}

#[test]
fn warnings_of_a_rule_that_fails_are_kept() {
    let said = run(json(&["d6", "let x=1 in 6/n", "--set", "n=0..2"]));
    assert_eq!(said.code, Some(1));
    let warnings = said.json()["warnings"].clone();
    assert_eq!(warnings.as_array().unwrap().len(), 1, "{warnings}");
    assert_eq!(warnings[0]["rule"], 1);
    let said = run(json(&["let x=1 in 6/0"]));
    assert_eq!(said.json()["warnings"][0]["rule"], 0);
}

#[test]
fn an_error_of_one_value_leaves_the_others() {
    let said = run(["6/n", "--set", "n=0..2"]);
    assert!(
        said.stderr.contains("this happens with n=0"),
        "{}",
        said.stderr
    );
    let said = run(json(&["6/n", "--set", "n=0..2"]));
    assert_eq!(said.code, Some(1));
    assert_eq!(said.json()["rules"].as_array().unwrap().len(), 2);
    assert_eq!(said.errors()["errors"][0]["kind"], "division_by_zero");
}

/// d20+5 reaches 12 from 7 on, with 14/20.
#[test]
fn several_numbers_are_asked_for_in_other_ways() {
    let cases = [
        (
            ["--at-least", "7-9"],
            "--chance \"value >= 7 and value <= 9\"",
        ),
        (
            ["--at-most", "7..9"],
            "--chance \"value >= 7 and value <= 9\"",
        ),
        (
            ["--exactly", "7 to 9"],
            "--chance \"value >= 7 and value <= 9\"",
        ),
        (
            ["--at-least", "7,8"],
            "give the option once for each number",
        ),
        (["--exactly", "7 8"], "give the option once for each number"),
        (
            ["--between", "7-9"],
            "--chance \"value >= 7 and value <= 9\"",
        ),
        (["--set", "n=1-4"], "write n=1..4 for a range"),
        (
            ["--at-least", "success"],
            "--exactly \"success\" asks for one",
        ),
        (
            ["--at-most", "90%"],
            "--percentile 90 shows what 90% of the rolls do not exceed",
        ),
        (
            ["--at-least", "75%"],
            "--percentile 25 shows what 75% of the rolls reach",
        ),
        (["--less-than", "10"], "'--at-most 9'"),
        (["--set", "n=1..3,t=2"], "once for each name"),
        // Numbers have no labels to ask for.
        (["--exactly", "success"], "no rule has labels"),
    ];
    for (options, help) in cases {
        let said = run(["2d6"].into_iter().chain(options));
        assert_eq!(said.code, Some(2), "{options:?}: {}", said.stdout);
        assert!(said.stderr.contains(help), "{options:?}: {}", said.stderr);
    }
}

#[test]
fn a_condition_is_asked_for_by_its_answers() {
    let yes = run(["d20+5 >= 12", "--exactly", "yes"]);
    assert_eq!(yes.stdout, "yes  70.0000%  0.700000  7/10\n");
    let no = run(["d20+5 >= 12", "--exactly", "no"]);
    assert_eq!(no.stdout, "no  30.0000%  0.300000  3/10\n");
    let sweep = run(["d20+5 >= AC", "--set", "AC=12,14", "--width", "60"]);
    let rows: Vec<&str> = sweep.stdout.lines().collect();
    assert_eq!(rows[0], "d20+5 >= AC");
    assert!(rows[2].trim() == "yes", "{rows:?}");
    assert!(rows[3].starts_with("AC=12  70.0000%"), "{rows:?}");
    assert!(rows[4].starts_with("AC=14  60.0000%"), "{rows:?}");
    let label = run(["3d6", "--exactly", "yes"]);
    assert_eq!(label.code, Some(2));
}

#[test]
fn only_the_probabilities_that_are_asked_for_are_printed() {
    let said = run(["d6", "--at-least", "5", "--exactly", "-3", "--at-most", "1"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stdout.contains("1/3") && said.stdout.contains("1/6"),
        "{}",
        said.stdout
    );
    let said = run(json(&["d6", "--at-least", "5", "--exactly", "-3"]));
    let said_csv = run(["d6", "--at-least", "5", "--format", "csv"]);
    assert_eq!(
        said_csv.stdout,
        "name,query,value,probability,numerator,denominator\r\nd6,at-least,5,0.33333333333333333,1,3\r\n"
    );
    let said_markdown = run(["d6", "--at-least", "5", "--format", "markdown"]);
    let last = said_markdown.stdout.lines().last();
    assert_eq!(last, Some("| at least 5 | 33.3333% | 0.333333 | 1/3 |"));
    let queries = &said.json()["rules"][0]["queries"];
    assert_eq!(
        (&queries[0]["query"], &queries[0]["probability"]),
        (&"at-least".into(), &"1/3".into())
    );
    assert_eq!(
        (&queries[1]["value"], &queries[1]["probability"]),
        (&Value::from(-3), &"0".into())
    );
}

#[test]
fn rolls_are_one_a_line_and_repeatable() {
    let said = run(["--roll", "5", "--seed", "7", "3#d6"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(said.stdout.lines().count(), 5);
    for line in said.stdout.lines() {
        let dice: Vec<u8> = line.split(' ').map(|die| die.parse().unwrap()).collect();
        assert!(
            dice.len() == 3 && dice.iter().all(|die| (1..=6).contains(die)),
            "{line}"
        );
    }
    assert_eq!(
        said.stdout,
        run(["--roll", "5", "--seed", "7", "3#d6"]).stdout
    );
    assert_ne!(
        said.stdout,
        run(["--roll", "5", "--seed", "8", "3#d6"]).stdout
    );

    let said = run(["--roll", "sum(3#d1)"]);
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(0), "3\n"),
        "{}",
        said.stderr
    );
    let said = say(dicedist(["-r", "-d", "dicelab"]).write_stdin("2#d1"));
    assert_eq!(said.stdout, "1 1\n", "{}", said.stderr);
    let said = run(["-r", "2", "a: d1", "2"]);
    assert_eq!(said.stdout, "a: 1\na: 1\n2: 2\n2: 2\n");
    let said = run(["--roll", "1/0"]);
    assert_eq!(said.code, Some(1));
}

#[test]
fn rolls_of_a_loop_without_end_stop_at_a_limit() {
    let said = run(["--roll", "while x=1 do 1"]);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
}

#[test]
fn rolls_end_when_their_time_is_over() {
    let said = run(["--roll", "1000000000", "--time-limit", "0.1", "d6"]);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(said.stderr.contains("0.1 s"), "{}", said.stderr);
    assert!(said.stderr.contains("--time-limit"), "{}", said.stderr);
    assert!(!said.stdout.is_empty());
    for limit in ["--max-states", "--max-outcomes", "--samples"] {
        let said = run(["--roll", "2", "d6", limit, "1000000"]);
        assert_eq!(said.code, Some(2), "{limit}: {}", said.stdout);
        assert!(said.stderr.contains(limit), "{}", said.stderr);
    }
}

#[test]
fn the_tree_shows_the_core_term() {
    let said = run(["-p", "sum(drop low 1 4#d6)"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stdout
            .contains("(sum (drop-low 1 (repeat 4 (die 6))))"),
        "{}",
        said.stdout
    );
}

#[test]
fn both_evaluators_are_compared_when_asked() {
    let said = run([
        "--check",
        "sum(3#d6)",
        "sum(while x=d6 do ((count ==6 x)#d6))",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(
        said.stderr.matches("both evaluators agree").count(),
        2,
        "{}",
        said.stderr
    );
    let said = run(["--check", "6/(d6-1)"]);
    let words = "check: 6/(d6-1): the slow evaluator finds the same error";
    assert!(said.stderr.contains(words), "{}", said.stderr);
    let said = run([
        "--check",
        "--exact",
        "sum(20#d1000)",
        "--max-states",
        "10000",
    ]);
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(!said.stderr.contains("differ"), "{}", said.stderr);
}

#[test]
fn the_plan_ends_with_the_time() {
    let said = run(["--explain", "sum(3#d6)"]);
    let last = said.stderr.lines().last().unwrap_or_default();
    let number = last
        .strip_prefix("time: ")
        .and_then(|rest| rest.strip_suffix(" ms"));
    let digits = number.and_then(|number| number.split_once('.'));
    assert!(
        digits.is_some_and(|(_, decimals)| decimals.len() == 3),
        "{}",
        said.stderr
    );
}

#[test]
fn files_are_written_besides_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, csv, json) = (path("out.svg"), path("out.csv"), path("out.json"));
    let said = run(["d6", "--svg", &svg, "--csv", &csv, "--json", &json]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("16.66"), "{}", said.stdout);
    assert!(fs::read_to_string(&svg).unwrap().contains("<svg"));
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 7);
    assert!(fs::read_to_string(&json).unwrap().contains("\"1/6\""));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        3,
        "nothing else is left"
    );

    let said = run(["d6", "--csv", "-"]);
    assert!(said.stdout.starts_with("name,"), "{}", said.stdout);
    let said = run(["d6", "--csv", "-", "--format", "json"]);
    assert_eq!(said.code, Some(2));
    let said = run(["d6", "--csv", &csv, "--json", &csv]);
    assert_eq!(said.code, Some(2));
}

#[test]
fn nothing_is_written_when_nothing_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("out.svg");
    let said = run(["d6 +", "--svg", svg.to_str().unwrap()]);
    assert_eq!(said.code, Some(1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn unreadable_and_unwritable_files_have_their_own_status() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("latin1"), b"d6\n// gr\xf6\xdfer").unwrap();
    for (arguments, word) in [
        (vec!["-f".to_owned(), path("missing")], "missing"),
        (vec!["-f".to_owned(), path("")], "directory"),
        (vec!["-f".to_owned(), path("latin1")], "line 2"),
        (
            vec!["d6".to_owned(), "--svg".to_owned(), path("no/out.svg")],
            "out.svg",
        ),
        (
            vec!["d6".to_owned(), "--svg".to_owned(), path("")],
            "directory",
        ),
    ] {
        let said = run(&arguments);
        assert_eq!(said.code, Some(4), "{arguments:?}: {}", said.stderr);
        assert!(said.stderr.contains(word), "{arguments:?}: {}", said.stderr);
        assert!(said.stdout.is_empty(), "{arguments:?}: {}", said.stdout);
    }
    let said = say(dicedist(["-d", "bones"]).write_stdin(b"d6\xff".as_slice()));
    assert_eq!(said.code, Some(4), "{}", said.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let said = run(["d6", "--csv", "/dev/full"]);
    assert_eq!(said.code, Some(4), "{}", said.stderr);
    let said = run(["d6", "--csv", "/dev/null"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicedist"))
        .args(["--roll", "1000000", "d6"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn wrong_command_lines_say_what_to_write() {
    for rule in ["-1", "-d6", "-1#3", "-sum(3#d6)", "-high 1 2#d6"] {
        let said = run([rule]);
        assert_eq!(said.code, Some(2), "{rule}: {}", said.stdout);
        assert!(
            said.stderr.contains(&format!("dicedist -- '{rule}'")),
            "{rule}: {}",
            said.stderr
        );
    }
    let said = run(["--", "-d6"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for arguments in [
        vec!["--format", "xml", "d6"],
        vec!["--dialect", "klingon", "d6"],
        vec!["--set", "n", "n"],
        vec!["--tolerance", "2", "d6"],
        vec!["--max-memory", "much", "d6"],
        vec!["--samples", "0", "d6"],
        vec!["--samples", "10", "--exact", "d6"],
        vec!["--roll", "--format", "json", "d6"],
        vec!["--csv-bom", "d6"],
        vec!["--csv-delimiter", "tab", "d6"],
        vec!["--csv-delimiter", "&", "d6", "--format", "csv"],
        vec!["--csv-layout", "wide", "d6", "--format", "json"],
        vec!["--percentile", "0", "d6"],
        vec!["--percentile", "90", "d6", "--format", "csv"],
        vec!["--percentile", "90", "--at-least", "3", "d6"],
    ] {
        let said = run(&arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {}", said.stdout);
        assert!(said.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_condition_that_no_rule_can_answer_is_complained_about_once() {
    let said = run(["a: sum(3#d6)", "b: d8", "--chance", "a > b"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(
        said.stderr.matches("`a` has no value").count(),
        1,
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("compared without a condition"),
        "{}",
        said.stderr
    );
}

#[test]
fn an_empty_text_is_no_rule() {
    let said = say(dicedist(["--format", "json"]).write_stdin(""));
    assert_eq!(said.code, Some(1));
    assert_eq!(said.errors()["errors"][0]["kind"], "parse");
    assert_eq!(run([""]).code, Some(1));
    assert_eq!(run(["// nothing"]).code, Some(1));
}

#[test]
fn warnings_are_shown_once_after_the_answer() {
    let rule = "if count(>4 n#d6) then 1 else 0";
    let said = run([rule, "--set", "n=1..3"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(
        said.stderr.matches("Warning:").count(),
        1,
        "{}",
        said.stderr
    );
    let said = run(json(&[rule, "--set", "n=2"]));
    assert_eq!(said.stderr, "");
    let warning = &said.json()["warnings"][0];
    assert!(
        warning["message"].is_string() && warning["start"].is_number(),
        "{warning}"
    );
}

#[test]
fn help_version_completions_and_manual_are_printed() {
    let said = run(["--help"]);
    assert!(said.code == Some(0) && said.stdout.contains("Examples:"));
    let said = run(["--version"]);
    assert_eq!(
        said.stdout,
        format!("dicedist {}\n", env!("CARGO_PKG_VERSION"))
    );
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = run(["--completions", shell]);
        assert!(
            said.code == Some(0) && said.stdout.contains("at-least"),
            "{shell}"
        );
    }
    let said = run(["--man"]);
    assert!(
        said.code == Some(0) && said.stdout.contains(".TH dicedist"),
        "{}",
        said.stderr
    );
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let is_coloured = |arguments: &[&str], environment: &[&str]| {
        let mut command = dicedist(["d6", "d6 +"].iter().chain(arguments));
        command.envs(environment.iter().map(|name| (name, "1")));
        let said = say(&mut command);
        let coloured = [&said.stdout, &said.stderr].map(|text| text.contains('\u{1b}'));
        assert_eq!(coloured[0], coloured[1], "{arguments:?} {environment:?}");
        coloured[0]
    };
    assert!(!is_coloured(&[], &[]), "nobody sees colours in a pipe");
    assert!(is_coloured(&[], &["CLICOLOR_FORCE"]));
    assert!(!is_coloured(&[], &["CLICOLOR_FORCE", "NO_COLOR"]));
    assert!(!is_coloured(&["--color", "never"], &["CLICOLOR_FORCE"]));
    assert!(is_coloured(&["--color", "always"], &[]));
    assert!(is_coloured(&["--color", "always"], &["NO_COLOR"]));
}

#[test]
fn memory_is_limited_when_asked() {
    let said = run(["10#d10", "--max-memory", "1k"]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    let message = "needs more memory than the limit of 1 KiB";
    assert!(said.stderr.contains(message), "{}", said.stderr);
    assert!(
        said.stderr.contains("raise the limit with --max-memory"),
        "{}",
        said.stderr
    );
    assert_eq!(run(["10#d10", "--max-memory", "64M"]).code, Some(0));
}

#[test]
fn the_tolerance_says_how_far_a_loop_is_listed() {
    // A six is rolled again: the probability of n or more rolls is 6^(1-n).
    let listed = |tolerance: &str| {
        let rule = "sum(while x=d6 do ((count ==6 x)#d6))";
        let said = run(json(&[rule, "--tolerance", tolerance]));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let rule = said.json()["rules"][0].clone();
        let tail: Fraction = rule["tail"]["probability"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        (outcomes(&rule).len(), tail)
    };
    let [(few, coarse), (many, fine)] = ["1/100", "1e-9"].map(listed);
    assert!(coarse <= Fraction::new(1.into(), 100.into()), "{coarse}");
    assert!(
        fine <= Fraction::new(1.into(), 1_000_000_000.into()),
        "{fine}"
    );
    assert!(few < many, "{few} and {many} values");
}

/// Records the output on a terminal. Without a program for recording, the test does nothing.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_a_terminal_unless_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |option: &str| {
        let path = folder.path().join("shown");
        let binary = env!("CARGO_BIN_EXE_dicedist");
        let rule = "'100#d100' --max-states 1000000000 --time-limit 3 --max-memory 8GiB";
        let recorded = Command::new("script")
            .args(["-qec", &format!("{binary} {rule} {option}")])
            .arg(&path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        recorded.ok().and_then(|_| fs::read_to_string(path).ok())
    };
    let Some(loud) = shown("") else { return };
    assert!(loud.contains(" states ("), "{loud:?}");
    let quiet = shown("--quiet").unwrap();
    assert!(!quiet.contains(" states ("), "{quiet:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_at_once_and_leaves_nothing_behind() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let mut child = crate::command::answering_signals()
        .args([
            "100#d100",
            "--max-states",
            "1000000000",
            "--max-memory",
            "64GiB",
            "--time-limit",
            "50",
        ])
        .arg("--svg")
        .arg(folder.path().join("out.svg"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The process listens to interrupts before it opens the file of the picture.
    while fs::read_dir(folder.path()).unwrap().next().is_none() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    let started = Instant::now();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn pools_are_for_notations_that_have_them() {
    let said = run(["--pool", "3#d6"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("--pool is for rules in dicebag"),
        "{}",
        said.stderr
    );
    let said = run(["--pool", "--format", "json", "-d", "dicebag", "1d2 + 3"]);
    let rule = &said.json()["rules"][0];
    // Both lists have the probability 1/2.
    let half = |value: &str| (value.to_owned(), "1/2".to_owned());
    assert_eq!(outcomes(rule), [half("[1,3]"), half("[2,3]")]);
}

#[test]
fn dicebag_reads_a_rule_a_line_from_standard_input_and_rolls_it() {
    let text = "// two rules\n1d1 + 2\nthree: 3d1\n";
    let said = say(dicedist(["-d", "dicebag", "--roll", "2"]).write_stdin(text));
    assert_eq!(said.stdout, "1d1 + 2: 3\n1d1 + 2: 3\nthree: 3\nthree: 3\n");
    let said = run(["-d", "dicebag", "--roll", "--pool", "2d1 - 1"]);
    assert_eq!(said.stdout, "1 1 -1\n");
}
