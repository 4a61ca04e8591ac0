// The questions by which the engine is split: a function that one of them runs is in the first part. More questions make the first
// view larger, and fewer let more of them wait for the second part. Loops, dice that are rolled again or explode, records, and results in
// words are in the second one: with them the first would be a quarter larger.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const number = (kind, text) => ({ kind, text });

/** What the page suggests to begin with, and what people ask most. */
const QUESTIONS = [
  { text: "heroic: 4d6kh3\nclassic: 3d6" },
  { text: "plain: d20\nadvantage: max(2#d20)\nbonus of 3: d20 + 3", view: "at-least" },
  { text: "1d20+7 >= 16" },
  { text: "d20 + 7 >= 16" },
  { text: "count >=8 n#d10", values: { n: "1..10" }, asked: [number("at-least", "2"), number("at-least", "4")] },
  { text: "2d6+3", asked: [number("exactly", "7"), number("at-most", "4")] },
  { text: "2d20kh1+5" },
  { text: "n#d6", values: { n: "3" } },
];

/** Runs the questions in an engine that tells which functions run. Returns their places. */
export async function used(bindings, profiled) {
  const places = new Set();
  globalThis.dicedistMore = { hit: (place) => places.add(place), load: () => undefined };
  const { Engine, initSync, words } = await import(pathToFileURL(bindings).href);
  initSync({ module: new WebAssembly.Module(readFileSync(profiled)) });
  const engine = new Engine();
  for (const fields of QUESTIONS) {
    const question = JSON.stringify(fields);
    engine.read(question);
    engine.answer(question, () => undefined);
    engine.json();
    engine.curves();
  }
  words("bones");
  return [...places].sort((a, b) => a - b);
}
