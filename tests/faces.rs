//! What each feature adds, used as a program does that has no other feature.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

#[cfg(any(
    feature = "csv",
    feature = "json",
    feature = "notations",
    feature = "serde",
    feature = "svg"
))]
use dicedist::Dist;
use dicedist::dice::d;

/// 21 of 1,296 rolls of four dice have three sixes or more.
#[test]
fn dice_need_no_feature() {
    let ability = d(6).times(4).drop_lowest(1).sum().solve().unwrap();
    assert_eq!(ability.probability_of(18).to_string(), "7/432");
    let table = ability.to_string();
    assert!(table.contains("18"), "{table}");
}

#[cfg(feature = "notations")]
#[test]
fn notations_read_texts() {
    use dicedist::{Dialect, Rule};

    let texts = [
        (Dialect::Bones, "d6"),
        (Dialect::Dicelab, "d6"),
        (Dialect::Dicebag, "1d6"),
        (Dialect::Diceroller, "1D6"),
        (Dialect::Onedice, "1d6"),
        (Dialect::Tabletop, "1d6"),
        (Dialect::Anydice, "output 1d6"),
    ];
    for (dialect, text) in texts {
        let read = Rule::read(dialect, text).unwrap().solve().unwrap();
        assert_eq!(read, Dist::uniform(1..=6), "{dialect}");
    }
}

#[cfg(feature = "sampling")]
#[test]
fn sampling_rolls() {
    use dicedist::number::Integer;
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    let rule = d(6).rule();
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let rolls: Vec<Integer> = (0..100)
        .map(|_| rule.roll(&mut generator).unwrap())
        .collect();
    assert!(
        rolls
            .iter()
            .all(|roll| (1..=6).any(|face| *roll == face.into()))
    );
    assert!((1..=6).all(|face| rolls.contains(&face.into())));

    let many = d(20)
        .times(9)
        .successors(|last| d(20).times(last.count_if(|die| die.at_least(19))));
    let request = dicedist::engine::estimate::Request::default().with_samples(1_000);
    let sampled = many.rule().solver().states(5).sample_by(request).answer();
    assert!(sampled.unwrap().sampling().is_some());
}

#[cfg(any(feature = "csv", feature = "json", feature = "svg"))]
#[test]
fn reports_have_features() {
    use dicedist::report::{self, Answered, Report, Style};
    use dicedist::source::Shown;

    let coin: Dist = Dist::uniform(0..=1);
    let rules = [Answered::new("coin", coin)];
    let (report, style) = (Report::of(&rules), Style::default());
    let mut text = Shown::on(Vec::new());
    #[cfg(feature = "csv")]
    report::csv::write(&report, &style, &mut text).unwrap();
    #[cfg(feature = "json")]
    report::json::write(&report, &style, &mut text).unwrap();
    #[cfg(feature = "svg")]
    report::svg::write(&report, &style, &mut text).unwrap();
    let text = text.to_string();
    assert!(text.contains("coin") || text.contains("1/2"), "{text}");
}

#[cfg(feature = "serde")]
#[test]
fn serde_writes_distributions() {
    let coin = Dist::<String>::uniform(["heads", "tails"]);
    let json = serde_json::to_value(&coin).unwrap();
    let outcomes = serde_json::json!([["heads", "1/2"], ["tails", "1/2"]]);
    assert_eq!(json["outcomes"], outcomes);
    assert_eq!(json["unresolved"], "0");

    let endless = d(2).roll_while(|roll| roll.equals(2)).count();
    let json = serde_json::to_value(endless.solve().unwrap()).unwrap();
    assert_eq!(json["outcomes"][1], serde_json::json!([2, "1/4"]));
    let shown = json["outcomes"].as_array().unwrap().len();
    assert_eq!(json["above"][0], shown + 1);
    assert!(json["below"].is_null());
}
