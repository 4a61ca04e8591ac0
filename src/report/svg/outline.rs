//! Outlines around cells of a grid.

use std::collections::BTreeSet;

use super::pairs::Place;

/// A cell of a grid, or a step from one to another: columns go to the right, rows upwards.
pub(super) type Cell = (i64, i64);

/// The directions from a cell to its neighbours, clockwise from the left.
const SIDES: [Cell; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// A corner of an outline: of which cell it is, to which sides, and whether other cells of the set are on both of these sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) cell: Cell,
    pub(super) across: Cell,
    pub(super) along: Cell,
    pub(super) is_concave: bool,
}

/// The outlines of a set of cells, each as its corners in order; the last is the first again. Cells that touch at a corner alone have
/// outlines of their own.
pub(super) fn outlines(places: &BTreeSet<Place>) -> Vec<Vec<Corner>> {
    let cell = |&(column, row): &Place| -> Option<Cell> {
        Some((i64::try_from(column).ok()?, i64::try_from(row).ok()?))
    };
    let cells: BTreeSet<Cell> = places.iter().filter_map(cell).collect();
    let beside = |(column, row): Cell, (across, up): Cell| (column + across, row + up);
    let all = cells
        .iter()
        .flat_map(|cell| (0..SIDES.len()).map(|side| (*cell, side)));
    let mut open: BTreeSet<(Cell, usize)> = all
        .filter(|(cell, side)| !cells.contains(&beside(*cell, SIDES[*side])))
        .collect();
    let mut outlines = Vec::new();
    while let Some(&first) = open.first() {
        let mut corners = Vec::new();
        let (mut cell, mut side) = first;
        loop {
            open.remove(&(cell, side));
            let (across, along) = (SIDES[side], SIDES[(side + 1) % 4]);
            let next = beside(cell, along);
            let outer = beside(next, across);
            let is_inner = cells.contains(&next);
            if !is_inner || cells.contains(&outer) {
                corners.push(Corner {
                    cell,
                    across,
                    along,
                    is_concave: is_inner,
                });
            }
            (cell, side) = match (is_inner, cells.contains(&outer)) {
                (false, _) => (cell, (side + 1) % 4),
                (true, false) => (next, side),
                (true, true) => (outer, (side + 3) % 4),
            };
            if (cell, side) == first {
                break;
            }
        }
        corners.extend(corners.first().copied());
        outlines.push(corners);
    }
    outlines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_four_corners_and_a_bent_row_six() {
        let corners = |cells: &[Place]| -> Vec<usize> {
            let outlines = outlines(&cells.iter().copied().collect());
            outlines.iter().map(|corners| corners.len() - 1).collect()
        };
        assert_eq!(corners(&[(0, 0)]), [4]);
        assert_eq!(corners(&[(0, 0), (1, 0), (2, 0)]), [4]);
        assert_eq!(corners(&[(0, 0), (1, 0), (1, 1)]), [6]);
        assert_eq!(corners(&[(0, 0), (1, 1)]), [4, 4]);
        // A ring has an outline outside, and one inside.
        let ring: Vec<Place> = (0..9).map(|place| (place / 3, place % 3)).collect();
        let ring: Vec<Place> = ring.into_iter().filter(|cell| *cell != (1, 1)).collect();
        assert_eq!(corners(&ring), [4, 4]);
        assert!(corners(&[]).is_empty());
    }
}
