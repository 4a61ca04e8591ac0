//! Finds the known word that is most like a misspelt word.

use strsim::osa_distance;

/// The candidate that is most like `word`, if one is near enough: the same but for case, or with at most one mistake (words
/// of 3 and 4 letters) or two (longer words). A mistake is a letter inserted, left out, changed, or swapped with its
/// neighbour. The first of equally near candidates is chosen.
pub(crate) fn nearest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // No keyword is this long, and the distance takes quadratic time.
    if word.len() > 40 {
        return None;
    }
    let folded = word.to_lowercase();
    let allowed = match folded.chars().count() {
        0..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .filter(|&candidate| candidate != word && candidate.len() <= 42)
        .map(|candidate| (osa_distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|&(mistakes, candidate)| mistakes <= allowed.min(candidate.len().saturating_sub(1)))
        .min_by_key(|&(mistakes, _)| mistakes)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_are_like_enough_are_suggested() {
        let words = ["sum", "high", "foreach", "d", "in"];
        assert_eq!(nearest("hihg", words), Some("high"));
        assert_eq!(nearest("Sum", words), Some("sum"));
        assert_eq!(nearest("forech", words), Some("foreach"));
        assert_eq!(nearest("x", words), None);
        assert_eq!(nearest("im", words), None);
        assert_eq!(nearest("sun", ["sun"]), None);
    }
}
