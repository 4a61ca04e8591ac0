// The engine by itself, without a page: in Node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

const built = new URL("../src/engine/built/", import.meta.url);
let engine;
let words;

before(async () => {
  const bindings = await import(new URL("engine.js", built).href);
  bindings.initSync({ module: new WebAssembly.Module(readFileSync(new URL("engine_bg.wasm", built))) });
  engine = new bindings.Engine();
  words = (dialect) => JSON.parse(bindings.words(dialect));
});

test("the example of each word has the word, and is a rule", () => {
  for (const dialect of ["bones", "tabletop", "anydice"]) {
    assert.ok(words(dialect).length > 5, dialect);
    for (const { word, example } of words(dialect)) {
      assert.ok(example.includes(word), word);
      engine.answer(JSON.stringify({ text: example, dialect }), () => undefined);
      const { rules, errors } = JSON.parse(engine.json());
      assert.deepEqual([errors ?? [], rules.length > 0], [[], true], `${dialect}: ${example}`);
    }
  }
});

test("places are counted in units of UTF-16, of which a die has two", () => {
  const text = "öö🎲: d6 +"; // 14 bytes
  const { findings } = JSON.parse(engine.read(JSON.stringify({ text, dialect: "bones" })));
  assert.deepEqual(findings.map(({ from, to }) => [from, to]), [[10, 10]]);
});
