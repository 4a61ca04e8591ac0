// The chances that are asked for: a kind and a number, a label, or a condition.

import { h, icon, newId } from "../dom.ts";
import type { Asked, Kind } from "../question.ts";

const KINDS: [Kind, string][] = [
  ["at-least", "at least"],
  ["at-most", "at most"],
  ["exactly", "exactly"],
  ["chance", "condition"],
];

const HINTS: Record<Kind, string> = { "at-least": "15", "at-most": "5", exactly: "20", chance: "value % 2 == 0" };

export function newChances(change: (asked: Asked[]) => void) {
  const rows = h("div", { class: "rows" });
  const add = h("button", { type: "button", class: "small" }, icon("M10 4v12M4 10h12"), "Ask for a chance");
  const box = h("fieldset", { class: "group" }, h("legend", {}, "Chance of"), rows, add);
  let asked: Asked[] = [];
  /** What is shown, also while it is not filled in. */
  let drafts: Asked[] = [];

  const tell = () => {
    asked = drafts.filter((one) => one.text.trim() !== "");
    change(asked);
  };
  const draw = () => {
    rows.replaceChildren(...drafts.map((draft, index) => row(draft, index)));
  };
  const row = (draft: Asked, index: number) => {
    const id = newId();
    const kind = h("select", { "aria-label": "Kind of chance" }, ...KINDS.map(([value, text]) => h("option", { value, selected: value === draft.kind }, text)));
    const input = h("input", { id, type: "text", value: draft.text, autocomplete: "off", "aria-label": "Number, label or condition", placeholder: HINTS[draft.kind], inputmode: draft.kind === "chance" || draft.kind === "exactly" ? "text" : "numeric" });
    const error = h("p", { class: "field-error" });
    const check = () => {
      const isNumber = /^\s*-?(\d+(\.\d*)?|\.\d+)(\/\d+)?\s*$/.test(input.value);
      const isWrong = input.value.trim() !== "" && !isNumber && (draft.kind === "at-least" || draft.kind === "at-most");
      error.textContent = isWrong ? "Write a number, such as 15." : "";
      input.setAttribute("aria-invalid", String(isWrong));
    };
    kind.addEventListener("change", () => {
      draft.kind = kind.value as Kind;
      input.placeholder = HINTS[draft.kind];
      check();
      tell();
    });
    input.addEventListener("input", () => {
      draft.text = input.value;
      check();
      tell();
    });
    const remove = h("button", { type: "button", class: "icon-button", "aria-label": `Remove this chance${draft.text ? `: ${draft.text}` : ""}` }, icon("m5 5 10 10M15 5 5 15"));
    remove.addEventListener("click", () => {
      drafts.splice(index, 1);
      draw();
      tell();
      (rows.querySelectorAll<HTMLElement>("input")[Math.min(index, drafts.length - 1)] ?? add).focus();
    });
    check();
    return h("div", { class: "chance-row" }, kind, input, remove, error);
  };
  add.addEventListener("click", () => {
    drafts.push({ kind: drafts.at(-1)?.kind ?? "at-least", text: "" });
    draw();
    rows.querySelector<HTMLInputElement>(".chance-row:last-child input")?.focus();
  });
  return {
    element: box,
    show(all: Asked[]) {
      if (JSON.stringify(all) === JSON.stringify(asked)) return;
      asked = structuredClone(all);
      drafts = structuredClone(all);
      draw();
    },
  };
}
