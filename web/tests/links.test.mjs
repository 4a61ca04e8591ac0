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
