// The order of results that are no numbers.

import type { RuleView } from "../../engine/report.ts";

/** The outcomes of all rules in the order of the chart, and how many have no place in it. */
export function outcomesOf(rules: RuleView[], most: number): { labels: string[]; rest: number } {
  const sums = new Map<string, number>();
  for (const rule of rules) rule.labels.forEach((label, index) => sums.set(label, (sums.get(label) ?? 0) + (rule.decimals[index] ?? 0)));
  const all = [...sums.keys()];
  const inOrder = rules.every((rule) => rule.kind === "label" || rule.kind === "condition");
  if (all.length <= most && inOrder) return { labels: all, rest: 0 };
  const sorted = all.sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0));
  return { labels: sorted.slice(0, most), rest: Math.max(0, all.length - most) };
}
