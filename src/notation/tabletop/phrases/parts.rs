//! The parts of phrases: numbers, plain dice, and words that belong together.

/// What some words mean as a roll.
pub(super) type Roll<'a> = &'a dyn Fn(&[&str]) -> Option<String>;

/// Words in a row as one text, if each is the rest of the arithmetic before it, or a modifier.
pub(super) fn joined(words: &[&str]) -> Option<String> {
    let is_sign = |sign: char| "+-*/%^(){},<>=!×÷−–".contains(sign);
    let goes_on = |pair: &[&str]| {
        let begins_modifier = ["k", "dl", "dh", "r", "min", "max"]
            .iter()
            .any(|modifier| pair[1].starts_with(modifier));
        let is_number_of_modifier = ["kh", "kl", "dl", "dh", "r", "ro", "min", "max"]
            .iter()
            .any(|modifier| pair[0].ends_with(modifier));
        pair[0].ends_with(is_sign)
            || pair[1].starts_with(is_sign)
            || begins_modifier
            || is_number_of_modifier && number(pair[1]).is_some()
    };
    let is_whole = !words.is_empty() && words.windows(2).all(goes_on);
    is_whole.then(|| words.concat())
}

/// A number in digits or as a word: `3`, `three`, `3s`, `sixes`.
pub(super) fn number(word: &str) -> Option<String> {
    let names = ["one", "two", "three", "four", "five", "six"];
    let word = word.trim_end_matches([',', '.', ':']);
    let named = |word: &str| names.iter().position(|name| *name == word);
    let singular = word.trim_end_matches(['s', '\'']);
    let named = named(word)
        .or_else(|| named(singular))
        .or_else(|| named(singular.trim_end_matches('e')));
    let digits = match named {
        Some(place) => (place + 1).to_string(),
        None => singular.to_owned(),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The number of dice and of sides of plain dice at the beginning of a word, as in `4d6r1`.
pub(super) fn dice(word: &str) -> Option<(u32, u32)> {
    let (count, rest) = word.split_once('d')?;
    let digits = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let sides = rest[..rest.len() - digits.len()].parse().ok()?;
    let count = if count.is_empty() { "1" } else { count };
    Some((count.parse().ok()?, sides))
}

/// The words without those that only join others.
pub(super) fn without<'w>(words: &[&'w str], idle: &[&str]) -> Vec<&'w str> {
    let kept = words.iter().filter(|word| !idle.contains(word));
    kept.copied().collect()
}
