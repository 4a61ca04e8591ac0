//! The list of games: each rule is answered, and its figure compared with where it comes from: a formula, the judge, or what is cited.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use std::{env, fs};

use dicedist::Limits;
use dicedist::ask::{Asked, Question};
use dicedist::games::{self, Game};
use dicedist::limits::Unobserved;
use dicedist::number::Fraction;
use dicedist::report::Answered;
use dicedist::summary::{Figure, Summary};
use num_traits::{One, Signed, Zero};

use crate::command::{package, run};
use crate::judge;

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// A formula, read from left to right.
struct Formula<'t>(&'t str);

impl Formula<'_> {
    fn value(text: &str) -> Fraction {
        let mut formula = Formula(text);
        let value = formula.sum();
        assert!(formula.0.trim().is_empty(), "{text}: {}", formula.0);
        value
    }

    fn takes(&mut self, sign: char) -> bool {
        let rest = self.0.trim_start().strip_prefix(sign);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn sum(&mut self) -> Fraction {
        let mut sum = self.product();
        loop {
            if self.takes('+') {
                sum += self.product();
            } else if self.takes('-') {
                sum -= self.product();
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> Fraction {
        let mut product = self.power();
        loop {
            if self.takes('*') {
                product *= self.power();
            } else if self.takes('/') {
                product /= self.power();
            } else {
                return product;
            }
        }
    }

    fn power(&mut self) -> Fraction {
        let base = self.atom();
        if self.takes('!') {
            return (1..=whole(&base))
                .map(|factor| fraction(factor, 1))
                .product();
        }
        if self.takes('^') {
            raised(&base, whole(&self.atom()))
        } else {
            base
        }
    }

    fn atom(&mut self) -> Fraction {
        if self.takes('-') {
            return -self.atom();
        }
        let is_function = |formula: &mut Self, name| {
            let is_next = formula.0.trim_start().starts_with(name);
            is_next && formula.takes(name)
        };
        if is_function(self, 'C') {
            let [n, k] = self.arguments();
            return choose(whole(&n), whole(&k));
        }
        if is_function(self, 'B') {
            // So many of n or more, each with the same chance.
            let [k, n, p] = self.arguments();
            let (n, q) = (whole(&n), Fraction::one() - &p);
            let term = |k: i64| choose(n, k) * raised(&p, k) * raised(&q, n - k);
            return (whole(&k)..=n).map(term).sum();
        }
        if self.takes('(') {
            let inner = self.sum();
            assert!(self.takes(')'), "{}", self.0);
            return inner;
        }
        let text = self.0.trim_start();
        let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.');
        let (number, rest) = text.split_at(end.unwrap_or(text.len()));
        self.0 = rest;
        let decimals = number
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        let digits: i64 = number.replace('.', "").parse().expect(text);
        fraction(digits, 10_i64.pow(decimals.try_into().unwrap()))
    }

    fn arguments<const N: usize>(&mut self) -> [Fraction; N] {
        assert!(self.takes('('), "{}", self.0);
        std::array::from_fn(|place| {
            let value = self.sum();
            assert!(
                self.takes(if place + 1 == N { ')' } else { ',' }),
                "{}",
                self.0
            );
            value
        })
    }
}

fn whole(value: &Fraction) -> i64 {
    assert!(value.is_integer(), "{value}");
    value.to_integer().try_into().unwrap()
}

fn raised(base: &Fraction, times: i64) -> Fraction {
    (0..times).map(|_| base).product()
}

fn choose(n: i64, k: i64) -> Fraction {
    (0..k).map(|i| fraction(n - i, i + 1)).product()
}

/// What the rule of a game is asked.
fn question(game: &Game) -> Question {
    let mut question = Question::of(game.rule);
    question.asked = match game.question.rsplit_once(' ') {
        None => Vec::new(),
        Some(("at least", number)) => vec![Asked::AtLeast(number.parse().unwrap())],
        Some(("at most", number)) => vec![Asked::AtMost(number.parse().unwrap())],
        Some((_, value)) => vec![Asked::exactly(match value {
            "yes" => "1",
            value => value,
        })],
    };
    question
}

fn answer(game: &Game) -> Fraction {
    let limits = Limits::default().with_time(Some(Duration::from_secs(100)));
    let question = question(game);
    let answers = question.answer(&limits, &Unobserved).unwrap();
    assert!(
        answers.refused.is_empty(),
        "{}: {:?}",
        game.names,
        answers.refused
    );
    let rule: &Answered = answers.answered.last().unwrap();
    let found = match answers.queries.first() {
        Some(query) => match rule.event(query) {
            Some(Figure::Exact(chance)) => Some(chance),
            _ => None,
        },
        None => Summary::of(&rule.answer).mean.finite().cloned(),
    };
    found.unwrap_or_else(|| panic!("{} has no exact answer", game.names))
}

/// Whether a number is another one, rounded to the decimals of a text.
fn is_rounded(exact: &Fraction, text: &str, value: &Fraction) -> bool {
    let per_cent = text.trim_end().ends_with('%');
    let decimals = text.split_once('.').map_or(0, |(_, rest)| {
        rest.chars().take_while(char::is_ascii_digit).count()
    });
    if decimals == 0 && !per_cent {
        return exact == value;
    }
    let unit = raised(&fraction(10, 1), decimals.try_into().unwrap());
    let exact = exact * fraction(if per_cent { 100 } else { 1 }, 1);
    (exact - value).abs() * unit <= fraction(1, 2)
}

/// What the judge finds, from below, and how much it leaves open.
fn judged(game: &Game) -> Option<(Fraction, Fraction)> {
    let (values, open) = judge::numbers(game.rule)?;
    let bound = game.question.rsplit_once(' ').map(|(view, number)| {
        let number: i128 = number.replace("yes", "1").parse().unwrap();
        (view, number)
    });
    let share = |(value, share): (i128, Fraction)| match bound {
        None => fraction(value.try_into().unwrap(), 1) * share,
        Some(("at least", least)) if value >= least => share,
        Some(("at most", most)) if value <= most => share,
        Some(("exactly", only)) if value == only => share,
        Some(_) => Fraction::zero(),
    };
    Some((values.into_iter().map(share).sum(), open))
}

#[test]
fn each_game_has_the_figure_that_is_known() {
    judge::with_room(|| {
        let (mut count, mut unjudged) = (0, Vec::new());
        for game in games::all() {
            count += 1;
            let exact = answer(&game);
            let name = game.names;
            match game.figure.strip_prefix('~') {
                Some(decimals) => {
                    let rounded = Formula::value(decimals);
                    assert!(is_rounded(&exact, decimals, &rounded), "{name}: {exact}");
                }
                None => assert_eq!(exact.to_string(), game.figure, "{name}"),
            }
            match game.source {
                "recursion" => {}
                "judge" => {
                    let agrees = judged(&game).is_some_and(|(least, open)| {
                        let is_narrow = open < fraction(1, 1_000_000);
                        is_narrow && least <= exact && exact <= least + open
                    });
                    if !agrees {
                        unjudged.push(name);
                    }
                }
                source => {
                    if let Some(formula) = source.strip_prefix("= ") {
                        assert_eq!(Formula::value(formula), exact, "{name}");
                    } else {
                        let (_, number) = source.rsplit_once(": ").expect(source);
                        let value = Formula::value(number.trim_end_matches([' ', '%']));
                        assert!(is_rounded(&exact, number, &value), "{name}: {exact}");
                    }
                }
            }
        }
        assert!(unjudged.is_empty(), "{}", unjudged.join("\n"));
        assert!(count >= 100, "only {count} games");
    });
}

#[test]
fn all_games_are_answered_in_twenty_seconds() {
    let started = Instant::now();
    games::all().for_each(|game| drop(answer(&game)));
    // Without optimisation the engine is several times slower.
    let bound = if cfg!(debug_assertions) { 200 } else { 20 };
    let time = started.elapsed();
    assert!(time < Duration::from_secs(bound), "{time:?}");
}

#[test]
fn the_lines_of_games_are_whole() {
    let mut names: Vec<&str> = Vec::new();
    for game in games::all() {
        let fields = [
            game.kind,
            game.names,
            game.asked,
            game.rule,
            game.question,
            game.figure,
            game.source,
        ];
        assert!(
            fields.iter().all(|field| !field.trim().is_empty()),
            "{game:?}"
        );
        assert!(!game.rule.contains(['\'', '|', '`']), "{}", game.rule);
        assert!(!names.contains(&game.names), "{} twice", game.names);
        for name in game.names.split(", ") {
            assert!(games::find(name).contains(&game), "{name}");
        }
        names.push(game.names);
    }
}

/// The page of all games.
fn page() -> String {
    let mut page = String::from(
        "# Games\n\n\
         A rule for each, in the shortest form, and one figure. `dicedist --examples` lists them in the terminal, and `dicedist --examples \
         yahtzee` prints the command of one. A rule that begins with `def` uses [Bones](bones.md); the others are read as players \
         type them or as Bones, whichever they are.\n\n\
         The tests answer every rule, and compare its figure: with the formula behind `=`, where `C(n, k)` counts choices and `B(k, n, p)` is \
         the chance of k or more of n; with what is cited; with a second program that lists every path (*counted*); or with what a \
         recursion in another language gave, which the tests do not run (*recursion*).\n",
    );
    let mut kind = "";
    for game in games::all() {
        if game.kind != kind {
            kind = game.kind;
            let _ = write!(
                page,
                "\n## {kind}\n\n| | what is asked | rule | answer | from |\n|---|---|---|---|---|\n"
            );
        }
        let source = match game.source {
            "judge" => "*counted*".into(),
            "recursion" => "*recursion*".into(),
            source if source.starts_with("= ") => format!("`{source}`"),
            source => source.into(),
        };
        let question = match game.question {
            "mean" | "exactly yes" => String::new(),
            question => format!(", {question}"),
        };
        let _ = writeln!(
            page,
            "| {} | {} | `{}`{question} | {} | {source} |",
            game.names,
            game.asked,
            game.rule,
            game.answer()
        );
    }
    page
}

/// `TRYCMD=overwrite` writes the page.
#[test]
fn the_page_has_all_games() {
    let path = package("docs/games.md");
    if env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        fs::write(&path, page()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), page());
}

#[test]
fn games_are_shown_by_their_words() {
    let said = run(["--examples", "king", "of", "tokyo"]);
    assert!(
        said.stdout.starts_with("King of Tokyo: "),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout
            .contains("dicedist 'count ==6 6#d6' --at-least 3"),
        "{}",
        said.stdout
    );
    let said = run(["--examples", "bag"]);
    assert!(said.stdout.contains("Zombie Dice"), "{}", said.stdout);
    let said = run(["--examples"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.lines().count() > 100, "{}", said.stdout);
    let said = run(["--examples", "yatzee"]);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    assert!(
        said.stderr.contains("--examples yahtzee"),
        "{}",
        said.stderr
    );
}

#[test]
fn the_name_of_a_game_in_a_rule_leads_to_its_example() {
    for (rule, word) in [
        ("yahtzee", "Yahtzee"),
        ("farkle(3)", "Farkle"),
        ("king of tokyo", "King of Tokyo"),
        ("sum(craps) + 1", "Craps"),
    ] {
        let said = run([rule]);
        let leads = format!("dicedist --examples \"{word}\"");
        assert!(said.stderr.contains(&leads), "{rule}: {}", said.stderr);
    }
    for rule in ["sum(foo)", "4#d6 +", "of"] {
        let said = run([rule]);
        assert!(
            !said.stderr.contains("--examples"),
            "{rule}: {}",
            said.stderr
        );
    }
}
