// A hundred golden vectors: the page's JSON is byte for byte that of the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { answered, end, onPage, start } from "./browser.mjs";

before(start);
after(end);

const root = fileURLToPath(new URL("../../", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const command = process.env.DICEDIST ?? ["release", "debug"].map((profile) => join(target, profile, "dicedist")).find((path) => existsSync(path));

/** So many vectors of a notation, from its whole file. */
function vectors(dialect, count) {
  const all = JSON.parse(readFileSync(join(root, "tests", "golden", `${dialect}.json`), "utf8"));
  const plain = all.filter((vector) => vector.options.length === 0 && (vector.expect.kind === "pmf" || vector.expect.kind === "several") && !vector.program.startsWith("-"));
  const step = plain.length / count;
  return Array.from({ length: count }, (_, index) => plain[Math.floor(index * step)]);
}

const chosen = [...vectors("bones", 28), ...vectors("tabletop", 24), ...vectors("anydice", 24), ...vectors("dicelab", 10), ...vectors("onedice", 6), ...vectors("dicebag", 5), ...vectors("diceroller", 3)];

test("a hundred vectors are byte-equal to the command's JSON", { skip: command ? false : "there is no command: `cargo build --release`" }, () =>
  onPage(async (page) => {
    assert.equal(chosen.length, 100);
    await answered(page);
    for (const { id, dialect, program } of chosen) {
      const expected = execFileSync(command, ["-d", dialect, "--format", "json", "--seed", "1", "--", program], { encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "ignore"] });
      const found = await page.evaluate(async (question) => {
        await globalThis.dicedist.answer(question);
        return globalThis.dicedist.report();
      }, { text: program, dialect });
      assert.equal(found, expected, id);
    }
  }));
