// Numbers: bars for one rule or two with few values, lines for several, with means and shaded targets.

import { areaY, axisX, axisY, dot, gridY, lineY, plot, rect, rectY, ruleX, ruleY, text, type Markish } from "@observablehq/plot";
import type { RuleView } from "../../engine/report.ts";
import { event, figure, meanText, percent, toNumber } from "../format.ts";
import { colour, dash, nameOf, shares, SYMBOLS } from "../series.ts";
import { kindOf } from "./kinds.ts";
import { bulkOf, type Drawn, greatestOf, heightFor, LOOK, numberTick, percentTick, type Point, stepOf, type Task } from "./common.ts";

/** The most rules whose means are drawn. */
const MOST_MEANS = 4;

/** The most values of a rule that are drawn; a screen has far fewer columns. */
const MOST_DRAWN = 4000;

interface Bar {
  value: number;
  share: number;
  low: number;
  high: number;
  isMeant: boolean;
}

/** The part of the values that a question is about. */
function meant(rule: RuleView): { low: number; high: number; name: string }[] {
  const asked = rule.chances.filter((chance) => chance.query !== "chance" && chance.query !== "condition");
  return asked.flatMap((chance) => {
    const value = toNumber(chance.value.replace("−", "-"));
    if (!Number.isFinite(value)) return [];
    const low = chance.query === "at-most" ? Number.NEGATIVE_INFINITY : value;
    const high = chance.query === "at-least" ? Number.POSITIVE_INFINITY : value;
    return [{ low, high, name: event(chance) }];
  });
}

function barsOf(rule: RuleView, task: Task, [low, high]: [number, number]): Bar[] {
  const all = shares(rule, task.question.view);
  const targets = meant(rule);
  const isEstimate = rule.low !== null && task.question.view === "exactly";
  return (rule.numbers ?? []).flatMap((value, index) => {
    if (value < low || value > high) return [];
    const share = all[index] ?? 0;
    return [
      {
        value,
        share: share * 100,
        low: (isEstimate ? (rule.low?.[index] ?? share) : share) * 100,
        high: (isEstimate ? (rule.high?.[index] ?? share) : share) * 100,
        isMeant: targets.length === 0 ? (rule.holds?.[index] ?? true) : targets.some((target) => value >= target.low && value <= target.high),
      },
    ];
  });
}

/** One bar in so many, where there are too many to draw. */
function thinned(bars: Bar[]): Bar[] {
  const stride = Math.ceil(bars.length / MOST_DRAWN);
  return stride <= 1 ? bars : bars.filter((_, index) => index % stride === 0);
}

export function curves(task: Task): Drawn {
  const { rules, width, question, digits } = task;
  const step = stepOf(rules);
  const [low, high, isWhole] = bulkOf(rules);
  const bars = rules.map((rule) => thinned(barsOf(rule, task, [low, high])));
  const barAt = bars.map((own) => new Map(own.map((bar) => [bar.value, bar])));
  const count = Math.round((high - low) / step) + 1;
  const height = heightFor(width);
  const isOne = rules.length === 1;
  const areGroups = !isOne && kindOf(rules.length, count, question.view === "exactly", false) === "bars";
  const isDense = count > 220;
  const half = step / 2;
  const marks: Markish[] = [gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: 5 }), axisY({ tickFormat: percentTick, label: null, tickSize: 0, ticks: 5 })];
  const targets = rules[0] ? meant(rules[0]) : [];
  for (const target of targets) {
    const [from, to] = [Math.max(target.low, low) - half, Math.min(target.high, high) + half];
    if (from >= to) continue;
    marks.push(rect([0], { x1: from, x2: to, fill: "var(--target)", fillOpacity: isOne ? 0.09 : 0.14 }));
    marks.push(text([0], { x: Math.max(target.low, low) - half, frameAnchor: "top-left", text: () => target.name, dx: 4, dy: -16, fill: "var(--ink)", fontWeight: 600, textAnchor: "start" }));
  }
  const inset = width / count > 9 ? 1 : width / count > 4 ? 0.5 : 0;
  let areBoundsDrawn = false;
  bars.forEach((own, index) => {
    if (isOne && !isDense) {
      const fill = (bar: Bar) => (bar.isMeant ? "var(--s1)" : "var(--s1-soft)");
      marks.push(rectY(own, { x1: (bar: Bar) => bar.value - half, x2: (bar: Bar) => bar.value + half, y: "share", fill, insetLeft: inset, insetRight: inset, rx2: 0 }));
      if (rules[0]?.low && question.view === "exactly" && count <= 90) {
        areBoundsDrawn = true;
        marks.push(ruleX(own, { x: "value", y1: "low", y2: "high", stroke: "var(--ink)", strokeWidth: 1.5 }));
      }
    } else if (areGroups) {
      const start = (bar: Bar) => bar.value + step * 0.4 * (index - 1);
      marks.push(rectY(own, { x1: start, x2: (bar: Bar) => start(bar) + step * 0.4, y: "share", fill: colour(index) }));
    } else if (isOne) {
      marks.push(areaY(own, { x: "value", y: "share", fill: "var(--s1-soft)", curve: "step" }));
      marks.push(lineY(own, { x: "value", y: "share", stroke: "var(--s1)", strokeWidth: 1.5, curve: "step" }));
    } else {
      marks.push(lineY(own, { x: "value", y: "share", stroke: colour(index), strokeWidth: 2, strokeDasharray: dash(index) ?? "none", strokeLinejoin: "round" }));
      if (count <= 60 && rules.length <= 8) {
        marks.push(dot(own, { x: "value", y: "share", fill: colour(index), symbol: SYMBOLS[index % SYMBOLS.length] ?? "circle", r: count <= 30 ? 4 : 3, stroke: "var(--panel)", strokeWidth: 1 }));
      }
    }
  });
  let areMeansDrawn = false;
  rules.forEach((rule, index) => {
    const mean = rule.mean?.decimal;
    if (mean === null || mean === undefined || mean < low - half || mean > high + half || rules.length > MOST_MEANS) return;
    if (question.view !== "exactly") return;
    areMeansDrawn = true;
    const stroke = isOne ? "var(--ink)" : colour(index);
    marks.push(ruleX([mean], { stroke, strokeWidth: 1.5, strokeDasharray: "3 3", strokeOpacity: 0.8 }));
    if (isOne) marks.push(text([mean], { x: (value: number) => value, frameAnchor: "top", text: () => `mean ${meanText(rule, digits)}`, dy: -14, ...(targets.length > 0 ? { textAnchor: "end" as const, dx: 4 } : {}), fill: "var(--ink)", stroke: "var(--panel)", strokeWidth: 4 }));
  });
  marks.push(axisX({ tickFormat: numberTick, label: null, tickSize: 0, ...(count <= 24 && step === 1 && width / count > 24 ? { ticks: integers(low, high) } : {}) }), ruleY([0], { stroke: "var(--axis)" }));
  const drawn = plot({
    ...LOOK,
    width,
    height,
    x: { domain: [low - half, high + half], nice: false },
    y: { domain: [0, top(bars, question.view)], nice: question.view === "exactly" },
    marks,
  });
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  const values = [...new Set(bars.flat().map((bar) => bar.value))].sort((a, b) => a - b);
  const points = values.map((value): Point => {
    const items = rules.flatMap((rule, index) => {
      const bar = barAt[index]?.get(value);
      if (!bar) return [];
      const isEstimate = rule.low !== null;
      const between = isEstimate && question.view === "exactly" ? ` (${percent(bar.low / 100, digits)} to ${percent(bar.high / 100, digits)})` : "";
      const said = `${isEstimate ? "about " : ""}${percent(bar.share / 100, digits)}${between}`;
      return [{ name: nameOf(rule, rules, 32), text: said, colour: isOne ? null : colour(index), y: Number(y?.apply(bar.share)) }];
    });
    const label = figure(value, 4);
    const title = question.view === "at-least" ? `${label} or more` : question.view === "at-most" ? `${label} or less` : label;
    return { x: Number(x?.apply(value)), title, items };
  });
  const isTailed = rules.some((rule) => rule.tails.length > 0);
  const notes = [
    areBoundsDrawn ? "Upright lines go from bound to bound of the estimate." : "",
    areMeansDrawn && !isOne ? "Dashed upright lines are the means." : "",
    isWhole && !isTailed ? "" : `Drawn from ${figure(low)} to ${figure(high)}; rarer values are in the table.`,
  ].filter(Boolean);
  return {
    svg: drawn,
    points,
    from: LOOK.marginTop,
    to: height - LOOK.marginBottom,
    legend: isOne ? [] : rules.map((rule, index) => ({ name: nameOf(rule, rules), colour: colour(index), dash: dash(index) })),
    summary: `${isOne || areGroups ? "Bars" : "Lines"} over the values from ${figure(low)} to ${figure(high)}.`,
    ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
  };
}

function integers(low: number, high: number): number[] {
  return Array.from({ length: Math.round(high - low) + 1 }, (_, index) => low + index);
}

function top(bars: Bar[][], view: string): number {
  if (view !== "exactly") return 100;
  return greatestOf(bars.flat().map((bar) => Math.max(bar.share, bar.high)), 1e-9);
}
