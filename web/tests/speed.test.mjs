// How soon, and how much is sent.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { answered, end, headline, onPage, start, type } from "./browser.mjs";

let server;
before(async () => {
  server = await start();
});
after(end);

/** Milliseconds of `work` on the machine whose times the limits are. */
const REFERENCE = 19.2;

/** Multiplications, each of which waits for the one before. */
function work() {
  const started = performance.now();
  let number = 1;
  for (let index = 0; index < 20_000_000; index += 1) number = (Math.imul(number, 1664525) + 1013904223) | 0;
  return performance.now() - started + (number === 0 ? 1 : 0);
}

/** How many times slower this machine is at present, 1 if it is quicker. */
function slowness() {
  const times = Array.from({ length: 5 }, work);
  return Math.max(1, Math.min(...times) / REFERENCE);
}

/** Tries again where another program may have had the processor. */
async function least(tries, run, good) {
  let best = Number.POSITIVE_INFINITY;
  for (let index = 0; index < tries && best >= good; index += 1) best = Math.min(best, await run());
  return best;
}

test("the first answer on a cold load takes less than a second", async (context) => {
  const run = async () => {
    let taken = 0;
    await onPage(async (page) => {
      await answered(page);
      taken = await page.evaluate(() => performance.getEntriesByName("first-answer")[0].startTime);
    });
    return taken;
  };
  const most = 1000 * slowness();
  const best = await least(6, run, most);
  context.diagnostic(`${Math.round(best)} of ${Math.round(most)} ms`);
  assert.ok(best < most, `${best} ms`);
});

test("the first view sends less than a megabyte", async (context) => {
  const { state } = server;
  state.sent = 0;
  state.files.clear();
  await onPage(async (page) => {
    await answered(page);
    await page.waitForSelector(".canvas svg");
  }, { serviceWorkers: "block", allowed: [/Service Worker registration blocked/] });
  // What is loaded after the first answer is no part of the first view, and may have begun.
  const late = [...state.files].filter(([path]) => /more-|extras-|service-worker/.test(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
  const sent = state.sent - late;
  context.diagnostic(`${sent} bytes`);
  assert.ok(sent > 100_000 && sent < 1_000_000, `${sent}: ${[...state.files].join(" ")}`);
});

test("a slider that moves is followed within two frames", async (context) => {
  await onPage(async (page) => {
    await answered(page);
    await type(page, "count >=8 n#d10");
    await headline(page, /for n from 1 to 10/);
    await page.waitForTimeout(2000); // the rest of the engine is there
    const times = await page.evaluate(async () => {
      const slider = document.querySelectorAll(".slider")[1];
      const all = [];
      for (let value = 11; value < 19; value += 1) {
        const started = performance.now();
        const seen = new Promise((resolve) => {
          const watch = new MutationObserver(() => {
            if (!document.querySelector("#headline").innerText.includes(`to ${value}`)) return;
            watch.disconnect();
            resolve(performance.now() - started);
          });
          watch.observe(document.querySelector("#headline"), { childList: true, subtree: true });
        });
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
        all.push(await seen);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return all.sort((a, b) => a - b);
    });
    const most = 35 * slowness();
    context.diagnostic(`${times.map((time) => time.toFixed(0)).join(" ")} of ${most.toFixed(0)} ms`);
    assert.ok(times[0] < most, times.join());
  });
});

test("house rules take less than 50 ms", async (context) => {
  const folder = new URL("../../examples/house_rules/", import.meta.url);
  const values = { apocalypse: { s: "-1..3" }, savage_worlds: { n: "4..12..2" }, storyteller_botch: { t: "4..9" }, half_the_time: { n: "1..12" }, shadowrun: { n: "2..16..2" }, one_roll_engine: { n: "2..10..2" }, blades_in_the_dark: { n: "1..6" }, world_of_darkness: { n: "1..10" } };
  const questions = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8"), values: values[name.replace(".bones", "")] ?? {}, tolerance: name.startsWith("roll_and_keep") ? "1e-6" : null }));
  await onPage(async (page) => {
    await answered(page);
    await page.waitForFunction(() => performance.getEntriesByName("complete").length > 0, null, { timeout: 20_000 });
    for (const { name, ...question } of questions) {
      const run = () => page.evaluate(async (asked) => {
        const started = performance.now();
        await globalThis.dicedist.answer(asked);
        return performance.now() - started;
      }, question);
      const most = 50 * slowness();
      const best = await least(12, run, most);
      context.diagnostic(`${name}: ${best.toFixed(1)} of ${most.toFixed(0)} ms`);
      assert.ok(best < most, `${name}: ${best} ms`);
    }
  });
});
