//! `--examples`: games and mechanics by their names, each with a rule to type and its figure.

use std::io::{self, Write};

use dicedist::games::{self, Game};
use dicedist::limits::Budget;
use dicedist::source::echoed;

use super::destination::to_standard_output;
use super::status::{Status, Stop};

/// The most games that are shown with their rules; of more the names are listed.
const MOST_SHOWN: usize = 12;

/// How wide the names are in a list.
const NAMES: usize = 44;

/// Shows the games that words lead to; all, where there is no word.
pub(super) fn show(words: &str, budget: &Budget<'_>) -> Result<Status, Stop> {
    let found: Vec<Game> = match words {
        "" => games::all().collect(),
        words => games::find(words),
    };
    if found.is_empty() {
        let nearest = games::nearest(words);
        let advice = nearest.map_or_else(
            || "`dicedist --examples` lists all".into(),
            |word| format!("`dicedist --examples {word}` is near"),
        );
        let words = echoed(words);
        return Err(Stop::usage(format!(
            "no game and no mechanic is called `{words}`; {advice}"
        )));
    }
    to_standard_output(budget, |out| {
        if found.len() > MOST_SHOWN {
            return list(&found, out);
        }
        found.iter().try_for_each(|game| write(game, out))
    })?;
    Ok(Status::Answered)
}

fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let command = command(game);
    writeln!(out, "{}: {}\n\n  {command}\n", game.names, game.asked)?;
    writeln!(out, "  {}\n", game.answer())
}

/// The command that answers the question of a game.
pub(super) fn command(game: &Game) -> String {
    let rule = game.rule.replace('\'', "'\\''");
    match game.question.rsplit_once(' ') {
        Some(("exactly", value)) if !value.contains(' ') => {
            format!("dicedist '{rule}' --exactly {value}")
        }
        Some((view, value)) => format!("dicedist '{rule}' --{} {value}", view.replace(' ', "-")),
        None => format!("dicedist '{rule}'"),
    }
}

/// Games in lines, below their headings.
fn list(games: &[Game], out: &mut dyn Write) -> io::Result<()> {
    let mut kind = "";
    for game in games {
        if game.kind != kind {
            kind = game.kind;
            writeln!(out, "{kind}")?;
        }
        writeln!(out, "  {:NAMES$}  {}", game.names, game.asked)?;
    }
    writeln!(
        out,
        "\nA rule and its figure: dicedist --examples WORD, with a word of a game or a mechanic."
    )
}
