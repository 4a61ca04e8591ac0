// A sweep: chances, or the mean with the middle half, over a variable.

import { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleY, text, type Markish } from "@observablehq/plot";
import { chanceText, event, figure, meanText, quantile } from "../format.ts";
import { colour, dash, type Sweep, SYMBOLS } from "../series.ts";
import { type Drawn, greatestOf, heightFor, leastOf, LOOK, numberTick, percentTick, type Point, type Task } from "./common.ts";

/** The most lines that have bands. */
const MOST_BANDS = 3;

interface Line {
  name: string;
  points: { at: number; value: number; low: number | null; high: number | null; text: string }[];
}

function linesOf({ lines }: Sweep, digits: number, isChance: boolean): Line[] {
  if (!isChance) {
    return lines.map(({ name, rules }) => ({
      name: lines.length > 1 ? name : "mean",
      points: rules.flatMap(({ at, rule }) => {
        const mean = rule.mean?.decimal;
        if (mean === null || mean === undefined) return [];
        const [low, high] = [quantile(rule, 0.25), quantile(rule, 0.75)];
        const middle = low !== null && high !== null ? `, middle half ${figure(low)} to ${figure(high)}` : "";
        return [{ at, value: mean, low, high, text: `${meanText(rule, digits)}${middle}` }];
      }),
    }));
  }
  return lines.flatMap(({ name, rules }) => {
    const asked = rules[0]?.rule.chances ?? [];
    return asked.map((first, index) => ({
      name: lines.length > 1 ? `${name}: ${event(first)}` : event(first),
      points: rules.flatMap(({ at, rule }) => {
        const chance = rule.chances[index];
        const value = chance?.decimal ?? (chance?.low !== null && chance?.high !== null && chance ? (chance.low + chance.high) / 2 : null);
        if (!chance || value === null) return [];
        return [{ at, value: value * 100, low: chance.low === null ? null : chance.low * 100, high: chance.high === null ? null : chance.high * 100, text: chanceText(chance, digits) }];
      }),
    }));
  });
}

export function sweep(task: Task, over: Sweep): Drawn {
  const { width, digits } = task;
  const isChance = (over.lines[0]?.rules[0]?.rule.chances.length ?? 0) > 0;
  const lines = linesOf(over, digits, isChance);
  const ats = [...new Set(lines.flatMap((line) => line.points.map((point) => point.at)))].sort((a, b) => a - b);
  const values = lines.flatMap((line) => line.points.flatMap((point) => [point.value, point.low ?? point.value, point.high ?? point.value]));
  const height = heightFor(width);
  const marks: Markish[] = [
    gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: 5 }),
    axisY({ tickFormat: isChance ? percentTick : numberTick, label: null, tickSize: 0, ticks: 5 }),
    axisX({ label: over.variable, labelAnchor: "center", labelArrow: "none", tickSize: 0, tickFormat: numberTick, ...(ats.length <= 24 && width / ats.length > 24 ? { ticks: ats } : {}) }),
    ruleY([isChance ? 0 : leastOf(values, 0)], { stroke: "var(--axis)" }),
  ];
  if (isChance) {
    marks.push(ruleY([50], { stroke: "var(--axis)", strokeDasharray: "2 4" }));
    marks.push(text([50], { y: (value: number) => value, frameAnchor: "right", text: () => "one half", dy: -7, fill: "var(--soft)", stroke: "var(--panel)", strokeWidth: 4 }));
  }
  const areBands = lines.length <= MOST_BANDS;
  lines.forEach((line, index) => {
    if (line.points.some((point) => point.low !== null) && areBands) {
      marks.push(areaY(line.points, { x: "at", y1: "low", y2: "high", fill: colour(index), fillOpacity: 0.15 }));
    }
    marks.push(lineY(line.points, { x: "at", y: "value", stroke: colour(index), strokeWidth: 2, strokeDasharray: dash(index) ?? "none" }));
    if (ats.length <= 60) {
      marks.push(dot(line.points, { x: "at", y: "value", fill: colour(index), symbol: SYMBOLS[index % SYMBOLS.length] ?? "circle", r: 4, stroke: "var(--panel)", strokeWidth: 1 }));
    }
  });
  const pad = ats.length > 1 ? ((ats.at(-1) ?? 0) - (ats[0] ?? 0)) * 0.02 : 1;
  const drawn = plot({
    ...LOOK,
    marginTop: 14,
    marginBottom: 46,
    width,
    height,
    x: { domain: [(ats[0] ?? 0) - pad, (ats.at(-1) ?? 1) + pad] },
    y: isChance ? { domain: [0, 100] } : { domain: [leastOf(values, 0), greatestOf(values)], nice: true },
    marks,
  });
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  const points = ats.map((at): Point => ({
    x: Number(x?.apply(at)),
    title: `${over.variable} = ${figure(at)}`,
    items: lines.flatMap((line, index) => {
      const point = line.points.find((point) => point.at === at);
      return point ? [{ name: line.name, text: point.text, colour: colour(index), y: Number(y?.apply(point.value)) }] : [];
    }),
  }));
  const isLabelled = lines.length > 1 || isChance;
  return {
    svg: drawn,
    points,
    from: 14,
    to: height - 46,
    legend: isLabelled ? lines.map((line, index) => ({ name: line.name, colour: colour(index), dash: dash(index) })) : [],
    summary: isChance ? `Chances over ${over.variable}.` : `The mean over ${over.variable}.`,
    ...(isChance ? {} : { note: areBands ? "A line is the mean; its band holds the middle half of all rolls." : "The lines are the means." }),
  };
}
