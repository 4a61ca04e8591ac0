//! Upright lines that keep off texts.

use super::canvas::Rect;

/// The least distance of an upright line from a text.
const OFF: f64 = 3.0;

/// The parts of an upright line that keep off texts.
pub(super) fn upright(x: f64, [from, to]: [f64; 2], texts: &[Rect]) -> Vec<[f64; 2]> {
    let near = texts
        .iter()
        .filter(|text| (text.left - OFF..=text.right + OFF).contains(&x));
    let mut gaps: Vec<[f64; 2]> = near
        .map(|text| [text.top - OFF, text.bottom + OFF])
        .collect();
    gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut parts = Vec::new();
    let mut start = from;
    for [above, below] in gaps {
        parts.push([start, above.min(to)]);
        start = start.max(below);
    }
    parts.push([start, to]);
    parts.retain(|[from, to]| from < to);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_gaps_where_texts_are() {
        let text = |left: f64, top: f64| Rect {
            left,
            top,
            right: left + 20.0,
            bottom: top + 10.0,
        };
        let texts = [text(0.0, 50.0), text(5.0, 55.0), text(100.0, 20.0)];
        assert_eq!(
            upright(10.0, [0.0, 90.0], &texts),
            [[0.0, 47.0], [68.0, 90.0]]
        );
        assert_eq!(upright(60.0, [0.0, 90.0], &texts), [[0.0, 90.0]]);
        assert_eq!(upright(110.0, [18.0, 90.0], &texts), [[33.0, 90.0]]);
    }
}
