// What the views of an answer have in common: names, colours, and whether the rules are a sweep.

import type { ReportView, RuleView } from "../engine/report.ts";

/** Colours and marks that tell rules apart, also without colours. */
export const COLOURS = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)"];
export const SYMBOLS = ["circle", "square", "triangle", "diamond", "star"] as const;

export function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? "var(--s1)";
}

export function dash(index: number): string | undefined {
  return [undefined, "6 3", "2 3"][Math.floor(index / COLOURS.length) % 3];
}

/** The name of a rule with its values, shortened. */
export function nameOf(rule: RuleView, all: RuleView[], most = 48): string {
  const values = rule.parameters.map(([name, value]) => `${short(name, 24)} = ${value}`).join(", ");
  const isOnly = all.every((other) => other.rule === rule.rule);
  const name = short(rule.name, most);
  if (!values) return name;
  return isOnly ? values : `${name} (${values})`;
}

export function short(text: string, most = 48): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The variable along which a sweep runs, with its curves: the rules of all other values. */
export interface Sweep {
  variable: string;
  lines: { name: string; rules: { at: number; rule: RuleView }[] }[];
}

/** The sweep of a report, if one variable of its rules has several values. */
export function sweepOf(report: ReportView): Sweep | null {
  const { rules } = report;
  const values = new Map<string, Set<string>>();
  for (const rule of rules) {
    for (const [name, value] of rule.parameters) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  // The variable with the most values; the others tell the lines apart.
  const [first] = [...values].filter(([, all]) => all.size > 1).sort(([, a], [, b]) => b.size - a.size);
  if (!first || rules.some((rule) => !rule.parameters.some(([name]) => name === first[0]))) return null;
  const [variable] = first;
  const lines = new Map<string, Sweep["lines"][number]>();
  const isOneRule = new Set(rules.map((rule) => rule.rule)).size === 1;
  for (const rule of rules) {
    const own = rule.parameters.find(([name]) => name === variable)?.[1] ?? "0";
    const others = rule.parameters.filter(([name, value]) => name !== variable && (values.get(name)?.size ?? 0) > 1 && value);
    const rest = others.map(([name, value]) => `${short(name, 24)} = ${value}`).join(", ");
    const name = [isOneRule ? "" : short(rule.name), rest].filter(Boolean).join(", ");
    const key = `${isOneRule ? 0 : rule.name} ${rest}`;
    const line = lines.get(key) ?? { name: name || short(rule.name), rules: [] };
    line.rules.push({ at: Number(own.replace("−", "-")), rule });
    lines.set(key, line);
  }
  for (const line of lines.values()) line.rules.sort((a, b) => a.at - b.at);
  return { variable: short(variable, 24), lines: [...lines.values()] };
}

/** The chances of a view, value by value. */
export function shares(rule: RuleView, view: "exactly" | "at-least" | "at-most"): number[] {
  if (view === "at-least" && rule.atLeast) return rule.atLeast;
  if (view === "at-most" && rule.atMost) return rule.atMost;
  return rule.decimals;
}

export const areNumbers = (rules: RuleView[]) => rules.every((rule) => rule.numbers !== null);
