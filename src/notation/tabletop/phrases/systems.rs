//! Games by their names: `wod 6 8`, `sr 12`, `pbta +1`, `savage d8`.

use super::parts::{Roll, dice, number};

/// The roll of a game, from its name and the numbers that its players say.
pub(super) fn named(words: &[&str], _: Roll) -> Option<String> {
    match *words {
        [plain, "blades"] => {
            dice(plain)?;
            return Some(format!("{plain}kh1"));
        }
        [plain, "gwf"] | ["great", "weapon", "fighting", plain] => {
            dice(plain)?;
            return Some(format!("{plain}ro1ro2"));
        }
        ["nat" | "natural", number] => return Some(format!("1d20={number}")),
        [plain, "nat" | "natural", number] | ["nat" | "natural", number, "on" | "with", plain] => {
            dice(plain)?;
            return Some(format!("{plain}={number}"));
        }
        ["ability", "scores"] => return Some("6#4d6dl1".into()),
        ["ability", "score"] => return Some("4d6dl1".into()),
        ["savage", die] | [die, "wild"] | [die, "wild", "die"] => {
            let sides = number(
                die.strip_prefix('1')
                    .unwrap_or(die)
                    .strip_prefix('d')?
                    .trim_end_matches('!'),
            )?;
            return Some(format!("{{1d{sides}!!,1d6!!}}kh1"));
        }
        _ => {}
    }
    let (first, others) = words.split_first()?;
    let letters = first.find(|letter: char| !letter.is_ascii_alphabetic());
    let (name, glued) = first.split_at(letters.unwrap_or(first.len()));
    let all = [glued].into_iter().chain(others.iter().copied());
    let numbers: Vec<&str> = all.filter(|word| !word.is_empty()).collect();
    let bonus = numbers.concat();
    if let Some(roll) = with_bonus(name).filter(|_| is_bonus(&bonus)) {
        return Some(roll.replace("{}", &bonus));
    }
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !numbers.iter().all(|number| digits(number)) {
        return None;
    }
    Some(match (name, &numbers[..]) {
        // The old World of Darkness has a difficulty, mostly 6, and ones cancel successes. Chronicles of Darkness has 8 and
        // rolls tens again.
        ("wod" | "vtm", [count]) => format!("{count}d10>=6f1"),
        ("wod" | "vtm", [count, difficulty]) => format!("{count}d10>={difficulty}f1"),
        ("cod" | "nwod", [count]) => format!("{count}d10>=8!"),
        ("sr" | "shadowrun", [count]) => format!("{count}d6>=5"),
        ("yz" | "yze", [count]) => format!("{count}d6=6"),
        ("blades", ["0"]) => "2d6kl1".into(),
        ("blades", [count]) => format!("{count}d6kh1"),
        ("gurps", [skill]) => format!("(3d6)<={skill}"),
        ("stats" | "dndstats", []) => "6#4d6dl1".into(),
        _ => return None,
    })
}

/// The roll to which the players of a game add a bonus, at `{}`.
fn with_bonus(name: &str) -> Option<&'static str> {
    Some(match name {
        "attack" | "check" | "init" | "initiative" | "save" | "skill" => "1d20{}",
        "fate" | "fudge" => "4dF{}",
        "pbta" => "2d6{}",
        _ => return None,
    })
}

fn is_bonus(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
