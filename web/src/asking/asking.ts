// The left side: the editor with its findings, the values, the chances, and the options.

import { h, newId } from "../dom.ts";
import { newEditor } from "../editor/editor.ts";
import type { Client } from "../engine/client.ts";
import type { Finding, Reading } from "../engine/protocol.ts";
import { begun, type Question, questionOf } from "../question.ts";
import { newChances } from "./chances.ts";
import { newFindings } from "./findings.ts";
import { newOptions } from "./options.ts";
import { STARTERS } from "./starters.ts";
import { newValues } from "./values.ts";

const NOTATIONS: [string, string][] = [
  ["", "Recognise the notation"],
  ["bones", "Bones"],
  ["tabletop", "Tabletop (Roll20, Foundry)"],
  ["anydice", "AnyDice"],
  ["dicelab", "dicelab"],
  ["dicebag", "dicebag"],
  ["diceroller", "DiceRoller"],
  ["onedice", "OneDice"],
];

const NAMES = new Map(NOTATIONS);

/** What a notation is called, in short. */
const called = (dialect: string) => NAMES.get(dialect)?.replace(/ \(.*/, "") ?? dialect;

interface Hooks {
  reader: Client;
  change(fields: Partial<Question>, isMoving?: boolean): void;
  /** Another question takes the place of this one. */
  open(question: Question): void;
}

export function newAsking(parent: HTMLElement, first: Question, { reader, change, open }: Hooks) {
  const box = h("div", { class: "editor" });
  const notationId = newId();
  const notation = h("select", { id: notationId }, ...NOTATIONS.map(([value, text]) => h("option", { value }, text)));
  const readAs = h("p", { class: "read-as", "aria-live": "polite" });
  const head = h("div", { class: "asking-head" }, h("label", { class: "visually-hidden", for: notationId }, "Notation"), notation, readAs);
  const editor = newEditor(box, "rules-title", first.text, (text) => change({ text }), (dialect) => reader.words(dialect));
  const values = newValues((all, isMoving) => change({ values: all }, isMoving));
  const chances = newChances((asked) => change({ asked }));
  const options = newOptions(change);
  const findings = newFindings({
    called,
    correct: (from, to, text) => editor.replace(from, to, text),
    goTo: (place) => editor.goTo(place),
    goToValue: (name) => values.focus(name),
    goToLimit: (name) => options.focusLimit(name),
    choose: (dialect) => {
      notation.value = dialect;
      change({ dialect });
    },
  });
  const starters = h("section", { class: "starters", "aria-labelledby": "starters-title" }, h("h2", { id: "starters-title" }, "Try one"));
  starters.append(
    h("ul", {}, ...STARTERS.map(({ name, question }) => {
      const button = h("button", { type: "button", class: "chip" }, name);
      button.addEventListener("click", () => open(questionOf(question)));
      return h("li", {}, button);
    })),
  );
  notation.addEventListener("change", () => change({ dialect: notation.value === "" ? null : notation.value }));
  const head1 = parent.querySelector("h1");
  if (head1) head.prepend(head1);
  parent.append(h("div", { class: "editor-card" }, head, box, findings.element), h("div", { class: "asks" }, values.element, chances.element), options.element, starters);

  let named = "";
  return {
    editor,
    /** Shows a question that did not come from here. */
    show(question: Question) {
      editor.show(question.text);
      notation.value = question.dialect ?? "";
      values.show(Object.keys(question.values), question.values, {});
      chances.show(question.asked);
      options.show(question);
    },
    /** Shows how the text is read. */
    read(reading: Reading, question: Question) {
      const dialect = question.dialect ?? reading.dialect ?? "bones";
      editor.setDialect(dialect);
      values.show(reading.names, question.values, begun(question, reading));
      const name = question.dialect === null && reading.dialect ? `Read as ${called(reading.dialect)}` : question.dialect === null && question.text.trim() !== "" && reading.rules.length > 0 ? "Read as Bones" : "";
      if (name !== named) readAs.textContent = named = name;
    },
    findings(all: Finding[]) {
      findings.show(all);
      editor.setFindings(all);
    },
  };
}
