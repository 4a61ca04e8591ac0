// What is wrong with the text, as a list below the editor: with the way out, and corrections by a click.

import { h } from "../dom.ts";
import type { Finding } from "../engine/protocol.ts";

interface Hooks {
  /** What a notation is called. */
  called(dialect: string): string;
  correct(from: number, to: number, text: string): void;
  goTo(place: number): void;
  goToValue(name: string): void;
  goToLimit(name: string): void;
  choose(dialect: string): void;
}

const WORDS = { error: "Error", warning: "Warning", info: "Note" } as const;

/** The most findings of the list. */
const MOST = 8;

export function newFindings(hooks: Hooks) {
  const list = h("ul", { class: "findings", id: "findings", "aria-label": "Findings about the rules", "aria-live": "polite" });
  const item = (finding: Finding): HTMLElement => {
    const { correction, remedies, from } = finding;
    const actions: HTMLElement[] = [];
    const act = (label: string | Node, run: () => void, kind = "small") => {
      const button = h("button", { type: "button", class: kind }, label);
      button.addEventListener("click", run);
      actions.push(button);
    };
    if (correction) {
      const label = h("span", {}, "Write ", h("code", {}, correction.text.length > 80 ? `${correction.text.slice(0, 79)}…` : correction.text));
      act(label, () => hooks.correct(correction.from, correction.to, correction.text), "small correct");
    }
    for (const { kind, name } of remedies) {
      if (kind === "value") act(`Give ${name} a value`, () => hooks.goToValue(name));
      if (kind === "limit") act(`Raise the limit of ${name}`, () => hooks.goToLimit(name));
      if (kind === "notation") act(`Read as ${hooks.called(name)}`, () => hooks.choose(name));
    }
    if (from !== null && actions.length === 0) act("Show", () => hooks.goTo(from), "small quiet");
    const isHelpShown = finding.help && !(correction && finding.help.includes(correction.text)) && remedies.length === 0;
    return h(
      "li",
      { class: `finding ${finding.severity}` },
      h("p", {}, h("b", {}, `${WORDS[finding.severity]}: `), ...ticks(finding.message), finding.probability && finding.probability !== "1" ? ` (happens with a chance of ${finding.probability})` : ""),
      ...finding.notes.slice(0, 4).map((note) => h("p", { class: "soft" }, ...ticks(note))),
      isHelpShown ? h("p", { class: "soft" }, ...ticks(finding.help ?? "")) : null,
      actions.length > 0 ? h("div", { class: "finding-actions" }, ...actions) : null,
    );
  };
  let before = "";
  return {
    element: list,
    show(findings: Finding[]) {
      const now = JSON.stringify(findings);
      if (now === before) return;
      before = now;
      const shown = findings.slice(0, MOST).map(item);
      const more = findings.length - shown.length;
      list.replaceChildren(...shown, ...(more > 0 ? [h("li", { class: "soft" }, `and ${more} more`)] : []));
    },
  };
}

/** Text whose parts between backticks are code. */
export function ticks(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}
