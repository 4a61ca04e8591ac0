// A field for each free name: one value with a slider, a range or a list.

import { h, newId } from "../dom.ts";

export function newValues(change: (values: Record<string, string>) => void) {
  const box = h("fieldset", { class: "group", hidden: true }, h("legend", {}, "Values"));
  const rows = h("div", { class: "rows" });
  box.append(rows);
  let names: string[] = [];
  let values: Record<string, string> = {};
  const fields = new Map<string, { input: HTMLInputElement; slider: HTMLInputElement; row: HTMLElement; error: HTMLElement }>();

  const row = (name: string) => {
    const id = newId();
    const input = h("input", { id, type: "text", class: "value", autocomplete: "off", placeholder: "5, 1..10 or 1,5,20", "aria-describedby": `${id}-error` });
    const slider = h("input", { type: "range", class: "slider", "aria-label": `${name}, as a slider`, step: "1" });
    const error = h("p", { class: "field-error", id: `${id}-error` });
    input.addEventListener("input", () => {
      set(name, input.value);
      align(name);
    });
    slider.addEventListener("input", () => {
      input.value = slider.value;
      set(name, slider.value);
      align(name, false);
    });
    const element = h("div", { class: "value-row" }, h("label", { for: id }, h("code", {}, name)), input, slider, error);
    fields.set(name, { input, slider, row: element, error });
    return element;
  };
  const set = (name: string, value: string) => {
    values = { ...values };
    if (value.trim() === "") delete values[name];
    else values[name] = value;
    change(values);
  };
  /** The slider is there while the field has one value, with some room on both sides. */
  const align = (name: string, moves = true) => {
    const field = fields.get(name);
    if (!field) return;
    const text = field.input.value.trim();
    const isOne = /^-?\d{1,6}$/.test(text);
    field.slider.hidden = !isOne;
    field.error.textContent = text === "" || isValues(text) ? "" : "Write numbers such as 5, 1..10 or 1,5,20.";
    field.input.setAttribute("aria-invalid", String(field.error.textContent !== ""));
    if (!isOne) return;
    const value = Number(text);
    if (moves) {
      field.slider.min = String(value < 0 ? Math.min(-10, value * 2) : value === 0 ? -5 : 0);
      field.slider.max = String(Math.max(10, Math.abs(value) * 2));
    }
    field.slider.value = text;
  };
  return {
    element: box,
    show(all: string[], given: Record<string, string>) {
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
        const value = given[name] ?? "";
        if (field.input.value !== value && document.activeElement !== field.input) field.input.value = value;
        align(name, document.activeElement !== field.slider);
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
