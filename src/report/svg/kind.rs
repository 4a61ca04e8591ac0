//! The kind of a picture of numbers: how many rules and values there are decides how they are drawn.

use crate::report::View;

/// The largest number of slots of one series that are drawn as bars.
const MOST_BARS: i64 = 90;

/// The largest number of stems, which are thin bars of values that are far apart.
const MOST_STEMS: usize = 60;

/// The least slots of an axis that gaps may break into clusters, and the least part of it that is a long gap.
const LEAST_CLUSTERED: i64 = 60;
const LONG_GAP: i64 = 10;

/// The number of stems that fit side by side.
const STEMS: i64 = 200;

/// The largest number of values with one row each, for values that are too near to each other for stems.
pub(super) const MOST_ROWS: usize = 30;

/// The largest number of slots of two series with grouped bars, and of bars side by side of two or three series with gaps.
const MOST_GROUPS: i64 = 12;
const MOST_GAPPY_BARS: i64 = 200;
const FEW_BARS: usize = 3;

/// A series has gaps if one part in this number of its values or more are in runs of one or two.
const GAPPY: usize = 4;

/// The largest number of series in one field, each with a colour of its own.
pub(super) const FEW: usize = 5;

/// The largest number of slots that are too few for the shape of a curve.
const FEW_SLOTS: i64 = 4;

/// The largest number of series that have a histogram each, and the smallest number of slots that are worth it.
const MOST_HISTOGRAMS: usize = 24;
const LEAST_SLOTS: i64 = 13;

/// The largest number of slots whose chances are shares of random rolls: the intervals of more would hide the shape.
const MOST_SAMPLED: i64 = 60;

/// About the largest number of marks of all histograms, and of all rows of a field.
const MOST_OF_HISTOGRAMS: i64 = 2_400;
const MOST_OF_FIELD: i64 = 1_800;

/// The largest number of columns of a field with room for a decimal.
pub(super) const MOST_CELLS: i64 = 11;

/// The largest number of bars of one series with percentages above them.
pub(super) const MOST_LABELS: usize = 18;

/// How the series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bars, in groups if there are two series.
    Bars,
    /// An outline, for too many values for bars.
    Area,
    /// A dot for each value of a few series. Neighbours are joined.
    Dots,
    /// A curve for each of a few series in a cumulative view.
    Curves,
    /// A histogram for each of many series, one below the other.
    Histograms,
    /// A shaded cell for each value of many series.
    Field,
}

impl Kind {
    /// The largest number of slots; more are merged into ranges of values.
    pub(super) fn most_slots(self, series: usize, is_sampled: bool) -> i64 {
        let share = |marks: i64| marks / i64::try_from(series.max(1)).unwrap_or(i64::MAX);
        match self {
            Self::Area | Self::Dots if is_sampled => MOST_SAMPLED,
            Self::Bars | Self::Area | Self::Dots | Self::Curves => 350,
            Self::Histograms => share(MOST_OF_HISTOGRAMS).clamp(60, 110),
            Self::Field => share(MOST_OF_FIELD).clamp(20, 40),
        }
    }
}

/// How far apart the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sparse {
    /// Most slots have a value, or there are few slots.
    No,
    /// A few values are far apart.
    Stems,
    /// A few values are far apart, but some are so near to each other that their stems would touch.
    Rows,
}

impl Sparse {
    pub(super) fn of(values: &[i64], slots: i64, lattice: i64, series: usize) -> Self {
        if (2..=FEW).contains(&series) && are_clusters(values, slots, lattice) {
            return Self::Rows;
        }
        if slots <= Kind::Area.most_slots(series, false) || values.len() > MOST_STEMS {
            return Self::No;
        }
        let nearest = values.windows(2).map(|pair| pair[1] - pair[0]).min();
        let side_by_side = if series == 2 { 2 } else { 1 };
        let fits = |gap: i64| gap / lattice >= slots.saturating_mul(side_by_side) / STEMS;
        if nearest.is_none_or(fits) {
            Self::Stems
        } else {
            Self::Rows
        }
    }
}

/// Whether long gaps between a few values cover most of an axis.
fn are_clusters(values: &[i64], slots: i64, lattice: i64) -> bool {
    let covered = slots.saturating_mul(lattice);
    let gaps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let long: i64 = gaps.filter(|gap| *gap > covered / LONG_GAP).sum();
    slots > LEAST_CLUSTERED && values.len() <= MOST_ROWS && long > covered / 4 * 3
}

/// Whether so many of these ascending values have no neighbours, or only one, that they are no curve.
pub(super) fn is_gappy(values: &[i64], lattice: i64) -> bool {
    let runs = values.chunk_by(|a, b| b - a == lattice);
    let lengths: Vec<usize> = runs.map(<[i64]>::len).collect();
    let alone: usize = lengths.iter().filter(|&&length| length < 3).sum();
    lengths.len() > 1 && alone * GAPPY >= values.len()
}

/// How the series are drawn; `has_gaps` says whether one of them is no curve.
pub(super) fn kind(
    series: usize,
    slots: i64,
    values: &[i64],
    (sparse, has_gaps): (Sparse, bool),
    view: View,
    is_sweep: bool,
) -> Kind {
    let bars = slots.saturating_mul(i64::try_from(series).unwrap_or(i64::MAX));
    let are_bars = has_gaps && series <= FEW_BARS && bars <= MOST_GAPPY_BARS;
    let has_stems = sparse == Sparse::Stems;
    let is_dense = sparse == Sparse::No;
    match (series, view) {
        (..=1, _) if slots <= MOST_BARS || has_stems => Kind::Bars,
        (..=1, _) if is_dense && values.len() <= MOST_STEMS => Kind::Bars,
        (..=1, _) => Kind::Area,
        (2, View::Exactly) if slots <= MOST_GROUPS => Kind::Bars,
        // The number of dice that a rule is read by grows from row to row.
        (FEW, _) if is_sweep && slots < LEAST_SLOTS => Kind::Field,
        (3..=FEW, View::Exactly) if slots <= FEW_SLOTS => Kind::Field,
        (2..=FEW, View::Exactly) if are_bars => Kind::Bars,
        (..=FEW, View::Exactly) => Kind::Dots,
        (..=FEW, _) => Kind::Curves,
        (..=MOST_HISTOGRAMS, View::Exactly) if slots >= LEAST_SLOTS => Kind::Histograms,
        _ => Kind::Field,
    }
}
