// Long rules, downloads, use without a network, keyboards and phones.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { answered, end, headline, onPage, PHONE, rows, start, type } from "./browser.mjs";
import { dist } from "./serve.mjs";

let server;
before(async () => {
  server = await start();
});
after(end);

/** A rule that takes far longer than any test waits. */
const LONG = "repeat a=d100, b=d100, c=d100 while a+b+c < 100000 do a+d100, b+a%7, c+b%11 then a%13";

test("a long rule shows progress, is stopped, and gives its memory back", () =>
  onPage(async (page) => {
    await answered(page);
    await page.click("text=Limits and options");
    await page.getByLabel("Time, in seconds").fill("300");
    await page.getByLabel("Memory, in MB").fill("2000");
    await page.getByLabel("States").fill("1000000000");
    await page.keyboard.press("Tab");
    await type(page, LONG);
    await page.waitForSelector(".working:not([hidden])");
    await page.waitForFunction(() => /MB/.test(document.querySelector(".working .soft")?.textContent ?? ""), null, { timeout: 30_000 });
    const workers = page.workers().length;
    const old = page.workers();
    await page.click(".working button");
    await page.waitForSelector("text=Stopped.");
    // The worker that held the memory is gone, and another one waits.
    const until = Date.now() + 5000;
    while (page.workers().length > workers && Date.now() < until) await page.waitForTimeout(50);
    assert.equal(page.workers().length, workers);
    assert.ok(old.some((worker) => !page.workers().includes(worker)));
    await type(page, "d6");
    await headline(page, /mean 3\.50/);
  }));

test("a question that changes ends the one before", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, LONG);
    await page.waitForSelector(".working:not([hidden])");
    await type(page, "d8");
    await headline(page, /mean 4\.50/, 3000);
  }));

test("a rule nested too deeply is a message, and the next one works", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, `${"(".repeat(480)}d6${")".repeat(480)}`);
    await page.waitForTimeout(1200);
    await type(page, `${"abs(".repeat(450)}d6${")".repeat(450)}`);
    await page.waitForTimeout(1200);
    await type(page, "d10");
    await headline(page, /mean 5\.50/);
  }));

async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(`.actions button:text-is("${name}")`)]);
  return readFile(await file.path());
}

test("each download is what it says", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "3d6");
    await headline(page, /mean 10\.50/);
    const json = JSON.parse(await download(page, "JSON"));
    assert.equal(json.rules[0].outcomes[0].probability, "1/216");
    const csv = String(await download(page, "CSV")).trim().split(/\r?\n/);
    assert.equal(csv.length, 17);
    assert.match(csv[0], /^name,value,probability/);
    const svg = String(await download(page, "SVG"));
    const parsed = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement.tagName, svg);
    assert.equal(parsed, "svg");
    const png = await download(page, "PNG");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.readUInt32BE(16) > 400);
    await page.click("text=Copy Markdown");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("|") || (await navigator.clipboard.readText()).includes("| "));
    await page.click("text=Copy command");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "dicedist 3d6");
    await page.click("text=Copy picture");
    await page.waitForSelector(".toast.shown:has-text('The picture is copied.')");
    const copied = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const image = await createImageBitmap(await item.getType("image/png"));
      return [image.width, image.height];
    });
    assert.deepEqual(copied, [png.readUInt32BE(16), png.readUInt32BE(20)]);
  }));

test("the page works without a network after the first visit", () =>
  onPage(async (page, context) => {
    await answered(page);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === "activated", null, { timeout: 20_000 });
    await context.setOffline(true);
    await page.reload();
    await answered(page);
    await type(page, "output [highest 3 of 4d6]");
    await headline(page, /mean 12\.24/);
    await page.click("text=Games");
    await page.waitForSelector(".games .game");
    await context.setOffline(false);
  }));

test("the page in one file opens from disk", () =>
  onPage(
    async (page) => {
      await answered(page);
      await type(page, "output 2d6");
      await headline(page, /mean 7/);
      await page.click("text=Games");
      await page.waitForSelector(".games .game");
    },
    { address: pathToFileURL(join(dist, "dicedist.html")).href, permissions: [] },
  ));

test("a phone scrolls in one direction only", () =>
  onPage(
    async (page) => {
      const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      await answered(page);
      for (const text of ["3d6", "plain: d20; twice: max(2#d20)", "let x = 7#d10 in {hits: count >=8 x, ones: count ==1 x}", "sum(100#d6)", "sort 4#d6", "x".repeat(200)]) {
        await type(page, text);
        await page.waitForTimeout(500);
        assert.equal(await isWide(), false, text);
      }
      for (const hash of ["#/games", "#/coming-from"]) {
        await page.goto(server.address + hash);
        await page.waitForSelector("#page h1");
        assert.equal(await isWide(), false, hash);
      }
    },
    { viewport: PHONE },
  ));

test("the menu is one line, also on the smallest phone", () =>
  onPage(
    async (page) => {
      await answered(page);
      const tops = await page.$$eval("nav a", (all) => all.map((one) => [one.getBoundingClientRect().top, one.getClientRects().length, one.getBoundingClientRect().right <= innerWidth]));
      for (const [top, lines, fits] of tops) assert.deepEqual([top, lines, fits], [tops[0][0], 1, true]);
      assert.equal(await page.$eval("nav a", (one) => one.getBoundingClientRect().height < 48), true);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
    },
    { viewport: { width: 320, height: 640 } },
  ));

test("a keyboard is enough", () =>
  onPage(async (page) => {
    await answered(page);
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim().slice(0, 40) || "");
    await page.keyboard.press("Tab");
    assert.match(await focused(), /Skip to the rules/);
    const seen = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      seen.push(await focused());
      if (await page.evaluate(() => document.activeElement?.classList.contains("chart-box") ?? false)) break;
      // The editor keeps no one: Tab goes on.
    }
    assert.ok(seen.includes("rules"), seen.join(" | "));
    await page.keyboard.press("Home");
    assert.match(await page.innerText(".readout"), /^3\b/);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.innerText(".readout"), /^4\b.*0\.31%/s); // heroic: 4 of 1296
    const live = await page.getAttribute(".readout", "aria-live");
    assert.equal(live, "polite");
  }));

/** As `each_case_has_its_kind` in src/report/picture/kind.rs has them. */
const KINDS = [
  ["2d6", /^Chart. Bars/],
  ["a: d6; b: d12", /^Chart. Bars/],
  ["a: 2d6; b: 3d6", /^Chart. Lines/],
  ["a: d3; b: d4; c: min(d4, d4)", /^Chart. A row for each/],
  ["a: 3d6; b: 4d6; c: 5d6; d: 6d6; e: 7d6; f: 8d6", /^Chart. A histogram for each/],
  ["a: d6; b: d8; c: d10; d: d12; e: d4; f: d3", /^Chart. A row for each/],
];

test("rules are drawn by the table of kinds", () =>
  onPage(async (page) => {
    await answered(page);
    for (const [text, pattern] of KINDS) {
      await type(page, text);
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".chart-box")?.getAttribute("aria-label") ?? ""), pattern.source);
    }
  }));

test("a game is found by its beginning, and opens in the editor", () =>
  onPage(async (page) => {
    await page.waitForSelector(".games .game");
    const shown = () => page.$$eval(".game:not([hidden]) .game-link", (all) => all.map((one) => one.textContent));
    assert.ok((await shown()).length > 200);
    await page.fill("#find-game", "kniff large");
    assert.deepEqual(await shown(), []);
    await page.fill("#find-game", "large straight");
    assert.deepEqual(await shown(), ["Yahtzee, large straight"]);
    assert.match(await page.innerText("[role=status]:visible"), /^1 of \d+$/);
    await page.click(".game:not([hidden]) .game-link");
    await headline(page, /26\.11%/); // 319695199/1224440064
    assert.match(await page.innerText(".cm-content"), /straight x == 5/);
  }, { hash: "#/gallery" }));

test("the pairs for other tools are answered, and agree", () =>
  onPage(async (page) => {
    await page.waitForSelector(".pairs");
    await page.waitForFunction(() => [...document.querySelectorAll(".side .live")].every((one) => one.childElementCount > 0), null, { timeout: 30_000 });
    const pairs = await page.$$eval(".pair", (all) => all.map((pair) => ({ title: pair.querySelector("h3").textContent, sides: [...pair.querySelectorAll(".live")].map((one) => [...one.querySelectorAll("b")].map((b) => b.textContent)) })));
    for (const { title, sides } of pairs) {
      if (title === "Explode") continue; // AnyDice stops after two explosions.
      // A virtual table counts a success as 1, and Bones says how often a condition holds.
      const [theirs, ours] = sides.map((side) => side.map((text) => (text.endsWith("of the time") ? `mean ${(Number.parseFloat(text) / 100).toFixed(2)}` : text)));
      assert.deepEqual(theirs, ours, title);
    }
  }, { hash: "#/coming-from" }));
