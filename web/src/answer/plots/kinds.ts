// The kind of a chart of numbers, by the table that the pictures of the command follow: src/report/picture/kind.rs.

export type Kind = "bars" | "lines" | "cells" | "histograms";

/** The most rules in one field, and the most that have a histogram each. */
const FEW = 5;
export const MOST_HISTOGRAMS = 24;

/** The least values that are worth a histogram, the most of two rules with bars side by side, and the most that are no curve. */
const LEAST_VALUES = 13;
const MOST_GROUPS = 12;
const FEW_VALUES = 4;

/** How so many rules with so many values are drawn; whether each value stands for itself, and whether the rules are a sweep. */
export function kindOf(rules: number, values: number, isExact: boolean, isSweep: boolean): Kind {
  if (rules <= 1 || (rules === 2 && isExact && values <= MOST_GROUPS)) return "bars";
  if (rules === FEW && isSweep && values < LEAST_VALUES) return "cells";
  if (rules <= FEW) return rules > 2 && isExact && values <= FEW_VALUES ? "cells" : "lines";
  return rules <= MOST_HISTOGRAMS && isExact && values >= LEAST_VALUES ? "histograms" : "cells";
}
