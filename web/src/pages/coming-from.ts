// Live examples in pairs: a text of another tool, and the same in Bones, each with its answer.

import { figure, percent } from "../answer/format.ts";
import { areNumbers, nameOf } from "../answer/series.ts";
import { h } from "../dom.ts";
import type { Client } from "../engine/client.ts";
import type { RuleView } from "../engine/report.ts";
import { toLink } from "../link.ts";
import { type Question, questionOf } from "../question.ts";
import { CHAPTERS, type Pair } from "./pairs.ts";

export function comingFrom(engine: Client, open: (question: Question) => void): HTMLElement {
  const waiting: (() => Promise<void>)[] = [];
  const side = (name: string, fields: Partial<Question>): HTMLElement => {
    const question = questionOf(fields);
    const link = h("a", { class: "open", href: `#${toLink(question)}` }, "Open");
    link.setAttribute("aria-label", `Open in the calculator: ${question.text}`);
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(question);
    });
    const answer = h("div", { class: "live" });
    waiting.push(async () => {
      try {
        const { view } = await engine.answer(JSON.stringify(question), () => undefined);
        answer.replaceChildren(...view.rules.slice(0, 4).map((rule) => line(rule, view.rules)));
      } catch {
        answer.replaceChildren();
      }
    });
    const values = Object.entries(fields.values ?? {}).map(([name, value]) => ` with ${name} = ${value}`);
    return h("div", { class: "side" }, h("div", { class: "side-head" }, h("h4", {}, name + values.join("")), link), h("pre", { tabindex: "0" }, h("code", {}, question.text)), answer);
  };
  const pair = (theirs: string) => (one: Pair) => h("li", { class: "pair" }, h("h3", {}, one.title), h("p", {}, one.words), h("div", { class: "sides" }, side(theirs, one.theirs), side("Bones", one.ours)));
  const chapters = CHAPTERS.map(({ id, title, about, theirs, pairs }) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), h("p", { class: "lead" }, about), h("ul", { class: "pairs" }, ...pairs.map(pair(theirs)))));
  const run = async () => {
    for (const next of waiting) await next();
  };
  void run();
  return h("div", { class: "wide" }, h("h1", {}, "Coming from another tool"), ...chapters);
}

/** One rule in a line: bars, and the mean. */
function line(rule: RuleView, rules: RuleView[]): HTMLElement {
  const decimals = rule.decimals.slice(0, 48);
  const most = Math.max(1e-9, ...decimals);
  const bars = h("div", { class: "spark", "aria-hidden": "true" }, ...decimals.map((decimal) => h("span", { style: { "--share": String(decimal / most) } })));
  const mean = rule.mean?.decimal;
  const yes = rule.decimals[rule.labels.indexOf("yes")];
  const text = rule.kind === "condition" && yes !== undefined ? `${percent(yes)} of the time` : areNumbers([rule]) && mean !== null && mean !== undefined ? `mean ${figure(mean)}` : "";
  return h("p", {}, rules.length > 1 ? h("span", { class: "soft" }, nameOf(rule, rules, 32)) : null, bars, h("b", {}, text));
}
