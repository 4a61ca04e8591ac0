// Answers one question (JSON on standard input) again and again for some seconds with the engine that `npm run engine` has built, in its
// two parts as the page has them. Prints the milliseconds of each answer as JSON. `benches/peers/page.py` compares them.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SECONDS = 3;
/** The most answers of a quick rule. */
const MOST = 300;

const built = new URL("../src/engine/built/", import.meta.url);
const part = (name) => new WebAssembly.Module(readFileSync(fileURLToPath(new URL(name, built))));
const question = readFileSync(0, "utf8");

let first;
globalThis.dicedistMore = { load: () => new WebAssembly.Instance(part("more.wasm"), { first }) };
const { Engine, initSync } = await import(new URL("engine.js", built).href);
first = initSync({ module: part("first.wasm") });
const engine = new Engine();
const times = [];
const started = performance.now();
while (times.length < MOST && (times.length < 4 || performance.now() - started < SECONDS * 1000)) {
  const { findings, milliseconds } = JSON.parse(engine.answer(question, () => undefined));
  const wrong = findings.find(({ severity }) => severity === "error");
  if (wrong) throw new Error(wrong.message);
  times.push(milliseconds);
}
console.log(JSON.stringify(times));
