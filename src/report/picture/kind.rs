//! The kind of a picture: how many rules and values there are, how they lie, and what is asked decide how they are drawn.

use super::palette::SERIES;
use crate::report::View;

/// The largest number of series in one field, each with a colour of its own.
pub(super) const FEW: usize = 5;

/// The largest number of rules with a bar of segments each, and with a histogram each.
const MOST_STACKED: usize = 24;
const MOST_MULTIPLES: usize = 24;

/// The smallest number of slots that are worth a histogram, and the largest that are too few for the shape of a curve.
const LEAST_SLOTS: i64 = 13;
const FEW_SLOTS: i64 = 4;

/// The largest number of slots of two series with grouped bars, and of bars side by side of two or three series with gaps.
const MOST_GROUPS: i64 = 12;
const MOST_GAPPY_BARS: i64 = 200;
const FEW_BARS: usize = 3;

/// A series has gaps if one part in this number of its values or more are in runs of one or two.
const GAPPY: usize = 4;

/// The largest number of slots of one field.
pub(super) const MOST_SLOTS: i64 = 350;

/// How the data is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ChartKind {
    /// Upright bars, in groups if there are several series, or an outline.
    #[default]
    Bars,
    /// Dots and curves.
    Lines,
    /// Horizontal bars: one for each value, or one of segments for each rule.
    Rows,
    /// Shaded cells.
    Cells,
    /// A histogram for each of many series, one below the other.
    Multiples,
}

/// What a picture is to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents {
    /// The number of rules.
    pub(super) series: usize,
    pub(super) values: Values,
    pub(super) view: View,
    /// Whether the rules are one rule for several values of a variable, and whether the bulk of each is known.
    pub(super) is_sweep: bool,
    pub(super) has_fan: bool,
}

/// What the values are, and how they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Numbers in so many slots of an axis; whether one of the rules has so many gaps that it is no curve.
    Axis { slots: i64, is_gappy: bool },
    /// So many labels; conditions have two.
    Labels(usize),
    /// Records of two numbers.
    Pairs,
    /// Lists, numbers that no axis has, and others.
    Listed,
    /// So many questions, each with a chance for each rule; or so many values of transposed rules.
    Questions(usize),
}

/// How a picture is drawn.
pub(super) fn kind(case: Contents) -> ChartKind {
    let Contents {
        series,
        values,
        view,
        is_sweep,
        has_fan,
    } = case;
    let is_exact = view == View::Exactly;
    match (series, values) {
        (_, Values::Questions(..=FEW)) => ChartKind::Lines,
        (_, Values::Questions(_)) | (..=1, Values::Pairs) => ChartKind::Cells,
        (2..=MOST_STACKED, Values::Labels(1..=SERIES))
        | (..=FEW, Values::Labels(_) | Values::Pairs | Values::Listed) => ChartKind::Rows,
        (_, Values::Labels(_) | Values::Pairs | Values::Listed) => ChartKind::Cells,
        (series, Values::Axis { slots, is_gappy }) => {
            let bars = slots.saturating_mul(i64::try_from(series).unwrap_or(i64::MAX));
            let has_few_bars = series <= FEW_BARS && bars <= MOST_GAPPY_BARS;
            match series {
                ..=1 => ChartKind::Bars,
                2 if is_exact && slots <= MOST_GROUPS => ChartKind::Bars,
                // The variable of a sweep grows from row to row, so rows of cells are easy to read.
                FEW if is_sweep && slots < LEAST_SLOTS => ChartKind::Cells,
                3..=FEW if is_exact && slots <= FEW_SLOTS => ChartKind::Cells,
                2..=FEW if is_exact && is_gappy && has_few_bars => ChartKind::Bars,
                2..=FEW => ChartKind::Lines,
                // The fan: the median and the bulk of each rule.
                _ if has_fan && is_exact && series > MOST_MULTIPLES => ChartKind::Lines,
                ..=MOST_MULTIPLES if is_exact && slots >= LEAST_SLOTS => ChartKind::Multiples,
                _ => ChartKind::Cells,
            }
        }
    }
}

impl ChartKind {
    /// The largest number of slots of this many series; more are merged into ranges of values. The intervals of sampled chances would
    /// hide the shape of many.
    pub(super) fn most_slots(self, series: usize, is_sampled: bool) -> i64 {
        let share = |marks: i64| marks / i64::try_from(series.max(1)).unwrap_or(i64::MAX);
        match self {
            Self::Multiples => share(2_400).clamp(60, 110),
            Self::Cells => share(1_800).clamp(20, 40),
            _ if is_sampled => 60,
            _ => MOST_SLOTS,
        }
    }
}

/// Whether so many of these ascending values have no neighbours, or only one, that they are no curve.
pub(super) fn is_gappy(values: &[i64], apart: i64) -> bool {
    let runs = values.chunk_by(|a, b| b - a == apart);
    let lengths: Vec<usize> = runs.map(<[i64]>::len).collect();
    let alone: usize = lengths.iter().filter(|&&length| length < 3).sum();
    lengths.len() > 1 && alone * GAPPY >= values.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules and values as one meets them, each with the picture that an editor would choose.
    #[test]
    fn each_case_has_its_kind() {
        let axis = |slots, is_gappy| Values::Axis { slots, is_gappy };
        let (dense, gappy) = (|slots| axis(slots, false), |slots| axis(slots, true));
        let (exactly, at_least) = (View::Exactly, View::AtLeast);
        for (series, values, view, is_sweep, expected) in [
            (1, dense(16), exactly, false, ChartKind::Bars),
            (1, dense(5_000), exactly, false, ChartKind::Bars),
            (1, dense(16), at_least, false, ChartKind::Bars),
            (2, dense(12), exactly, false, ChartKind::Bars),
            (2, dense(13), exactly, false, ChartKind::Lines),
            (2, dense(12), at_least, false, ChartKind::Lines),
            (2, gappy(64), exactly, false, ChartKind::Bars),
            (4, gappy(64), exactly, false, ChartKind::Lines),
            (3, dense(4), exactly, false, ChartKind::Cells),
            (5, dense(4), exactly, true, ChartKind::Cells),
            (5, dense(4), at_least, true, ChartKind::Cells),
            (6, dense(13), exactly, false, ChartKind::Multiples),
            (24, dense(100), exactly, true, ChartKind::Multiples),
            (6, dense(12), exactly, false, ChartKind::Cells),
            (6, dense(13), at_least, false, ChartKind::Cells),
            (25, dense(100), exactly, false, ChartKind::Cells),
            (30, dense(100), exactly, true, ChartKind::Lines),
            (30, dense(100), at_least, true, ChartKind::Cells),
            (1, Values::Labels(4), exactly, false, ChartKind::Rows),
            (8, Values::Labels(3), exactly, true, ChartKind::Rows),
            (8, Values::Labels(9), exactly, true, ChartKind::Cells),
            (1, Values::Pairs, exactly, false, ChartKind::Cells),
            (2, Values::Pairs, exactly, false, ChartKind::Rows),
            (1, Values::Listed, exactly, false, ChartKind::Rows),
            (6, Values::Listed, exactly, false, ChartKind::Cells),
            (9, Values::Questions(2), exactly, true, ChartKind::Lines),
            (9, Values::Questions(6), exactly, true, ChartKind::Cells),
        ] {
            let case = Contents {
                series,
                values,
                view,
                is_sweep,
                has_fan: is_sweep,
            };
            assert_eq!(kind(case), expected, "{case:?}");
        }
    }
}
