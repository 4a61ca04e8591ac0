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
  games: async (page) => {
    await page.click("text=Games");
    await page.waitForSelector(".game");
  },
  "coming from": async (page) => {
    await page.click("text=Coming from");
    await page.waitForFunction(() => [...document.querySelectorAll(".side .live")].every((one) => one.childElementCount > 0), null, { timeout: 30_000 });
  },
};

for (const [name, open] of Object.entries(SCREENS)) {
  test(name, () =>
    onPage(async (page) => {
      await open(page);
      await page.evaluate(`void (globalThis.axe ??= (() => { const module = { exports: {} }; ${axe}; return globalThis.axe ?? module.exports; })())`);
      for (const colorScheme of ["light", "dark"]) {
        for (const viewport of [DESKTOP, PHONE]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          await page.waitForTimeout(400);
          const { violations } = await page.evaluate(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })`);
          const found = violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`)]);
          assert.deepEqual(found, [], `${colorScheme}, ${viewport.width} pixels wide`);
        }
      }
    }));
}
