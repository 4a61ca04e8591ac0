//! Which known word somebody may have meant.

/// The candidate that is most like `word`, if one is like enough: the same but for case, or at most one
/// mistake in a short word and two in a longer one. Of equally good ones the first.
pub(super) fn nearest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Nobody misspells a word of this length into a keyword, and the table below is quadratic.
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
        .map(|candidate| (mistakes(&folded, &candidate.to_lowercase()), candidate))
        .filter(|&(mistakes, candidate)| mistakes <= allowed.min(candidate.len().saturating_sub(1)))
        .min_by_key(|&(mistakes, _)| mistakes)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be put in, left out, changed or swapped with their neighbour to get from one
/// word to the other (no letter twice: the restricted edit distance).
fn mistakes(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let width = to.len() + 1;
    let mut table: Vec<usize> = vec![0; (from.len() + 1) * width];
    for (row, cell) in table.iter_mut().step_by(width).enumerate() {
        *cell = row;
    }
    for (column, cell) in table.iter_mut().take(width).enumerate() {
        *cell = column;
    }
    for row in 1..=from.len() {
        for column in 1..width {
            let at = row * width + column;
            let changed = usize::from(from[row - 1] != to[column - 1]);
            let mut best = (table[at - width - 1] + changed)
                .min(table[at - width] + 1)
                .min(table[at - 1] + 1);
            if row > 1
                && column > 1
                && from[row - 1] == to[column - 2]
                && from[row - 2] == to[column - 1]
            {
                best = best.min(table[at - 2 * width - 2] + 1);
            }
            table[at] = best;
        }
    }
    table[table.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_of_each_sort_count_one() {
        assert_eq!(mistakes("high", "high"), 0);
        assert_eq!(mistakes("hihg", "high"), 1);
        assert_eq!(mistakes("hih", "high"), 1);
        assert_eq!(mistakes("hiigh", "high"), 1);
        assert_eq!(mistakes("hugh", "high"), 1);
        assert_eq!(mistakes("", "high"), 4);
    }

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
