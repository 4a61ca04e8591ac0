// The engine's JSON report, as the page uses it: labels and doubles in columns, and the exact fractions apart.

/** A figure with its fraction; `decimal` is null where it is infinite. */
export interface Exact {
  exact: string;
  decimal: number | null;
}

/** A chance: exact, between two ends, or estimated between two bounds. */
export interface Chance {
  query: "at-least" | "at-most" | "exactly" | "chance" | "holds" | string;
  value: string;
  /** The fraction; `null` where the chance is open or estimated. */
  exact: string | null;
  decimal: number | null;
  low: number | null;
  high: number | null;
}

/** Mass beyond the listed outcomes. */
export interface Tail {
  side: "below" | "above";
  bound: string;
  decimal: number;
  exact: string;
}

export interface RuleView {
  rule: number;
  name: string;
  expression: string;
  dialect: string | null;
  parameters: [string, string][];
  kind: "number" | "condition" | "label" | "record" | "multiset" | "sequence";
  method: string;
  parts: string[] | null;
  given: string | null;
  labels: string[];
  /** The outcomes as doubles, if they are numbers. */
  numbers: number[] | null;
  /** The members of each outcome, if these are records of numbers. */
  cells: number[][] | null;
  decimals: number[];
  low: number[] | null;
  high: number[] | null;
  atLeast: number[] | null;
  atMost: number[] | null;
  /** Whether the only condition that is asked holds, for each outcome. */
  holds: boolean[] | null;
  tails: Tail[];
  unresolved: number | null;
  neverEnds: number | null;
  mean: Exact | null;
  meanBetween: [number, number] | null;
  variance: Exact | null;
  isConditional: boolean;
  deviation: number | null;
  skewness: number | null;
  kurtosis: number | null;
  median: string | null;
  mode: string[] | null;
  min: string | null;
  max: string | null;
  chances: Chance[];
  sampling: { samples: number; seed: number; confidence: number; unseen: number } | null;
}

export interface Comparison {
  a: string;
  b: string;
  aWins: Bounds | null;
  tie: Bounds | null;
  bWins: Bounds | null;
  meanDifference: string | null;
  totalVariation: Bounds | null;
  dominates: "a" | "b" | null;
}

/** A share with its ends, which are the same where it is known. */
export interface Bounds {
  low: number;
  high: number;
  exact: string | null;
}

export interface ReportView {
  rules: RuleView[];
  comparisons: Comparison[];
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/** Reads JSON; integers that a double cannot hold become texts. */
export function parse(text: string): Fields {
  const revive = function (_name: string, value: Json, context?: { source?: string }): Json {
    const isLong = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLong && context?.source ? context.source : value;
  };
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown) as Fields;
}

/** The double next to a fraction, a decimal or an integer of any length. */
export function toNumber(text: string): number {
  const [top = "", bottom] = text.split("/");
  if (bottom === undefined) return Number(top);
  const [n, d] = [Number(top), Number(bottom)];
  if (Number.isFinite(n) && Number.isFinite(d)) return n / d;
  // Both are too long for doubles: the leading digits, and the difference of the lengths.
  const sign = top.startsWith("-") ? -1 : 1;
  const digits = top.replace("-", "");
  const ratio = Number(digits.slice(0, 17)) / Number(bottom.slice(0, 17));
  const power = Math.max(digits.length - 17, 0) - Math.max(bottom.length - 17, 0);
  return sign * ratio * 10 ** power;
}

function label(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? "(empty)" : value.map(label).join(" ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([name, part]) => `${name} ${label(part)}`).join(", ");
  }
  return typeof value === "number" ? String(value).replace("-", "−") : minus(String(value));
}

/** A number with a true minus sign; other texts stay. */
function minus(text: string): string {
  return /^-[\d./]+$/.test(text) ? text.replace("-", "−") : text;
}

const asText = (value: Json | undefined): string | null => (value === null || value === undefined ? null : label(value));
const asNumber = (value: Json | undefined): number | null => (typeof value === "number" ? value : null);
const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const asFields = (value: Json | undefined): Fields | null => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : null);

function exact(value: Json | undefined): Exact | null {
  const fields = asFields(value);
  return fields && { exact: String(fields["exact"]), decimal: asNumber(fields["decimal"]) };
}

function bounds(value: Json | undefined): Bounds | null {
  if (typeof value === "string") return { low: toNumber(value), high: toNumber(value), exact: value };
  const fields = asFields(value);
  return fields && { low: toNumber(String(fields["low"])), high: toNumber(String(fields["high"])), exact: null };
}

function mass(value: Json | undefined): number | null {
  return asNumber(asFields(value)?.["decimal"]);
}

function tail(value: Json): Tail {
  const fields = asFields(value) ?? {};
  const isAbove = fields["at_least"] !== undefined;
  return {
    side: isAbove ? "above" : "below",
    bound: label(fields[isAbove ? "at_least" : "at_most"] ?? null),
    decimal: asNumber(fields["decimal"]) ?? 0,
    exact: String(fields["probability"] ?? ""),
  };
}

function chance(value: Json): Chance {
  const fields = asFields(value) ?? {};
  const between = bounds(fields["probability"]);
  const isExact = typeof fields["probability"] === "string";
  return {
    query: String(fields["query"]),
    value: label(fields["value"] ?? null),
    exact: isExact ? String(fields["probability"]) : null,
    decimal: asNumber(fields["decimal"]),
    low: asNumber(fields["low"]) ?? (isExact ? null : (between?.low ?? null)),
    high: asNumber(fields["high"]) ?? (isExact ? null : (between?.high ?? null)),
  };
}

function cell(value: Json): number[] | null {
  const fields = asFields(value);
  const parts = fields && Object.values(fields);
  return parts?.every((part) => typeof part === "number") ? (parts as number[]) : null;
}

function column(outcomes: Fields[], name: string): number[] | null {
  const all = outcomes.map((outcome) => asNumber(outcome[name]));
  return all.length > 0 && all.every((value) => value !== null) ? (all as number[]) : null;
}

function rule(fields: Fields, curve: Fields | null): RuleView {
  const outcomes = asList(fields["outcomes"]) as Fields[];
  const kind = String(fields["kind"]) as RuleView["kind"];
  const isNumber = kind === "number" || kind === "condition";
  const values = outcomes.map((outcome) => outcome["value"] ?? null);
  const cells = kind === "record" ? values.map(cell) : [];
  const tails = fields["tail"];
  const sampling = asFields(fields["sampling"]);
  const ends = asFields(fields["mean_between"]);
  const words = ["no", "yes"];
  const decimals = outcomes.map((outcome) => asNumber(outcome["decimal"]) ?? 0);
  return {
    rule: asNumber(fields["rule"]) ?? 0,
    name: String(fields["name"]),
    expression: String(fields["expression"]),
    dialect: asText(fields["dialect"]),
    parameters: Object.entries(asFields(fields["parameters"]) ?? {}).map(([name, value]) => [name, label(value)]),
    kind,
    method: String(fields["method"]),
    parts: Array.isArray(fields["parts"]) ? fields["parts"].map(String) : null,
    given: asText(fields["given"]),
    labels: values.map((value) => (kind === "condition" && typeof value === "number" ? (words[value] ?? label(value)) : label(value))),
    numbers: isNumber ? values.map((value) => toNumber(String(value))) : null,
    cells: cells.length > 0 && cells.every((one) => one !== null) ? (cells as number[][]) : null,
    decimals,
    low: column(outcomes, "low"),
    high: column(outcomes, "high"),
    atLeast: (curve?.["atLeast"] as number[] | null | undefined) ?? null,
    atMost: (curve?.["atMost"] as number[] | null | undefined) ?? null,
    holds: (curve?.["holds"] as boolean[] | null | undefined) ?? null,
    tails: Array.isArray(tails) ? tails.map(tail) : tails ? [tail(tails)] : [],
    unresolved: mass(fields["unresolved"]),
    neverEnds: mass(fields["never_ends"]),
    mean: exact(fields["mean"]),
    meanBetween: ends && [toNumber(String(ends["low"])), toNumber(String(ends["high"]))],
    variance: exact(fields["variance"]),
    isConditional: fields["moments"] === "conditional",
    deviation: asNumber(fields["standard_deviation"]),
    skewness: asNumber(fields["skewness"]),
    kurtosis: asNumber(fields["excess_kurtosis"]),
    median: asText(fields["median"]),
    mode: Array.isArray(fields["mode"]) ? fields["mode"].map(label) : null,
    min: asText(fields["min"]),
    max: asText(fields["max"]),
    chances: asList(fields["queries"]).map(chance),
    sampling: sampling && {
      samples: asNumber(sampling["samples"]) ?? 0,
      seed: asNumber(sampling["seed"]) ?? 0,
      confidence: asNumber(sampling["confidence"]) ?? 0,
      unseen: asNumber(sampling["unseen"]) ?? 0,
    },
  };
}

function comparison(value: Json): Comparison {
  const fields = asFields(value) ?? {};
  return {
    a: String(fields["a"]),
    b: String(fields["b"]),
    aWins: bounds(fields["a_wins"]),
    tie: bounds(fields["tie"]),
    bWins: bounds(fields["b_wins"]),
    meanDifference: asText(fields["mean_difference"]),
    totalVariation: bounds(fields["total_variation"]),
    dominates: fields["dominates"] === "a" || fields["dominates"] === "b" ? fields["dominates"] : null,
  };
}

/** Adds up what the engine did not: estimates, and rules with very many outcomes. */
function withTotals(view: RuleView): RuleView {
  if (!view.numbers || view.atLeast) return view;
  const outside = (side: Tail["side"]) => view.tails.filter((one) => one.side === side).reduce((sum, one) => sum + one.decimal, 0);
  let below = outside("below");
  const atMost = view.decimals.map((decimal) => (below += decimal));
  let above = outside("above");
  const atLeast = [...view.decimals].reverse().map((decimal) => (above += decimal)).reverse();
  const most = (all: number[]) => all.map((one) => Math.min(one, 1));
  return { ...view, atLeast: most(atLeast), atMost: most(atMost) };
}

/** Conditions that are swept, with the chance that each holds: what else would be asked? */
function asked(rules: RuleView[]): RuleView[] {
  const isPlain = (rule: RuleView) => rule.kind === "condition" && rule.chances.length === 0 && rule.parameters.length > 0;
  if (rules.length < 2 || !rules.every(isPlain)) return rules;
  return rules.map((rule) => {
    const yes = rule.labels.indexOf("yes");
    const listed = rule.decimals[yes] ?? 0;
    const [decimal, low, high] = rule.unresolved ? [null, listed, listed + rule.unresolved] : [listed, rule.low?.[yes] ?? null, rule.high?.[yes] ?? null];
    return { ...rule, chances: [{ query: "holds", value: "yes", exact: null, decimal, low, high }] };
  });
}

/** The view of a report, given its text and that of its curves. */
export function viewOf(report: string, curves: string): ReportView {
  const fields = parse(report);
  const all = JSON.parse(curves) as (Fields | null)[];
  const rules = asList(fields["rules"]) as Fields[];
  return {
    rules: asked(rules.map((one, index) => withTotals(rule(one, all[index] ?? null)))),
    comparisons: asList(fields["comparisons"]).map(comparison),
  };
}

/** The exact fractions of all outcomes, rule by rule; `null` for an estimate. */
export function fractionsOf(report: string): (string | null)[][] {
  const rules = asList(parse(report)["rules"]) as Fields[];
  return rules.map((one) => (asList(one["outcomes"]) as Fields[]).map((outcome) => asText(outcome["probability"])));
}
