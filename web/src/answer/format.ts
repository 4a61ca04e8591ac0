// Numbers as a person reads them.

import type { Chance, RuleView } from "../engine/report.ts";
import { toNumber } from "../engine/report.ts";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function power(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return (exponent < 0 ? "⁻" : "") + digits;
}

function scientific(value: number): string {
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  return `${(value / 10 ** exponent).toFixed(1)} × 10${power(exponent)}`;
}

/** A double a little farther from zero, so that halves are rounded away from zero as the engine does: 13.825 is 13.83. */
const nudged = (value: number) => value * (1 + 2 ** -51);

/** A figure with exactly so many decimals, for columns. */
export function fixed(value: number, digits = 2): string {
  return Math.abs(value) >= 1e9 ? figure(value, digits) : nudged(value).toFixed(digits).replace("-", "−");
}

/** A chance as a percentage: so many decimals, or two digits of what would be lost. */
export function percent(chance: number, digits = 2): string {
  const value = nudged(chance) * 100;
  if (value === 0) return "0%";
  if (chance === 1) return "100%";
  const least = 10 ** -digits / 2;
  if (value < least) return value < 1e-6 ? `${scientific(value)}%` : `${value.toFixed(Math.ceil(-Math.log10(value)) + 1)}%`;
  if (100 - value < least) return `>${(100 - 10 ** -digits).toFixed(digits)}%`;
  return `${value.toFixed(digits)}%`;
}

/** A figure with so many decimals, and no zeros where it is whole. */
export function figure(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  const size = Math.abs(value);
  if (size >= 1e9) return (value < 0 ? "−" : "") + scientific(size);
  const text = Number.isInteger(value) ? String(value) : nudged(value).toFixed(digits);
  return text.replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");
}

/** The beginning, the end and the length of a number with many digits. */
const shorter = (digits: string) => (digits.length > 14 ? `${digits.slice(0, 6)}…${digits.slice(-4)} (${digits.replace(/\D/, "").length} digits)` : digits);

/** A fraction, or its beginning and length if it is very long. */
export function fraction(text: string, most = 42): string {
  const [top = "", bottom] = text.split("/");
  if (bottom === undefined || text.length <= most) return text;
  return `${shorter(top)} / ${shorter(bottom)}`;
}

/** A value as a table has room for it: integers of any length are made short, and so are texts. */
export function value(label: string): string {
  if (label.length <= 24) return label;
  return /^[−-]?\d+$/.test(label) ? shorter(label) : label.length > 120 ? `${label.slice(0, 119)}…` : label;
}

/** About how often: "1 in 4.3". */
export function oneIn(chance: number): string | null {
  if (chance <= 0 || chance >= 0.5) return null;
  const times = 1 / chance;
  const text = times < 20 ? times.toFixed(1).replace(/\.0$/, "") : times < 1e9 ? Math.round(times).toLocaleString("en") : scientific(times);
  return `1 in ${text}`;
}

/** The event of a chance in words: "15 or more". */
export function event(chance: Pick<Chance, "query" | "value">): string {
  switch (chance.query) {
    case "at-least":
      return `${chance.value} or more`;
    case "at-most":
      return `${chance.value} or less`;
    case "exactly":
      return `exactly ${chance.value}`;
    default:
      return chance.value;
  }
}

/** A chance as text, with its bounds where it is open or estimated. */
export function chanceText(chance: Chance, digits = 2): string {
  if (chance.decimal !== null) return percent(chance.decimal, digits);
  if (chance.low !== null && chance.high !== null) return `${percent(chance.low, digits)} to ${percent(chance.high, digits)}`;
  return "unknown";
}

/** The mean as text. */
export function meanText(rule: RuleView, digits = 2): string | null {
  if (rule.mean) return rule.mean.decimal === null ? value(rule.mean.exact) : figure(rule.mean.decimal, digits);
  if (rule.meanBetween) return rule.meanBetween.map((end) => figure(end, digits)).join(" to ");
  return null;
}

export function deviationText(rule: RuleView, digits = 2): string | null {
  if (rule.deviation !== null) return figure(rule.deviation, digits);
  return rule.variance?.exact === "infinite" ? "∞" : null;
}

/** The least number to which at least this share of the mass has come. */
export function quantile(rule: RuleView, share: number): number | null {
  if (!rule.numbers || !rule.atMost) return null;
  const index = rule.atMost.findIndex((mass) => mass >= share - 1e-12);
  return index < 0 ? null : (rule.numbers[index] ?? null);
}

/** Texts as a list: "a, b and c". Texts that have commas themselves take another sign between them. */
export function listed(all: string[], most = 6): string {
  const between = all.some((text) => text.includes(",")) ? "; " : ", ";
  const shown = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all;
  if (between === "; ") return shown.join(between);
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(between)} and ${shown.at(-1)}`;
}

export function seconds(milliseconds: number): string {
  if (milliseconds < 10) return `${Math.max(milliseconds, 0.1).toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export { toNumber };
