//! The layouts of `--view`: tables with rows and columns exchanged, and summaries alone.

use crate::command::{dicedist, run, say};

/// Two rules with the values 1 and 2.
const COINS: &str = "loop N over {2,4} { output (dN > 1) + 1 named \"d[N]\" }";

#[track_caller]
fn shown(arguments: &[&str]) -> String {
    let said = say(dicedist(["-d", "anydice", COINS]).args(arguments));
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
    said.stdout
}

#[test]
fn a_transposed_table_has_a_row_for_each_rule() {
    let table = shown(&["--view", "transposed"]);
    assert!(table.starts_with(
        "value         1         2\n\
         d2     50.0000%  50.0000%\n\
         d4     25.0000%  75.0000%\n\n"
    ));
    let markdown = shown(&["--view", "at-least,transposed", "--format", "markdown"]);
    assert!(markdown.starts_with(
        "| at least | 1 | 2 |\n\
         | :--- | ---: | ---: |\n\
         | d2 | 100% | 50.0000% |\n\
         | d4 | 100% | 75.0000% |\n\n"
    ));
}

#[test]
fn a_transposed_csv_has_a_column_for_each_value() {
    assert_eq!(
        shown(&["--view", "normal,transposed", "--format", "csv"]),
        "name,1,2\r\n\
         d2,0.50000000000000000,0.50000000000000000\r\n\
         d4,0.25000000000000000,0.75000000000000000\r\n"
    );
    assert_eq!(
        shown(&["--view", "at-most", "--view", "transposed", "--csv", "-"]),
        "name,1,2\r\n\
         d2,0.50000000000000000,1.0000000000000000\r\n\
         d4,0.25000000000000000,1.0000000000000000\r\n"
    );
}

#[test]
fn a_summary_has_no_values() {
    let table = shown(&["--view", "summary"]);
    assert!(table.trim_start().starts_with("d2"), "{table}");
    assert!(!table.contains("value"), "{table}");
    let csv = shown(&["--view", "summary", "--format", "csv"]);
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("name,mean,standard deviation,minimum,")
    );
    assert!(lines.next().unwrap().starts_with("d2,1.5000,0.5000,1,"));
}

/// The least value that `p` percent of the rolls of a d20 do not exceed is `20 p / 100`, rounded up.
#[test]
fn a_summary_has_the_percentiles_that_are_asked_for() {
    let rows = |arguments: &[&str]| -> Vec<String> {
        let said = run([&["d20", "--view", "summary"], arguments].concat());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let rows = said
            .stdout
            .lines()
            .filter(|row| row.contains("percentile") || row.contains("median"));
        let words = rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
        words.collect()
    };
    assert_eq!(
        rows(&[]),
        ["5th percentile 1", "median 10", "95th percentile 19"]
    );
    assert_eq!(
        rows(&["--percentile", "90,12.5%", "--percentile", "1"]),
        [
            "1st percentile 1",
            "12.5th percentile 3",
            "median 10",
            "90th percentile 18"
        ]
    );
    assert_eq!(
        rows(&["--percentile", "50,100"]),
        ["median 10", "100th percentile 20"]
    );
    let said = run(["d20", "--percentile", "90", "--format", "json"]);
    let percentiles = &said.json()["rules"][0]["percentiles"];
    assert_eq!(
        percentiles.to_string(),
        r#"[{"percentile":"90%","value":18}]"#
    );
    let sweep = run(["d{1..n}", "--set", "n=1..8", "--percentile", "75"]);
    assert!(
        sweep.stdout.contains("median  75%  maximum"),
        "{}",
        sweep.stdout
    );
}

#[test]
fn a_transposed_picture_has_the_rules_along_the_axis() {
    let svg = shown(&["--view", "transposed", "--svg", "-"]);
    assert!(svg.contains("chance of each value"));
    assert!(
        svg.contains(">d2</text>") && svg.contains(">d4</text>"),
        "{svg}"
    );
    // One rule has nothing that changes from rule to rule.
    let one = say(&mut dicedist(["d6", "--view", "transposed", "--svg", "-"]));
    assert!(!one.stdout.contains("chance of each value"));
}
