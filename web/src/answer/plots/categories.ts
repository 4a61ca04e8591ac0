// Labels, lists and records: the most likely, as bars from the left.

import { axisX, barX, gridX, plot, text } from "@observablehq/plot";
import { figure, listed, percent } from "../format.ts";
import { colour, nameOf, short } from "../series.ts";
import { type Drawn, LOOK, percentTick, type Task } from "./common.ts";
import { outcomesOf } from "./order.ts";

/** The most bars of a chart. */
const MOST = 30;

export function categories({ rules, width, digits }: Task): Drawn {
  const { labels, rest } = outcomesOf(rules, MOST);
  const isOne = rules.length === 1;
  const places = rules.map((rule) => new Map(rule.labels.map((label, index) => [label, index])));
  const data = labels.flatMap((label) =>
    rules.map((rule, index) => ({ label, index, share: (rule.decimals[places[index]?.get(label) ?? -1] ?? 0) * 100 })),
  );
  const asked = rules[0]?.chances.filter((chance) => chance.query === "exactly").map((chance) => chance.value) ?? [];
  const thickness = isOne ? 26 : 12 + 12 * rules.length;
  const height = labels.length * thickness + 44;
  const marginFor = (names: string[]) => Math.min(width * 0.42, 22 + Math.max(3, ...names.map((name) => short(name, 28).length)) * 7.2);
  const roomIn = (margin: number) => Math.max(6, Math.floor(margin / 7.4));
  const isCut = labels.some((label) => label.length > roomIn(marginFor(labels)));
  const bare = isCut ? bareOf(rules) : null;
  const nameFor = (label: string) => bare?.get(label) ?? label;
  const marginLeft = marginFor(labels.map(nameFor));
  const fill = (one: (typeof data)[number]) =>
    isOne ? (asked.length === 0 || asked.includes(one.label) ? "var(--s1)" : "var(--s1-soft)") : colour(one.index);
  const shownName = (label: string) => short(nameFor(label), roomIn(marginLeft));
  const ticks = Math.max(2, Math.floor(width / 130));
  const drawn = plot({
    ...LOOK,
    marginTop: 6,
    marginBottom: 34,
    marginLeft,
    marginRight: 66,
    width,
    height,
    x: { domain: [0, Math.max(1e-9, ...data.map((one) => one.share))], nice: true },
    y: { domain: isOne ? labels : rules.map((_, index) => index), label: null, tickFormat: isOne ? shownName : () => "", tickSize: 0, padding: isOne ? 0.22 : 0.1 },
    ...(isOne ? {} : { fy: { domain: labels, label: null, tickFormat: shownName, axis: "left" as const, padding: 0.18 } }),
    marks: [
      gridX({ stroke: "var(--grid)", strokeOpacity: 1, ticks }),
      axisX({ tickFormat: percentTick, label: null, tickSize: 0, ticks }),
      barX(data, { x: "share", y: isOne ? "label" : "index", ...(isOne ? {} : { fy: "label" }), fill, rx2: 2 }),
      text(data, { x: "share", y: isOne ? "label" : "index", ...(isOne ? {} : { fy: "label" }), text: (one: (typeof data)[number]) => percent(one.share / 100, digits), textAnchor: "start", dx: 5, fill: "var(--ink)" }),
    ],
  });
  const bands = drawn.scale(isOne ? "y" : "fy");
  const points = labels.map((label) => ({
    x: marginLeft,
    y: Number(bands?.apply(label)) + (bands?.bandwidth ?? 0) / 2,
    title: label,
    items: rules.map((rule, index) => ({
      name: nameOf(rule, rules, 32),
      text: percent(rule.decimals[places[index]?.get(label) ?? -1] ?? 0, digits),
      colour: isOne ? null : colour(index),
    })),
  }));
  const notes = [
    bare ? `Each row names ${listed(rules[0]?.parts ?? [])}, in this order.` : "",
    rest > 0 ? `The ${labels.length} most likely results; ${rest.toLocaleString("en")} more are in the table.` : "",
  ].filter(Boolean);
  return {
    svg: drawn,
    points,
    from: marginLeft,
    to: width - 66,
    legend: isOne ? [] : rules.map((rule, index) => ({ name: nameOf(rule, rules), colour: colour(index) })),
    summary: `Bars for ${labels.length} results.`,
    ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
  };
}

/** Records without the names of their parts, which are the same in each row. */
function bareOf(rules: Task["rules"]): Map<string, string> | null {
  const [rule, ...others] = rules;
  const cells = rule?.cells;
  if (!cells || others.length > 0) return null;
  return new Map(rule.labels.map((label, index) => [label, (cells[index] ?? []).map((part) => figure(part)).join(", ")]));
}
