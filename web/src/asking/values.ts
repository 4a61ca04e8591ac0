// A field for each free name: a number or a range with a slider, or a list.

import { h, newId } from "../dom.ts";
import { newSpan, type Span } from "./span.ts";

/** `isMoving`: a slider moves, and the answer shall follow it at once. */
export function newValues(change: (values: Record<string, string>, isMoving: boolean) => void) {
  const box = h("fieldset", { class: "group", hidden: true }, h("legend", {}, "Values"));
  const rows = h("div", { class: "rows" });
  box.append(rows);
  let names: string[] = [];
  let values: Record<string, string> = {};
  const fields = new Map<string, { input: HTMLInputElement; slider: Span; row: HTMLElement; error: HTMLElement }>();

  const row = (name: string) => {
    const id = newId();
    const input = h("input", { id, type: "text", class: "value", autocomplete: "off", placeholder: "5, 1..10 or 1,5,20", "aria-describedby": `${id}-error` });
    const error = h("p", { class: "field-error", id: `${id}-error` });
    input.addEventListener("input", () => {
      set(name, input.value, false);
      align(name, false);
    });
    const slider = newSpan(name, (text) => {
      input.value = text;
      set(name, text, true);
      align(name, true);
    });
    const element = h("div", { class: "value-row" }, h("label", { for: id }, h("code", {}, name)), input, slider.element, error);
    fields.set(name, { input, slider, row: element, error });
    return element;
  };
  const set = (name: string, value: string, isMoving: boolean) => {
    values = { ...values, [name]: value };
    change(values, isMoving);
  };
  const align = (name: string, keepsRoom: boolean) => {
    const field = fields.get(name);
    if (!field) return;
    const text = field.input.value.trim();
    field.slider.show(text, keepsRoom);
    field.error.textContent = text === "" || isValues(text) ? "" : "Write numbers such as 5, 1..10 or 1,5,20.";
    field.input.setAttribute("aria-invalid", String(field.error.textContent !== ""));
  };
  return {
    element: box,
    /** Shows the fields of all names, with the values that were given, or else those that a name begins with. */
    show(all: string[], given: Record<string, string>, begun: Record<string, string>) {
      values = { ...given };
      // Names with values stay, also while the text cannot be read.
      const now = [...new Set([...all, ...Object.keys(given)])];
      if (now.join() !== names.join()) {
        names = now;
        const focused = [...fields].find(([, field]) => field.row.contains(document.activeElement))?.[0];
        const kept = names.map((name) => fields.get(name)?.row ?? row(name));
        rows.replaceChildren(...kept);
        for (const name of [...fields.keys()]) if (!names.includes(name)) fields.delete(name);
        if (focused) fields.get(focused)?.input.focus();
      }
      box.hidden = names.length === 0;
      for (const name of names) {
        const field = fields.get(name);
        if (!field) continue;
        const value = given[name] ?? begun[name] ?? "";
        if (field.input.value !== value && document.activeElement !== field.input) field.input.value = value;
        align(name, field.slider.element.contains(document.activeElement));
      }
    },
    focus(name: string) {
      fields.get(name)?.input.focus();
    },
  };
}

/** Whether a text is numbers, ranges, or a list of both. */
export function isValues(text: string): boolean {
  return text.split(",").every((part) => /^\s*-?\d+\s*(\.\.\s*-?\d+\s*){0,2}$/.test(part));
}
