// What all charts have in common: their look, and the points that a pointer or the arrow keys find.

import type { RuleView } from "../../engine/report.ts";
import type { Question } from "../../question.ts";

/** A place of a chart that can be read: where it is, and what is there. */
export interface Point {
  /** Pixels from the left and, where it matters, from the top. */
  x: number;
  y?: number;
  title: string;
  items: { name: string; text: string; colour: string | null; y?: number }[];
}

export interface Drawn {
  svg: SVGElement | HTMLElement;
  points: Point[];
  /** The top and the bottom of the line at a point. */
  from: number;
  to: number;
  legend: { name: string; colour: string; dash?: string | undefined }[];
  /** What a screen reader says of the chart as a whole. */
  summary: string;
  note?: string;
}

export interface Task {
  rules: RuleView[];
  question: Question;
  width: number;
  digits: number;
}

/** The height of a chart of this width. */
export function heightFor(width: number): number {
  return Math.round(Math.min(380, Math.max(240, width * 0.46)));
}

export const LOOK = {
  style: { background: "none", color: "var(--soft)", fontFamily: "var(--sans)", fontSize: "12px", overflow: "visible", fontVariantNumeric: "tabular-nums" },
  marginTop: 26,
  marginBottom: 40,
  marginLeft: 50,
  marginRight: 16,
} as const;

/** Percentages on an axis. */
export const percentTick = (value: number) => `${Number(value.toPrecision(6))}%`;

/** Numbers on an axis, with a true minus sign. */
export const numberTick = (value: number) => (Math.abs(value) >= 1e6 ? value.toExponential(1) : String(Number(value.toPrecision(8)))).replace("-", "−");

/** The greatest of many numbers. A list of arguments, which `Math.max` takes, has not room for all of them. */
export const greatestOf = (all: number[], least = Number.NEGATIVE_INFINITY) => all.reduce((most, one) => Math.max(most, one), least);

/** The least of many numbers. */
export const leastOf = (all: number[], most = Number.POSITIVE_INFINITY) => all.reduce((least, one) => Math.min(least, one), most);

/** The least distance between two values. */
export function stepOf(rules: RuleView[]): number {
  const values = [...new Set(rules.flatMap((rule) => rule.numbers ?? []))].sort((a, b) => a - b);
  let step = Number.POSITIVE_INFINITY;
  for (let index = 1; index < values.length; index += 1) {
    step = Math.min(step, (values[index] ?? 0) - (values[index - 1] ?? 0));
  }
  return Number.isFinite(step) && step > 0 ? step : 1;
}

/** The ends between which nearly all of every rule lies; all values where they are few. */
export function bulkOf(rules: RuleView[], most = 45): [number, number, boolean] {
  const all = rules.flatMap((rule) => (rule.numbers ? [rule.numbers[0] ?? 0, rule.numbers.at(-1) ?? 0] : []));
  const [least, greatest] = [leastOf(all), greatestOf(all)];
  const isShort = greatestOf(rules.map((rule) => rule.numbers?.length ?? 0)) <= most;
  if (isShort || all.length === 0) return [least, greatest, true];
  const rare = 0.0005;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { numbers, atMost, atLeast } of rules) {
    if (!numbers || !atMost || !atLeast) continue;
    const first = atMost.findIndex((mass) => mass > rare);
    const last = atLeast.findLastIndex((mass) => mass > rare);
    low = Math.min(low, numbers[Math.max(first, 0)] ?? least);
    high = Math.max(high, numbers[last < 0 ? numbers.length - 1 : last] ?? greatest);
  }
  if (!(low <= high)) return [least, greatest, true];
  return [low, high, low <= least && high >= greatest];
}
