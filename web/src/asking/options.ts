// Limits and options of a question, out of sight until somebody wants them.

import { h, newId } from "../dom.ts";
import { BOUNDS, DEFAULTS, type Question } from "../question.ts";

type NumberField = "seconds" | "megabytes" | "states" | "samples" | "seed" | "digits" | "defaultSides";

const FIELDS: [NumberField, string, string][] = [
  ["seconds", "Time, in seconds", "After that, the rule is rolled instead, or given up."],
  ["megabytes", "Memory, in MB", ""],
  ["states", "States", "How many situations of a rule are looked at."],
  ["samples", "Rolls of an estimate", "For rules that are too long for an exact answer."],
  ["seed", "Seed of an estimate", "The same seed gives the same rolls."],
  ["digits", "Decimals", "Of percentages and figures."],
  ["defaultSides", "Sides of a die without a number", "In OneDice."],
];

/** What holds where a field is empty. */
const USUAL: Partial<Record<NumberField, string>> = { digits: "2", defaultSides: "100" };

const FLAGS: ["exact" | "ordered" | "pool", string][] = [
  ["exact", "Never estimate: an exact answer or none"],
  ["ordered", "Keep the order of lists"],
  ["pool", "Show the dice of a pool, not its sum (dicebag, OneDice)"],
];

export function newOptions(change: (fields: Partial<Question>) => void) {
  const inputs = new Map<NumberField, HTMLInputElement>();
  const flags = new Map<string, HTMLInputElement>();
  const numbers = FIELDS.map(([name, label, hint]) => {
    const id = newId();
    const [least, most] = BOUNDS[name];
    const isOptional = DEFAULTS[name] === null;
    const input = h("input", { id, type: "number", min: least, max: most, step: name === "seconds" ? "any" : "1", placeholder: USUAL[name], "aria-describedby": hint ? `${id}-hint` : null });
    inputs.set(name, input);
    input.addEventListener("change", () => {
      const value = input.value.trim();
      if (value === "" || !input.validity.valid) {
        if (value === "" || !isOptional) change({ [name]: DEFAULTS[name] });
        show(last ? { ...last, [name]: DEFAULTS[name] } : DEFAULTS);
        return;
      }
      change({ [name]: Number(value) });
    });
    return h("div", { class: "option" }, h("label", { for: id }, label), input, hint ? h("p", { class: "soft", id: `${id}-hint` }, hint) : null);
  });
  const switches = FLAGS.map(([name, label]) => {
    const id = newId();
    const input = h("input", { id, type: "checkbox" });
    flags.set(name, input);
    input.addEventListener("change", () => change({ [name]: input.checked }));
    return h("label", { class: "check", for: id }, input, label);
  });
  const titleId = newId();
  const title = h("input", { id: titleId, type: "text", maxlength: "500", placeholder: "the names of the rules" });
  title.addEventListener("change", () => change({ title: title.value.trim() === "" ? null : title.value }));
  const toleranceId = newId();
  const tolerance = h("input", { id: toleranceId, type: "text", maxlength: "50", placeholder: "1e-12" });
  tolerance.addEventListener("change", () => change({ tolerance: tolerance.value.trim() === "" ? null : tolerance.value.trim() }));
  const element = h(
    "details",
    { class: "options" },
    h("summary", {}, "Limits and options"),
    h("div", { class: "option-grid" }, ...numbers, h("div", { class: "option" }, h("label", { for: toleranceId }, "Tolerance"), tolerance, h("p", { class: "soft" }, "The most that may stay open of a roll without end.")), h("div", { class: "option wide" }, h("label", { for: titleId }, "Title of the picture"), title)),
    h("div", { class: "switches" }, ...switches),
  );
  let last: Question | null = null;
  const show = (question: Readonly<Question>) => {
    last = question;
    for (const [name, input] of inputs) {
      const value = question[name];
      const text = value === null ? "" : String(value);
      if (document.activeElement !== input) input.value = text;
    }
    for (const [name, input] of flags) input.checked = question[name as "exact"];
    if (document.activeElement !== tolerance) tolerance.value = question.tolerance ?? "";
    if (document.activeElement !== title) title.value = question.title ?? "";
  };
  return {
    element,
    show,
    /** Opens the panel at a limit that the engine names. */
    focusLimit(name: string) {
      element.open = true;
      const field: Record<string, NumberField> = { time: "seconds", memory: "megabytes", states: "states" };
      const input = inputs.get(field[name] ?? "seconds");
      input?.focus();
      input?.select();
    },
  };
}
