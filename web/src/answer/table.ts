// The table of an answer: values and chances, grouped where it is long.

import { h } from "../dom.ts";
import type { ReportView, RuleView } from "../engine/report.ts";
import type { Question, View } from "../question.ts";
import { chanceText, deviationText, event, figure, fixed, fraction, meanText, percent, quantile, value } from "./format.ts";
import { bulkOf } from "./plots/common.ts";
import { outcomesOf } from "./plots/order.ts";
import { areNumbers, colour, nameOf, shares, sweepOf } from "./series.ts";

/** The most rows of a grouped table, and of a whole one. */
const MOST_ROWS = 40;
const MOST_WHOLE = 4000;

/** The most rules that have a column each. */
const MOST_COLUMNS = 12;

export interface Shown {
  isWhole: boolean;
  fractions: (string | null)[][] | null;
}

interface Row {
  label: string;
  cells: { share: number | null; low?: number | undefined; high?: number | undefined; fraction?: string | null }[];
}

interface Rows {
  rows: Row[];
  isGrouped: boolean;
  left: number;
}

/** Whether there are too many rules for a column each. */
const areMany = (report: ReportView) => report.rules.length > (sweepOf(report) ? 6 : MOST_COLUMNS);

/** Whether a table has room for exact fractions. */
export function haveFractions(report: ReportView, question: Question): boolean {
  const isAsked = report.rules.length > 1 && report.rules.some((rule) => rule.chances.length > 0);
  return question.layout === "normal" && report.rules.some((rule) => rule.sampling === null) && (isAsked || !areMany(report));
}

/** The tables of an answer, the most important first. */
export function tables(report: ReportView, question: Question, shown: Shown): HTMLElement[] {
  const { rules } = report;
  const digits = question.digits ?? 2;
  const isAsked = rules.some((rule) => rule.chances.length > 0);
  const all: HTMLElement[] = [];
  if (isAsked && rules.length > 1) all.push(chancesTable(rules, sweepOf(report) !== null, digits, shown.fractions !== null));
  if (question.layout === "summary" || areMany(report)) {
    all.push(summaryTable(rules, digits));
    if (areMany(report) && question.layout !== "transposed") return all;
  }
  if (question.layout === "summary") return all;
  if (question.layout === "transposed" && areNumbers(rules)) all.push(transposedTable(rules, question.view, digits));
  else all.push(valuesTable(rules, question, digits, shown));
  return all;
}

function frame(caption: string, table: HTMLTableElement, after: (HTMLElement | null)[] = []): HTMLElement {
  table.prepend(h("caption", {}, caption));
  return h("div", { class: "table" }, h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": caption }, table), ...after);
}

function headRow(names: (string | Node)[]): HTMLTableSectionElement {
  return h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));
}

/** A name that is broken into lines where it is long, so that the numbers beside it stay in sight. */
function rowName(...name: (string | Node)[]): HTMLElement {
  return h("span", { class: "row-name" }, ...name);
}

function named(rule: RuleView, index: number, rules: RuleView[]): Node {
  const name = nameOf(rule, rules, 60);
  // A long sweep has no colours: its chart is drawn over the variable.
  if (rules.length > 6) return rowName(name);
  return rules.length === 1 ? document.createTextNode("chance") : rowName(h("span", { class: "swatch", style: { "--swatch": colour(index) } }), name);
}

function valuesTable(rules: RuleView[], question: Question, digits: number, shown: Shown): HTMLElement {
  const { rows, isGrouped, left } = areNumbers(rules) ? numberRows(rules, question.view, shown) : otherRows(rules, shown);
  const greatest = Math.max(1e-12, ...rows.flatMap((row) => row.cells.map((cell) => cell.share ?? 0)));
  const words: Record<View, string> = { exactly: "value", "at-least": "or more", "at-most": "or less" };
  const body = rows.map((row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, rowName(value(row.label))),
      ...row.cells.map((cell, index) => {
        if (cell.share === null) return h("td", { class: "share" });
        const bar = h("span", { class: "bar", "aria-hidden": "true", style: { "--share": String(cell.share / greatest), "--bar": rules.length === 1 ? "var(--s1)" : colour(index) } });
        const between = cell.low !== undefined && cell.high !== undefined ? h("span", { class: "between" }, `${percent(cell.low, digits)} to ${percent(cell.high, digits)}`) : null;
        const exact = cell.fraction ? h("span", { class: "fraction" }, fraction(cell.fraction)) : null;
        return h("td", { class: "share" }, h("span", { class: "number" }, percent(cell.share, digits)), bar, between, exact);
      }),
    ),
  );
  const isList = !areNumbers(rules);
  const table = h("table", { class: valuesClass(rules.length) }, headRow([isList ? "result" : words[question.view], ...rules.map((rule, index) => named(rule, index, rules))]), h("tbody", {}, ...body));
  const caption = question.view === "exactly" || isList ? "Chance of each result" : question.view === "at-least" ? "Chance of a value or more" : "Chance of a value or less";
  const more =
    isGrouped || (shown.isWhole && rows.length > MOST_ROWS)
      ? h("button", { type: "button", class: "quiet", "data-do": "whole" }, shown.isWhole ? "Show fewer rows" : "Show every row")
      : null;
  const note = left > 0 ? h("p", { class: "note" }, `${left.toLocaleString("en")} more results are in the downloads.`) : null;
  return frame(caption, table, [more, note]);
}

/** How a table of so many columns of chances finds room for its bars. */
function valuesClass(columns: number): string {
  return columns === 1 ? "values one" : columns > 3 ? "values many" : "values";
}

function elsewhere(rules: RuleView[]): Row[] {
  const row = (label: string, of: (rule: RuleView) => number | null): Row | null => {
    const cells = rules.map((rule) => ({ share: of(rule) }));
    return cells.some((cell) => cell.share !== null) ? { label, cells } : null;
  };
  const rows = [
    ...[...new Set(rules.flatMap((rule) => rule.tails.map((tail) => `${tail.side} ${tail.bound}`)))].map((key) => {
      const [side, bound] = key.split(" ");
      return row(side === "above" ? `${bound} or more` : `${bound} or less`, (rule) => rule.tails.find((tail) => `${tail.side} ${tail.bound}` === key)?.decimal ?? null);
    }),
    row("not followed to the end", (rule) => rule.unresolved),
    row("never ends", (rule) => rule.neverEnds),
  ];
  return rows.filter((one): one is Row => one !== null);
}

function numberRows(rules: RuleView[], view: View, shown: Shown): Rows {
  const values = [...new Set(rules.flatMap((rule) => rule.numbers ?? []))].sort((a, b) => a - b);
  const places = rules.map((rule) => new Map((rule.numbers ?? []).map((value, index) => [value, index])));
  const label = new Map(rules.flatMap((rule) => (rule.numbers ?? []).map((value, index) => [value, rule.labels[index] ?? String(value)] as const)));
  const tails = view === "exactly" ? elsewhere(rules) : [];
  const isLong = values.length > MOST_ROWS;
  const [low, high] = bulkOf(rules);
  const isSampled = rules.some((rule) => rule.low !== null);
  if (!isLong || shown.isWhole) {
    const kept = values.slice(0, MOST_WHOLE);
    const rows = kept.map((value): Row => {
      const cells = rules.map((rule, index) => {
        const place = places[index]?.get(value);
        if (view !== "exactly") return { share: totalAt(rule, value, view) };
        if (place === undefined) return { share: 0 };
        return { share: rule.decimals[place] ?? 0, low: isSampled ? rule.low?.[place] : undefined, high: isSampled ? rule.high?.[place] : undefined, fraction: shown.fractions?.[index]?.[place] ?? null };
      });
      return { label: label.get(value) ?? "", cells };
    });
    return { rows: [...rows, ...tails], isGrouped: false, left: values.length - kept.length };
  }
  const inner = values.filter((value) => value >= low && value <= high);
  const groups = inner.length > MOST_ROWS ? grouped(inner) : inner.map((_, index) => ({ from: index, to: index }));
  const gathered = (side: "below" | "above"): Row[] => {
    const end = side === "below" ? low : high;
    const outer = values.filter((value) => (side === "below" ? value < end : value > end));
    const bound = side === "below" ? outer.at(-1) : outer[0];
    if (bound === undefined || view !== "exactly") return [];
    const share = (rule: RuleView) => totalAt(rule, bound, side === "below" ? "at-most" : "at-least");
    return [{ label: `${label.get(bound)} or ${side === "below" ? "less" : "more"}`, cells: rules.map((rule) => ({ share: share(rule) })) }];
  };
  const rows = groups.map(({ from, to }): Row => {
    const [first, last] = [inner[from] ?? 0, inner[to] ?? 0];
    const at = view === "at-least" ? first : last;
    const text = (value: number) => label.get(value) ?? figure(value);
    const cells = rules.map((rule) => {
      if (view !== "exactly") return { share: totalAt(rule, at, view) };
      let sum = 0;
      rule.numbers?.forEach((value, index) => {
        if (value >= first && value <= last) sum += rule.decimals[index] ?? 0;
      });
      return { share: Math.min(sum, 1) };
    });
    return { label: view !== "exactly" ? text(at) : first === last ? text(first) : `${text(first)} to ${text(last)}`, cells };
  });
  // What is beyond the listed values is part of the last row.
  const others = tails.filter((row) => !/ or (more|less)$/.test(row.label) || gathered("above").length + gathered("below").length === 0);
  return { rows: [...gathered("below"), ...rows, ...gathered("above"), ...others], isGrouped: true, left: 0 };
}

/** The running total of a rule at any number. */
function totalAt(rule: RuleView, value: number, view: View): number {
  const all = shares(rule, view);
  const numbers = rule.numbers ?? [];
  if (view === "at-least") {
    const index = numbers.findIndex((own) => own >= value);
    const tail = rule.tails.reduce((sum, one) => sum + (one.side === "above" ? one.decimal : 0), 0);
    return index < 0 ? tail : (all[index] ?? 0);
  }
  const index = numbers.findLastIndex((own) => own <= value);
  return index < 0 ? 0 : (all[index] ?? 0);
}

/** Blocks of round width, no more than a table holds. */
function grouped(values: number[]): { from: number; to: number }[] {
  const span = (values.at(-1) ?? 0) - (values[0] ?? 0);
  let width = 1;
  for (let power = 1; width * MOST_ROWS < span && power < 1e300; power *= 10) {
    width = [2, 5, 10].map((factor) => factor * power).find((one) => one * (MOST_ROWS - 1) >= span) ?? power * 10;
  }
  const groups = new Map<number, { from: number; to: number }>();
  values.forEach((value, index) => {
    const key = Math.floor(value / width);
    const group = groups.get(key);
    if (group) group.to = index;
    else groups.set(key, { from: index, to: index });
  });
  return [...groups.values()];
}

function otherRows(rules: RuleView[], shown: Shown): Rows {
  const most = shown.isWhole ? MOST_WHOLE : MOST_ROWS;
  const { labels, rest } = outcomesOf(rules, most);
  const places = rules.map((rule) => new Map(rule.labels.map((label, index) => [label, index])));
  const rows = labels.map((label): Row => ({
    label,
    cells: rules.map((rule, index) => {
      const place = places[index]?.get(label);
      if (place === undefined) return { share: 0 };
      return { share: rule.decimals[place] ?? 0, low: rule.low?.[place], high: rule.high?.[place], fraction: shown.fractions?.[index]?.[place] ?? null };
    }),
  }));
  return { rows: [...rows, ...elsewhere(rules)], isGrouped: rest > 0 && !shown.isWhole, left: shown.isWhole ? rest : 0 };
}

function meanCell(rule: RuleView, digits: number): string {
  const mean = rule.mean?.decimal;
  return mean === null || mean === undefined ? (meanText(rule, digits) ?? "–") : fixed(mean, digits);
}

/** What is asked of each rule. The bars have the colours of the chart: those of the questions in a sweep, and else those of the rules. */
function chancesTable(rules: RuleView[], isSweep: boolean, digits: number, areFractions: boolean): HTMLElement {
  const asked = rules[0]?.chances ?? [];
  const hasMean = rules.some((rule) => rule.kind !== "condition" && meanText(rule, digits) !== null);
  const body = rules.map((rule, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, isSweep ? rowName(nameOf(rule, rules, 60)) : named(rule, index, rules)),
      hasMean ? h("td", { class: "figure" }, rule.kind === "condition" ? "–" : meanCell(rule, digits)) : null,
      ...asked.map((_, place) => {
        const chance = rule.chances[place];
        if (!chance) return h("td", { class: "share" });
        const share = chance.decimal ?? 0;
        return h("td", { class: "share" }, h("span", { class: "number" }, chanceText(chance, digits)), h("span", { class: "bar", "aria-hidden": "true", style: { "--share": String(share), "--bar": colour(isSweep ? place : index) } }), areFractions && chance.exact ? h("span", { class: "fraction" }, fraction(chance.exact, 24)) : null);
      }),
    ),
  );
  const table = h("table", { class: valuesClass(asked.length) }, headRow(["rule", ...(hasMean ? [h("span", { class: "over-figures" }, "mean")] : []), ...asked.map(event)]), h("tbody", {}, ...body));
  return frame("What was asked", table);
}

function summaryTable(rules: RuleView[], digits: number): HTMLElement {
  const number = (value: number | null) => (value === null ? "–" : figure(value));
  const body = rules.map((rule, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, named(rule, index, rules)),
      ...[meanCell(rule, digits), rule.deviation === null ? (deviationText(rule, digits) ?? "–") : fixed(rule.deviation, digits), value(rule.min ?? "–"), number(quantile(rule, 0.05)), value(rule.median ?? "–"), number(quantile(rule, 0.95)), value(rule.max ?? "–")].map((text) => h("td", {}, text)),
    ),
  );
  const table = h("table", { class: "figures" }, headRow(["rule", "mean", "deviation", "least", "5%", "median", "95%", "greatest"]), h("tbody", {}, ...body));
  return frame("Summary", table);
}

function transposedTable(rules: RuleView[], view: View, digits: number): HTMLElement {
  let values = [...new Set(rules.flatMap((rule) => rule.numbers ?? []))].sort((a, b) => a - b);
  const left = Math.max(0, values.length - 100);
  values = values.slice(0, 100);
  const body = rules.map((rule, index) =>
    h("tr", {}, h("th", { scope: "row" }, named(rule, index, rules)), ...values.map((value) => {
      const place = rule.numbers?.indexOf(value) ?? -1;
      const share = view === "exactly" ? (place < 0 ? 0 : (rule.decimals[place] ?? 0)) : totalAt(rule, value, view);
      return h("td", {}, percent(share, digits));
    })),
  );
  const table = h("table", { class: "figures transposed" }, headRow(["rule", ...values.map((value) => figure(value))]), h("tbody", {}, ...body));
  return frame("Rules and values", table, [left > 0 ? h("p", { class: "note" }, `${left} more values are in the downloads.`) : null]);
}
