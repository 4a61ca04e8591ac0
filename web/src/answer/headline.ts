// The answer in words, and what must be known beside it: estimates, tails, rolls that never end.

import { h } from "../dom.ts";
import type { Chance, Comparison, ReportView, RuleView } from "../engine/report.ts";
import { chanceText, deviationText, event, figure, fraction, listed, meanText, oneIn, percent, value } from "./format.ts";
import { colour, nameOf, short, type Sweep, sweepOf } from "./series.ts";

export function headline(report: ReportView, digits: number): HTMLElement {
  const [first] = report.rules;
  if (!first) return h("div");
  if (report.rules.length > 1) return several(report, digits);
  const name = short(first.name, 80);
  const title = h("p", { class: "rule-name" }, name, first.given ? h("span", { class: "given" }, `given a chance of ${percent(Number(first.given), digits) === "NaN%" ? first.given : percent(toShare(first.given), digits)}`) : null);
  const asked = first.chances;
  if (asked.length > 0) {
    return h("div", { class: "headline" }, title, h("div", { class: "tiles" }, ...asked.map((chance) => tile(chance, first, digits))), h("p", { class: "figures-line" }, ...figures(first, digits)));
  }
  if (first.kind === "condition") {
    const yes = first.labels.indexOf("yes");
    const share = first.decimals[yes] ?? 0;
    return h("div", { class: "headline" }, title, h("div", { class: "tiles" }, bigTile(percent(share, digits), "of the time", oneIn(share))));
  }
  return h("div", { class: "headline" }, title, h("p", { class: "large" }, ...figures(first, digits)));
}

function toShare(text: string): number {
  const [top, bottom] = text.split("/");
  return bottom ? Number(top) / Number(bottom) : Number(text);
}

function bigTile(value: string, words: string, more: string | null, exact?: string | null): HTMLElement {
  return h("div", { class: "tile" }, h("span", { class: "big" }, value), h("span", { class: "of" }, words), more || exact ? h("span", { class: "more" }, [more, exact && fraction(exact, 24)].filter(Boolean).join(" · ")) : null);
}

function tile(chance: Chance, rule: RuleView, digits: number): HTMLElement {
  const isEstimate = rule.sampling !== null;
  const bounds = isEstimate && chance.low !== null && chance.high !== null ? `between ${percent(chance.low, digits)} and ${percent(chance.high, digits)}` : null;
  const text = chanceText(chance, digits);
  return bigTile(`${isEstimate ? "≈ " : ""}${text}`, event(chance), bounds ?? (chance.decimal === null ? null : oneIn(chance.decimal)), chance.exact);
}

/** The figures of one rule in words. */
function figures(rule: RuleView, digits: number): (Node | string)[] {
  const strong = (text: string) => h("b", {}, text);
  const parts: (Node | string)[][] = [];
  const mean = meanText(rule, digits);
  if (mean !== null) parts.push(["mean ", strong(mean)]);
  const deviation = deviationText(rule, digits);
  if (deviation !== null) parts.push(["deviation ", strong(deviation)]);
  if (mean === null && rule.mode && rule.mode.length > 0) parts.push(["most likely ", strong(listed(rule.mode.map(value), 3))]);
  return parts.flatMap((part, index) => (index === 0 ? part : [", ", ...part]));
}

function several(report: ReportView, digits: number): HTMLElement {
  const { rules } = report;
  const over = sweepOf(report);
  const line = over && (rules.length > 6 || areAsked(rules)) ? sweepLine(over, digits) : null;
  // Lists have no figure that moves.
  if (line?.hasChildNodes()) return line;
  if (rules.length > 6) return h("div", { class: "headline" }, h("p", { class: "large" }, h("b", {}, String(rules.length)), " rules"));
  const asked = rules.some((rule) => rule.chances.length > 0);
  const items = rules.map((rule, index) => {
    const [first] = rule.chances;
    const value = first ? chanceText(first, digits) : (middle(rule, digits) ?? rule.mode?.[0] ?? "–");
    const words = first ? event(first) : rule.mean && rule.kind !== "condition" ? `mean${deviationText(rule, digits) ? `, deviation ${deviationText(rule, digits)}` : ""}` : rule.kind === "condition" ? "of the time" : "most likely";
    return h("li", { class: "tile" }, h("span", { class: "tile-name" }, h("span", { class: "swatch", style: { "--swatch": colour(index) } }), nameOf(rule, rules, 40)), h("span", { class: asked && rules.length < 4 ? "big" : "big smaller" }, (rule.sampling && first ? "≈ " : "") + value), h("span", { class: "of" }, words));
  });
  return h("div", { class: "headline" }, h("ul", { class: "tiles" }, ...items));
}

/** The figure that stands for a rule: how often a condition holds, or the mean. */
const middle = (rule: RuleView, digits: number) => (rule.kind === "condition" ? percent(rule.decimals[rule.labels.indexOf("yes")] ?? 0, digits) : meanText(rule, digits));

const areAsked = (rules: RuleView[]) => rules.some((rule) => rule.chances.length > 0);

/** A sweep in words: from which value on each chance is at least one half, or how the mean moves. */
function sweepLine({ variable, lines }: Sweep, digits: number): HTMLElement {
  const strong = (text: string) => h("b", {}, text);
  const all = lines.flatMap(({ name, rules }) => {
    const of = lines.length > 1 ? `${name}: ` : "";
    const [first] = rules;
    const last = rules.at(-1);
    if (!first || !last) return [];
    if (first.rule.chances.length === 0) {
      const [from, to] = [middle(first.rule, digits), middle(last.rule, digits)];
      if (!from || !to) return mostLikely(variable, rules).map((line) => h("p", { class: "large" }, of, ...line));
      return [h("p", { class: "large" }, of, first.rule.kind === "condition" ? null : "mean ", strong(from), " to ", strong(to), ` for ${variable} from ${figure(first.at)} to ${figure(last.at)}`)];
    }
    return first.rule.chances.map((asked, place) => {
      const isLikely = ({ rule }: (typeof rules)[number]) => (rule.chances[place]?.decimal ?? 0) >= 0.5;
      const passing = rules.find((_, index) => rules.slice(index).every(isLikely));
      const begins = passing === first;
      const end = last.rule.chances[place]?.decimal;
      const tail = passing && !begins ? ["half of the time or more from ", strong(`${variable} = ${figure(passing.at)}`), " on"] : end === null || end === undefined ? ["open"] : [strong(percent(end, digits)), ` with ${variable} = ${figure(last.at)}`];
      // That a condition holds needs no words.
      return h("p", { class: "large" }, of, asked.query === "holds" ? null : `${event(asked)}: `, ...tail);
    });
  });
  return h("div", { class: "headline sweep" }, ...all.slice(0, 5));
}

/** What is most likely, and from which value on. Nothing where it is unknown, or changes too often for a sentence. */
function mostLikely(variable: string, rules: Sweep["lines"][number]["rules"]): (Node | string)[][] {
  const modes = rules.map(({ at, rule }) => ({ at, mode: rule.mode?.[0] }));
  const steps = modes.filter(({ mode }, index) => index === 0 || mode !== modes[index - 1]?.mode);
  if (steps.length > MOST_STEPS || steps.some(({ mode }) => mode === undefined)) return [];
  return [["most likely ", ...steps.flatMap(({ at, mode }, index) => {
    const name = h("b", {}, value(mode ?? ""));
    return index === 0 ? [name] : [", ", name, ` from ${variable} = ${figure(at)} on`];
  })]];
}

/** The most values that are most likely one after the other in a sentence. */
const MOST_STEPS = 4;

/** What must be known beside the numbers. */
export function remarks(rules: RuleView[], digits: number): HTMLElement[] {
  const all: HTMLElement[] = [];
  const of = (rule: RuleView) => (rules.length > 1 ? `${nameOf(rule, rules, 32)}: ` : "");
  const sampled = rules.filter((rule) => rule.sampling);
  const [first] = sampled;
  if (first?.sampling) {
    const rolls = first.sampling.samples.toLocaleString("en");
    const who = sampled.length === rules.length ? "" : ` for ${listed(sampled.map((rule) => nameOf(rule, rules, 32)))}`;
    all.push(
      h("p", { class: "remark estimate" }, h("b", {}, `An estimate${who}. `), `The exact answer would exceed the limits, so the rule was rolled ${rolls} times. The bounds beside each number hold with ${percent(first.sampling.confidence, 0)} confidence.`),
    );
  }
  for (const rule of rules) {
    for (const tail of rule.tails) {
      if (tail.decimal <= 0) continue;
      const side = tail.side === "above" ? `${tail.bound} or more` : `${tail.bound} or less`;
      all.push(h("p", { class: "remark" }, `${of(rule)}This rule has no end. Values of ${side} have a chance of ${percent(tail.decimal, digits)} together and are not listed one by one.`));
    }
    if (rule.unresolved) all.push(h("p", { class: "remark" }, `${of(rule)}Rolls with a chance of ${percent(rule.unresolved, digits)} together were not followed to their end.`));
    if (rule.neverEnds) all.push(h("p", { class: "remark" }, `${of(rule)}With a chance of ${percent(rule.neverEnds, digits)} the roll never ends.${rule.isConditional && rule.labels.length > 0 ? " The figures hold for rolls that end." : ""}`));
  }
  return all.slice(0, 6);
}

/** Who is higher, for each two rules. */
export function comparisons(all: Comparison[], digits: number): HTMLElement | null {
  const known = all.filter((one) => one.aWins && one.bWins && one.tie).slice(0, 10);
  if (known.length === 0) return null;
  // The rules in their order, and so in their colours: the first is compared with each other one first.
  const names = [...new Set(all.flatMap((one) => [one.a, one.b]))];
  const colourOf = (name: string) => colour(names.indexOf(name));
  const items = known.map((one) => {
    const share = (part: Comparison["tie"]) => ((part?.low ?? 0) + (part?.high ?? 0)) / 2;
    const [a, tie, b] = [share(one.aWins), share(one.tie), share(one.bWins)];
    const [nameA, nameB] = [short(one.a, 32), short(one.b, 32)];
    const difference = one.meanDifference === null ? null : toShare(one.meanDifference.replace("−", "-"));
    const segment = (size: number, ground: string) => h("span", { class: "segment", style: { "flex-grow": String(Math.max(size, 0.0001)), background: ground } });
    const better = one.dominates ? `${one.dominates === "a" ? nameA : nameB} is better at every target.` : null;
    return h(
      "li",
      {},
      h("p", { class: "versus" }, h("span", {}, h("b", {}, nameA), ` higher ${percent(a, digits)}`), h("span", {}, `equal ${percent(tie, digits)}`), h("span", {}, h("b", {}, nameB), ` higher ${percent(b, digits)}`)),
      h("div", { class: "segments", "aria-hidden": "true" }, segment(a, colourOf(one.a)), segment(tie, "var(--line)"), segment(b, colourOf(one.b))),
      h("p", { class: "soft" }, [difference !== null && Number.isFinite(difference) && difference !== 0 ? `${difference > 0 ? nameA : nameB} is higher by ${figure(Math.abs(difference), digits)} on average.` : difference === 0 ? "Both have the same mean." : null, better].filter(Boolean).join(" ")),
    );
  });
  return h("section", { class: "comparison", "aria-labelledby": "comparison-title" }, h("h3", { id: "comparison-title" }, "Against each other"), h("ul", {}, ...items));
}

/** All figures of one rule, for who wants them; an estimate has none. */
export function details(rule: RuleView, digits: number): HTMLElement | null {
  const rows: [string, string | null][] = [
    ["Mean", rule.mean ? `${meanText(rule, digits)}${rule.mean.exact.includes("/") ? ` = ${fraction(rule.mean.exact)}` : ""}` : meanText(rule, digits)],
    ["Standard deviation", deviationText(rule, digits)],
    ["Variance", rule.variance ? (rule.variance.decimal === null ? "∞" : `${figure(rule.variance.decimal, digits)}${rule.variance.exact.includes("/") ? ` = ${fraction(rule.variance.exact)}` : ""}`) : null],
    ["Median", rule.median && value(rule.median)],
    ["Most likely", rule.mode && rule.mode.length > 0 ? listed(rule.mode.map(value), 4) : null],
    ["Least and greatest", rule.min !== null || rule.max !== null ? `${value(rule.min ?? "−∞")} to ${value(rule.max ?? "∞")}` : null],
    ["Skewness", rule.skewness === null ? null : figure(rule.skewness, 4)],
    ["Excess kurtosis", rule.kurtosis === null ? null : figure(rule.kurtosis, 4)],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== null);
  if (known.length === 0) return null;
  return h("dl", { class: "details" }, ...known.flatMap(([name, text]) => [h("div", {}, h("dt", {}, name), h("dd", {}, text))]));
}
