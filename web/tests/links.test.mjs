// Links: round trips, and links that somebody made to hurt.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { answered, end, headline, onPage, start, type } from "./browser.mjs";

before(start);
after(end);

const pack = (value) => `#1${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

test("a link holds the whole question", () =>
  onPage(async (page, context) => {
    await answered(page);
    await type(page, "count >=8 n#d10");
    await page.locator(".value-row input.value").fill("7");
    await page.click("text=Ask for a chance");
    await page.fill(".chance-row input", "3");
    await headline(page, /35\.29%/);
    const link = page.url();
    await page.click("text=Copy link");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    const other = await context.newPage();
    await other.goto(link);
    await headline(other, /35\.29%/);
    assert.match(await other.innerText(".cm-content"), /count >=8 n#d10/);
    assert.equal(await other.inputValue(".chance-row input"), "3");
  }));

test("back and forward go between opened questions", () =>
  onPage(async (page) => {
    await answered(page);
    await page.click("text=Do I hit?");
    await headline(page, /60\.00%/);
    await page.click("text=Advantage");
    await headline(page, /advantage/);
    await page.goBack();
    await headline(page, /60\.00%/);
    await page.goForward();
    await headline(page, /advantage/);
  }));

/** Links as the page made them in November 2026, and what they answer. They stay as they are. */
const OLD = [
  ["1q1YqSa0oUbJSMk4xU6oFAA", /mean 10\.50/], // 3 times 3.5
  ["1q1YqSa0oUbJSykgtys9MtlIwSTHLzjCOyUvOSSwuBgkYp5gp6SglFmenpihZRVcrZWfmARlKiSW6OamJxSVAOagJhqZKtbG1AA", /heroic 23\.15%/], // 25/108
  ["1q1YqSa0oUbJSSs4vzStRsLO1UMhTTjE0UNJRKkvMKU0tVrKqVsoDypsq1eooJRZnp6YoWUVXK2Vn5gEZSoklujmpicUlQOVQc4yUamNrAQ", /47\.18%/], // of 5 dice with 3 of 10 faces, by the binomial formula
  ["1q1YqSa0oUbJSyi8tKSgtUTBKMVPSUUrJTMxJTQYJJ-ZVpmQmpwLFyjJTy0ECJbo5qYnFJUq1AA", /mean 7,/], // 2 times 3.5
  ["1q1YqSa0oUbJSMkpR0lFKyUzMSU0GcfPzUlMyk1NBYqlpiaU5JcGZKanFSlZmtQA", /mean 7,/], // the same
  ["1PcwxCsMwFAPQqwh1zZDQocXgXqR0MPaHmJSfIb9gML57nRCyCQm9SpNidPyKocDjcUvTiKyoc7bNIa4_Nbz8E2XAqnJV3k8ojQPDtkiie1cuWXtgnING6ctJ71AXcEfQdBj9jJHt0_4", /20\.54%/], // 7 dice, each a hit, a one or neither, by the trinomial formula
  ["1HclBCoAgEEbhszRrAy0S8jamP21KQScwors39naP7yFGY3I0RzuQIjQfZLlcUMT5QPEpQNxgXMUrQk6xkpu0ohO7325G38UKsv_H6N77AQ", /mean 12\.60/], // 3 times 3.5 times 6/5
  ["1q1YqSa0oUbJSMlJOMVPSUcovSkktSk1RsiopKk3VUSpOzC3ISS1WsjI0MDAAclNBUua1AA", /most likely 1 1, 1 2, 1 3 and 33 more/], // in order, all 36 are equally likely
  ["1FclBCoAgEAXQq8RfF5TtPEfLNpJDDGhCjplEd2_avvdA6BZYeDOuh58MegTXUvktlxjd2ZQupqrgZIgpi4LnnSXDzj2EJZDmUlPneSO8Hw", /d20 10\.500/], // (1 + 20) / 2
  ["1q1YqSa0oUbJSMkoxU9JRSslMzElNBvHz81JTMpNTgWIF-fk5SlYlRaWptQA", /most likely 1 2, 1 3, 1 4 and 12 more/], // each of the 15 pairs of unlike faces, in two orders
];

for (const [link, pattern] of OLD) {
  test(`an old link is answered: ${pattern.source} ${link.slice(-8)}`, () => onPage((page) => headline(page, pattern), { hash: `#${link}` }));
}

test("a frame shows the answer alone, with a link to the whole page", () =>
  onPage(
    async (page) => {
      await headline(page, /mean 10\.50/);
      assert.equal(await page.isVisible(".cm-content"), false);
      assert.equal(await page.isVisible("nav"), false);
      assert.equal(await page.isVisible(".downloads"), false);
      const whole = await page.getAttribute(".opens-whole a", "href");
      await page.goto(whole);
      await headline(page, /mean 10\.50/);
      assert.equal(await page.innerText(".cm-content"), "3d6");
      await page.click("text=Copy frame");
      const frame = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(frame, /^<iframe src="[^"]*\?embed#[\w-]+" title="3d6" /);
    },
    { hash: `?embed#${OLD[0][0]}` },
  ));

const HOSTILE = {
  "no version": "#xyz",
  "broken letters": "#1%%%",
  "broken bytes": "#1AAAA_-__",
  "no JSON": pack("not json"),
  "a list": pack([]),
  "an unknown field": pack({ text: "d6", evil: 1 }),
  "a wrong type": pack({ text: 5 }),
  "a limit out of range": pack({ text: "d6", seconds: 1e9 }),
  "a prototype": pack('{"text":"d6","values":{"__proto__":"5"}}'),
  "a bomb": pack(`{"text":"${"d".repeat(50_000_000)}"}`),
  "a very long link": `#1${"A".repeat(200_000)}`,
};

for (const [name, hash] of Object.entries(HOSTILE)) {
  test(`a hostile link is a message: ${name}`, () =>
    onPage(
      async (page) => {
        await page.waitForSelector("text=This link holds no question.", { timeout: 5000 });
        await answered(page);
      },
      { hash },
    ));
}

test("a link with a rule without end is kept to the limits", () =>
  onPage(
    async (page) => {
      await page.waitForSelector(".working:not([hidden])");
      await page.waitForSelector(".working[hidden]", { state: "attached", timeout: 15_000 });
    },
    { hash: pack({ text: "repeat a=d100, b=d100, c=d100 while a+b+c < 100000 do a+d100, b+a%7, c+b%11 then a%13", seconds: 1, exact: true }) },
  ));

test("markup in a link stays text", () =>
  onPage(
    async (page) => {
      await answered(page);
      assert.equal(await page.locator("#answer img[src=x], #answer script").count(), 0);
    },
    { hash: pack({ text: '<img src=x onerror=alert(1)>: d6; case d2 {1: "<img src=x>", 2: "<script>"}' }), allowed: [] },
  ));
