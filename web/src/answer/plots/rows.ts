// A row for each rule: its values as cells or as a histogram, or its quantiles (summary).

import { axisX, axisY, dot, gridX, link, plot, rect, type Markish } from "@observablehq/plot";
import { figure, meanText, percent, quantile } from "../format.ts";
import { colour, nameOf, shares, short } from "../series.ts";
import { bulkOf, type Drawn, greatestOf, leastOf, LOOK, numberTick, stepOf, type Task } from "./common.ts";

/** The most rules that are drawn, and the space for one of them where there are many. */
const MOST_DRAWN = 60;
const LEAST_ROW = 18;

/** The task with as many rules as can be drawn, and what is said of the others. */
function drawable(task: Task): { drawn: Task; rest: string } {
  const left = task.rules.length - MOST_DRAWN;
  if (left <= 0) return { drawn: task, rest: "" };
  return { drawn: { ...task, rules: task.rules.slice(0, MOST_DRAWN) }, rest: ` ${left} more rules are in the table.` };
}

function frame({ rules, width }: Task, most: number) {
  const row = Math.max(LEAST_ROW, Math.min(most, 800 / rules.length));
  const names = rules.map((rule) => nameOf(rule, rules, 40));
  const longest = Math.max(3, ...names.map((name) => name.length));
  const marginLeft = rules.length === 1 ? 16 : Math.min(width * 0.36, 18 + longest * 7);
  const height = rules.length * row + 52;
  const nameTick = (index: number) => (rules.length === 1 ? "" : short(names[index] ?? "", Math.max(6, Math.floor(marginLeft / 7.2))));
  return { names, marginLeft, height, nameTick };
}

export const cells = (asked: Task): Drawn => values(asked, false);

export const histograms = (asked: Task): Drawn => values(asked, true);

function values(asked: Task, areBars: boolean): Drawn {
  const { drawn: task, rest } = drawable(asked);
  const { rules, width, question, digits } = task;
  const { names, marginLeft, height, nameTick } = frame(task, areBars ? 60 : 44);
  const [low, high, isWhole] = bulkOf(rules, 80);
  const half = stepOf(rules) / 2;
  const data = rules.flatMap((rule, row) =>
    shares(rule, question.view).flatMap((share, index) => {
      const value = rule.numbers?.[index] ?? 0;
      return value < low || value > high ? [] : [{ row, value, share }];
    }),
  );
  const most = greatestOf(data.map((one) => one.share), 1e-12);
  const marks: Markish[] = [
    axisX({ tickFormat: numberTick, label: null, tickSize: 0 }),
    axisY(rules.map((_, row) => row), { tickFormat: nameTick, label: null, tickSize: 0, fill: "var(--ink)" }),
  ];
  rules.forEach((_, row) => {
    const own = data.filter((one) => one.row === row);
    marks.push(
      rect(own, {
        x1: (one: { value: number }) => one.value - half,
        x2: (one: { value: number }) => one.value + half,
        y1: areBars ? (one: { share: number }) => row + 0.44 - 0.88 * (one.share / most) : row - 0.44,
        y2: row + 0.44,
        fill: "var(--s1)",
        ...(areBars ? {} : { fillOpacity: (one: { share: number }) => 0.04 + 0.96 * (one.share / most) }),
      }),
    );
    if (areBars) marks.push(link([0], { x1: low - half, x2: high + half, y1: row + 0.44, y2: row + 0.44, stroke: "var(--axis)" }));
  });
  rules.forEach((rule, row) => {
    const mean = rule.mean?.decimal;
    if (mean !== null && mean !== undefined) marks.push(link([0], { x1: mean, x2: mean, y1: row - 0.44, y2: row + 0.44, stroke: "var(--s4)", strokeWidth: 2.5 }));
  });
  const drawn = plot({
    ...LOOK,
    marginTop: 6,
    marginLeft,
    width,
    height,
    x: { domain: [low - half, high + half] },
    y: { domain: [-0.5, rules.length - 0.5], reverse: true, type: "linear" },
    marks,
  });
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  const all = [...new Set(data.map((one) => one.value))].sort((a, b) => a - b);
  const points = all.map((value) => ({
    x: Number(x?.apply(value)),
    title: question.view === "at-least" ? `${figure(value, 4)} or more` : question.view === "at-most" ? `${figure(value, 4)} or less` : figure(value, 4),
    items: data.filter((one) => one.value === value).map((one) => ({ name: names[one.row] ?? "", text: percent(one.share, digits), colour: null, y: Number(y?.apply(one.row)) })),
  }));
  return {
    svg: drawn,
    points,
    from: 6,
    to: height - LOOK.marginBottom,
    legend: [{ name: "mean", colour: "var(--s4)" }],
    summary: areBars ? "A histogram for each rule, one below the other." : "A row for each rule; the stronger the colour of a value, the more likely it is.",
    note: `${areBars ? "All have one scale" : "The stronger the colour, the more likely"}, up to ${percent(most, digits)}.${isWhole ? "" : " Rarer values are in the table."}${rest}`,
  };
}

export function ranges(asked: Task): Drawn {
  const { drawn: task, rest } = drawable(asked);
  const { rules, width, digits } = task;
  const { names, marginLeft, height, nameTick } = frame(task, 52);
  const rows = rules.map((rule, row) => ({
    row,
    rule,
    mean: rule.mean?.decimal ?? null,
    at: [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantile(rule, share)),
  }));
  const known = rows.flatMap((row) => [...row.at, row.mean]).filter((value): value is number => value !== null && Number.isFinite(value));
  const [low, high] = [leastOf(known), greatestOf(known)];
  const pad = Math.max((high - low) * 0.06, 0.5);
  const marks: Markish[] = [gridX({ stroke: "var(--grid)", strokeOpacity: 1 }), axisX({ tickFormat: numberTick, label: null, tickSize: 0 })];
  for (const { row, at, mean } of rows) {
    const [p5, p25, p50, p75, p95] = at;
    const own = colour(row);
    if (p5 != null && p95 != null) marks.push(link([0], { x1: p5, x2: p95, y1: row, y2: row, stroke: own, strokeWidth: 2 }));
    if (p25 != null && p75 != null) marks.push(rect([0], { x1: p25 === p75 ? p25 - 0.06 : p25, x2: p25 === p75 ? p75 + 0.06 : p75, y1: row - 0.22, y2: row + 0.22, fill: own, fillOpacity: 0.28, stroke: own }));
    if (p50 != null) marks.push(link([0], { x1: p50, x2: p50, y1: row - 0.22, y2: row + 0.22, stroke: own, strokeWidth: 3 }));
    if (mean !== null) marks.push(dot([0], { x: mean, y: row, r: 5, fill: "var(--panel)", stroke: own, strokeWidth: 2.5 }));
  }
  const drawn = plot({
    ...LOOK,
    marginTop: 6,
    marginLeft,
    width,
    height,
    x: { domain: [low - pad, high + pad] },
    y: { domain: [-0.5, rules.length - 0.5], reverse: true, type: "linear" },
    marks: [axisY(rules.map((_, row) => row), { tickFormat: nameTick, label: null, tickSize: 0, fill: "var(--ink)" }), ...marks],
  });
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  const points = rows.map(({ row, rule, mean, at }) => ({
    x: Number(x?.apply(mean ?? at[2] ?? low)),
    y: Number(y?.apply(row)),
    title: names[row] ?? "",
    items: [
      { name: "mean", text: meanText(rule, digits) ?? "unknown", colour: null },
      ...(at[2] != null ? [{ name: "median", text: figure(at[2]), colour: null }] : []),
      ...(at[1] != null && at[3] != null ? [{ name: "middle half", text: `${figure(at[1])} to ${figure(at[3])}`, colour: null }] : []),
      ...(at[0] != null && at[4] != null ? [{ name: "nine in ten", text: `${figure(at[0])} to ${figure(at[4])}`, colour: null }] : []),
    ],
  }));
  return {
    svg: drawn,
    points,
    from: 6,
    to: height - LOOK.marginBottom,
    legend: [],
    summary: "A row for each rule: mean, median, middle half, and nine in ten rolls.",
    note: `Ring: mean. Thick line: median. Box: the middle half. Thin line: nine rolls in ten.${rest}`,
  };
}
