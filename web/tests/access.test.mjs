// The automatic checks of axe-core, on every screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { answered, DESKTOP, end, onPage, PHONE, start, type } from "./browser.mjs";

before(start);
after(end);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SCREENS = {
  answer: async (page) => answered(page),
  "one rule with a target": async (page) => {
    await answered(page);
    await page.click("text=Exploding dice");
    await page.waitForSelector(".tile");
  },
  "a sweep": async (page) => {
    await answered(page);
    await page.click("text=Dice pool");
    await page.waitForSelector(".value-row");
    await page.waitForSelector(".tables table");
  },
  "an error": async (page) => {
    await answered(page);
    await type(page, "sum(4d6 drop lowest)");
    await page.waitForSelector(".finding.error");
  },
  "options and a map": async (page) => {
    await answered(page);
    await page.click("text=Hits and complications");
    await page.waitForSelector(".tile");
    await page.click("text=Limits and options");
  },
  nothing: async (page) => {
    await answered(page);
    await type(page, " ");
    await page.waitForSelector(".empty");
  },
  gallery: async (page) => {
    await page.click("text=Gallery");
    await page.waitForSelector(".card");
  },
  "coming from": async (page) => {
    await page.click("text=Coming from");
    await page.waitForFunction(() => [...document.querySelectorAll(".side .live")].every((one) => one.childElementCount > 0), null, { timeout: 30_000 });
  },
};

for (const [name, open] of Object.entries(SCREENS)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
      test(`${name}, ${colorScheme}, ${size}`, () =>
        onPage(
          async (page) => {
            await open(page);
            await page.waitForTimeout(400);
            const { violations } = await page.evaluate(`(async () => { const module = { exports: {} }; ${axe}; return (globalThis.axe ?? module.exports).run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }); })()`);
            assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`)]), []);
          },
          { viewport, colorScheme },
        ));
    }
  }
}
