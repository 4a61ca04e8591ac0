// The answer of a question: headline, chart, tables, comparison, downloads, one below the other.

import { h } from "../dom.ts";
import type { Client } from "../engine/client.ts";
import type { Answer, Progress } from "../engine/protocol.ts";
import type { RuleView } from "../engine/report.ts";
import type { Layout, Question, View } from "../question.ts";
import { newChart } from "./chart.ts";
import { addressOf, newDownloads } from "./downloads.ts";
import { listed, seconds } from "./format.ts";
import { comparisons, details, headline, remarks } from "./headline.ts";
import { areNumbers, short, sweepOf } from "./series.ts";
import { haveFractions, tables } from "./table.ts";

export interface AnswerPanel {
  show(answer: Answer, question: Question): void;
  /** There is no answer: nothing is asked, or everything is refused. */
  empty(content: Node | null): void;
  working(progress: Progress | null, question: Question): void;
  /** The question has changed, and its answer is not there yet. */
  wait(): void;
  /** The question has no answer, as the message says. One of an earlier question is dimmed, and says whose it is. */
  outdate(message: string): void;
  /** Shows the answer again, with another view of it. */
  again(question: Question): void;
}

interface Hooks {
  engine: Client;
  question(): Question;
  change(fields: Partial<Question>): void;
  stop(): void;
}

/** The most rules that are set against each other. From five on, each is compared with the first. */
const MOST_COMPARED = 8;

const VIEWS: [View, string][] = [
  ["exactly", "Exactly"],
  ["at-least", "At least"],
  ["at-most", "At most"],
];
const LAYOUTS: [Layout, string][] = [
  ["normal", "Side by side"],
  ["transposed", "Transposed"],
  ["summary", "Summary"],
];

export function newAnswer(parent: HTMLElement, { engine, question, change, stop }: Hooks): AnswerPanel {
  const status = h("p", { class: "visually-hidden", role: "status", id: "status" });
  const head = h("div", { id: "headline" });
  const notes = h("div", { class: "remarks" });
  const chart = newChart();
  const picture = h("div", { class: "picture" });
  const views = segmented("Chances", "view", VIEWS, (view) => change({ view }));
  const layouts = segmented("Layout", "layout", LAYOUTS, (layout) => change({ layout }));
  const bar = h("div", { class: "bar-of-views" }, views.element, layouts.element);
  const figuresBox = h("div");
  const body = h("div", { class: "tables" });
  const fractionsBox = h("input", { type: "checkbox", id: "fractions" });
  const fractionsLine = h("label", { class: "check", for: "fractions" }, fractionsBox, "Show exact fractions");
  const against = h("div");
  const say = (message: string) => {
    status.textContent = message;
    toast.textContent = message;
    toast.classList.add("shown");
    clearTimeout(timer);
    timer = setTimeout(() => toast.classList.remove("shown"), 2600);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const toast = h("p", { class: "toast", "aria-hidden": "true" });
  const downloads = newDownloads({ write: (format) => engine.write(format), question, say });
  const took = h("p", { class: "took" });
  const whole = h("div", { class: "result", hidden: true }, head, notes, bar, chart.element, picture, against, h("section", { class: "numbers", "aria-labelledby": "numbers-title" }, h("div", { class: "numbers-head" }, h("h3", { id: "numbers-title" }, "Numbers"), fractionsLine), figuresBox, body), downloads, took);
  const progressBar = h("progress", { "aria-label": "Progress", max: "1" });
  const progressText = h("p", { class: "soft" });
  const stopButton = h("button", { type: "button", class: "primary" }, "Stop");
  stopButton.addEventListener("click", stop);
  const opensWhole = h("a", { target: "_blank", rel: "noopener" }, "Change this rule in dicedist");
  const earlier = h("div", { class: "earlier", hidden: true });
  const working = h("div", { class: "working", hidden: true }, h("p", { class: "large" }, "Working it out"), progressBar, progressText, stopButton);
  const nothing = h("div", { class: "nothing" });
  parent.append(h("h2", { class: "visually-hidden", id: "answer-title" }, "Answer"), status, working, earlier, whole, nothing, h("p", { class: "opens-whole" }, opensWhole), toast);

  let shown: { answer: Answer; isWhole: boolean; fractions: (string | null)[][] | null } | null = null;

  const freshen = () => {
    opensWhole.href = addressOf(question());
    earlier.hidden = true;
    whole.inert = false;
    whole.classList.remove("waiting", "dimmed");
  };

  const draw = () => {
    if (!shown) return;
    const { answer, isWhole, fractions } = shown;
    const asked = question();
    const { rules } = answer.view;
    const digits = asked.digits ?? 2;
    head.replaceChildren(headline(answer.view, digits));
    notes.replaceChildren(...remarks(rules, digits));
    // A roll that never ends has no values.
    const haveValues = rules.some((rule) => rule.labels.length > 0);
    const isNumeric = haveValues && areNumbers(rules) && !rules.every((rule) => rule.kind === "condition");
    bar.hidden = !isNumeric;
    views.set(asked.view);
    layouts.set(asked.layout);
    const isSwept = asked.layout === "normal" && sweepOf(answer.view) !== null && rules.some((rule) => rule.chances.length > 0);
    layouts.element.hidden = rules.length === 1 && asked.layout === "normal";
    views.element.hidden = asked.layout === "summary" || isSwept;
    const compared = asked.layout === "normal" && !isSwept && rules.length <= MOST_COMPARED ? comparisons(answer.view.comparisons, digits) : null;
    against.replaceChildren(...(compared ? [compared] : []));
    const [first] = rules;
    const figures = rules.length === 1 && first?.numbers && first.kind !== "condition" ? details(first, digits) : null;
    figuresBox.replaceChildren(...(figures ? [figures] : []));
    body.replaceChildren(...tables(answer.view, asked, { isWhole, fractions }));
    fractionsLine.hidden = !haveFractions(answer.view, asked);
    took.textContent = `Answered in ${seconds(answer.milliseconds)} on this device${rules.every((rule) => rule.sampling === null) ? ", exactly" : ""}.`;
    picture.replaceChildren();
    const current = shown;
    void chart.show(answer.view, asked).then((isDrawn) => {
      chart.element.hidden = !isDrawn;
      if (!isDrawn && shown === current && haveValues) void showPicture();
    });
  };

  /** The engine's own picture, where the page has no chart: an image, which runs nothing. */
  const showPicture = async () => {
    const current = shown;
    try {
      const svg = await engine.write("svg");
      if (shown !== current) return;
      const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      const image = h("img", { src: address, alt: "A picture of the answer; the numbers are in the table." });
      image.addEventListener("load", () => URL.revokeObjectURL(address));
      picture.replaceChildren(image);
    } catch {
      picture.replaceChildren();
    }
  };

  body.addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>("[data-do=whole]");
    if (!button || !shown) return;
    shown = { ...shown, isWhole: !shown.isWhole };
    draw();
    body.querySelector<HTMLElement>("[data-do=whole]")?.focus();
  });
  fractionsBox.addEventListener("change", async () => {
    if (!shown) return;
    const current = shown;
    if (!fractionsBox.checked) {
      shown = { ...shown, fractions: null };
      draw();
      return;
    }
    const fractions = await engine.write("fractions");
    // Fractions belong to single values.
    if (shown === current) shown = { ...shown, fractions, isWhole: true };
    draw();
  });

  return {
    show(answer) {
      freshen();
      working.hidden = true;
      nothing.replaceChildren();
      const isEmpty = answer.view.rules.length === 0;
      whole.hidden = isEmpty;
      const isKept = fractionsBox.checked && shown !== null;
      shown = { answer, isWhole: false, fractions: null };
      if (isEmpty) {
        status.textContent = "No rule could be answered.";
        return;
      }
      draw();
      if (isKept) fractionsBox.dispatchEvent(new Event("change"));
      const [first] = answer.view.rules;
      status.textContent = answer.view.rules.length === 1 && first ? `Answer for ${short(first.name, 60)}: ${head.innerText.replace(/\s+/g, " ")}` : `Answers for ${answer.view.rules.length} rules.`;
    },
    empty(content) {
      freshen();
      working.hidden = true;
      whole.hidden = true;
      shown = null;
      nothing.replaceChildren(...(content ? [content] : []));
    },
    working(progress, asked) {
      freshen();
      whole.hidden = true;
      nothing.replaceChildren();
      if (working.hidden) status.textContent = "Working it out. Stop ends it.";
      working.hidden = false;
      const now = progress?.seconds ?? 0;
      if (progress?.samples !== undefined && progress.of) {
        progressBar.value = progress.samples / progress.of;
        progressText.textContent = `Too long for an exact answer, so the rule is rolled: ${progress.samples.toLocaleString("en")} of ${progress.of.toLocaleString("en")} rolls.`;
      } else {
        progressBar.value = Math.min(0.99, now / asked.seconds);
        const states = progress?.states ? `${progress.states.toLocaleString("en")} states, ` : "";
        const bytes = progress ? `${Math.round(progress.bytes / 2 ** 20)} MB, ` : "";
        progressText.textContent = `${states}${bytes}${now.toFixed(0)} of at most ${asked.seconds} s.`;
      }
    },
    wait() {
      whole.classList.add("waiting");
    },
    outdate(message) {
      if (whole.hidden || !shown) {
        this.empty(h("p", { class: "empty" }, message));
        return;
      }
      earlier.replaceChildren(h("p", {}, message), h("p", { class: "soft" }, "Below is still the answer for ", h("b", {}, whose(shown.answer.view.rules)), "."));
      earlier.hidden = false;
      whole.inert = true;
      whole.classList.remove("waiting");
      whole.classList.add("dimmed");
      status.textContent = message;
    },
    again() {
      draw();
    },
  };
}

/** The names of some rules, with the first and the last of their values. */
function whose(rules: RuleView[]): string {
  const names = [...new Set(rules.map((rule) => short(rule.name, 40)))];
  const values = new Map<string, string[]>();
  for (const [name, value] of rules.flatMap((rule) => rule.parameters)) values.set(name, [...(values.get(name) ?? []), value]);
  const ends = [...values].map(([name, all]) => `${short(name, 24)} = ${[...new Set([all[0], all.at(-1)])].join(" to ")}`);
  return listed(names, 3) + (ends.length > 0 ? ` with ${listed(ends)}` : "");
}

/** Some choices of which one holds, as a row of radio buttons. */
function segmented<T extends string>(label: string, name: string, all: [T, string][], choose: (value: T) => void) {
  const inputs = all.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value, id: `${name}-${value}` });
    input.addEventListener("change", () => choose(value));
    return { input, element: h("label", { for: `${name}-${value}` }, input, h("span", {}, text)) };
  });
  const element = h("fieldset", { class: "segmented" }, h("legend", { class: "visually-hidden" }, label), ...inputs.map((one) => one.element));
  return {
    element,
    set(value: T) {
      for (const { input } of inputs) input.checked = input.value === value;
    },
  };
}
