// Rules, findings, values, chances, and the answers to them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, end, headline, onPage, PHONE, rows, start, type } from "./browser.mjs";

before(start);
after(end);

test("a rule that is typed is answered in a table", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "2d6");
    await headline(page, /mean 7, deviation 2\.42/); // 2 dice: mean 7, variance 35/6
    const table = await rows(page);
    assert.deepEqual(table[0], ["2", "2.78%"]); // 1/36
    assert.deepEqual(table[5], ["7", "16.67%"]); // 6/36
    await page.check("#fractions");
    await page.waitForFunction(() => document.querySelector(".fraction")?.textContent === "1/36");
  }));

test("an error is underlined, and corrected by a click", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "sum(4d6 drop lowest)");
    await page.waitForSelector(".finding.error");
    await page.waitForSelector(".cm-lintRange-error");
    await page.click(".finding .correct");
    await headline(page, /mean 12\.24/);
    assert.equal(await page.locator(".finding.error").count(), 0);
  }));

test("what the engine calls names of the command is said in words of the page", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "count >=8 pool#d10");
    await page.locator(".value-row input.value").fill("");
    await page.waitForSelector("text=Give pool a value to see the answer.");
    await page.click("text=Give pool a value >> nth=0");
    await page.keyboard.type("5");
    await headline(page, /mean 1\.50/); // 5 dice, 3 of 10 faces each
    const words = await page.innerText("main");
    assert.doesNotMatch(words, /--set|--max|--time-limit/);
  }));

test("an answer of an earlier rule is dimmed, and says whose it is", () =>
  onPage(async (page) => {
    const isDimmed = () => page.$eval(".result", (result) => result.inert && Number(getComputedStyle(result).opacity) < 0.5);
    // A machine that is busy takes the answer away while it works, and then there is none to dim.
    const isOfEarlier = async (whose, message) => {
      await page.waitForFunction((text) => document.querySelector("#answer").innerText.includes(text), message);
      if (!(await page.isVisible(".result"))) return;
      assert.equal(await isDimmed(), true);
      assert.equal(await page.innerText(".earlier .soft"), `Below is still the answer for ${whose}.`);
    };
    await answered(page);
    await type(page, "4d6kh3");
    await headline(page, /mean 12\.24/);
    assert.equal(await isDimmed(), false);
    await type(page, "4d6 drop lowest");
    await isOfEarlier("4d6kh3", "No answer yet.");
    assert.equal(await page.innerText(".read-as"), "Read as Tabletop");
    await type(page, "sum(n#d6)");
    await headline(page, /for n from 1 to 10/);
    assert.equal(await isDimmed(), false);
    await page.locator(".value-row input.value").fill("");
    await isOfEarlier("sum(n#d6) with n = 1 to 10", "Give n a value to see the answer.");
    // Without an earlier answer there is none to dim.
    await type(page, " ");
    await page.waitForSelector(".empty");
    await type(page, "sum(4d6 drop lowest)");
    await page.waitForSelector("text=No answer yet.");
    assert.equal(await page.isVisible(".result"), false);
  }));

test("a free number begins with a range, whose ends a slider moves", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "count >=8 n#d10");
    await page.waitForSelector(".tables table");
    await page.waitForFunction(() => document.querySelectorAll(".tables tbody tr").length === 10);
    const field = page.locator(".value-row input.value");
    assert.equal(await field.inputValue(), "1..10");
    const [one, other] = [page.getByLabel("n, one end"), page.getByLabel("n, other end")];
    await other.focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await field.inputValue(), "1..11");
    // Ends pass each other, and one number is both.
    await one.fill("11");
    assert.equal(await field.inputValue(), "11");
    await headline(page, /mean 3\.30/); // 11 dice, 3 of 10 faces each
    await one.fill("13");
    assert.equal(await field.inputValue(), "11..13");
    // Moves that come quicker than answers: none is set back by what was read before it.
    const setBack = await page.evaluate(async () => {
      const slider = document.querySelector("input.slider");
      const field = document.querySelector(".value-row input.value");
      const wrong = [];
      slider.focus();
      for (let move = 0; move < 60; move += 1) {
        slider.value = String(1 + (move % 8));
        slider.dispatchEvent(new Event("input"));
        const text = field.value;
        await new Promise((resolve) => setTimeout(resolve, move % 4));
        if (field.value !== text) wrong.push(`${text} became ${field.value}`);
      }
      return wrong;
    });
    assert.deepEqual(setBack, []);
    await field.fill("1,5,20");
    await page.waitForSelector(".span", { state: "hidden" });
    // A condition is asked how likely it is.
    await type(page, "hit: d20 + b >= 15\nwith advantage: max(2#d20) + b >= 15");
    await headline(page, /hit: half of the time or more from b = 4 on/);
    await page.waitForSelector(".chart svg");
    await type(page, "hit: d20 + b >= 15\ndamage: d8 + b");
    await headline(page, /hit: 35\.00% to 80\.00% for b from 1 to 10/);
    // Of 19 faces, 13 - b miss.
    await type(page, 'case d19 + b {..13: "miss", else: "hit"}');
    await headline(page, /most likely miss, hit from b = 4 on/);
    await type(page, "a: d20 >= 15\nb: d20 >= 12");
    await headline(page, /a 30\.00% of the time b 45\.00%/);
    // The command has the values that nobody wrote, too.
    await type(page, "sum(m#d6)");
    await headline(page, /for m from 1 to 10/);
    await page.click("text=Copy command");
    await page.waitForFunction(async () => /--set m=1\.\.10/.test(await navigator.clipboard.readText()));
  }));

test("a sweep asks for each value, and a slider moves one", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "count >=8 n#d10");
    const field = page.locator(".value-row input.value");
    await field.fill("4..8");
    await page.click("text=Ask for a chance");
    await page.fill(".chance-row input", "2");
    await page.waitForSelector(".tables table caption:text-is('What was asked')");
    const table = await rows(page);
    assert.equal(table.length, 5);
    assert.deepEqual(table[0].slice(1), ["1.20", "34.83%"]); // as in the README of the command
    await field.fill("3");
    for (const name of ["n, one end", "n, other end"]) {
      await page.getByLabel(name).focus();
      await page.keyboard.press("ArrowRight");
    }
    await headline(page, /34\.83%/);
    assert.equal(await field.inputValue(), "4");
  }));

test("the pairs for which a condition holds are outlined", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "let x = 2#d6 in {hits: count >=5 x, ones: count ==1 x}");
    await page.click("text=Ask for a chance");
    // Two hits, or one and no one.
    await page.selectOption(".chance-row select", "chance");
    await page.fill(".chance-row input", "hits > ones and ones == 0");
    await page.waitForSelector("text=Outlined: what is asked.");
    assert.equal(await page.locator('.canvas g[aria-label="cell"][stroke] rect').count(), 2);
  }));

test("several rules are compared", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "plain: d20; twice: max(2#d20)");
    // The higher of two against one: 1/3 and a little lower, by counting 20^3 rolls.
    let higher = 0;
    let equal = 0;
    for (let a = 1; a <= 20; a += 1) for (let b = 1; b <= 20; b += 1) for (let c = 1; c <= 20; c += 1) {
      const best = Math.max(b, c);
      higher += a > best ? 1 : 0;
      equal += a === best ? 1 : 0;
    }
    await headline(page, /plain 10\.50/);
    const text = (await page.innerText(".versus")).replace(/\s+/g, " ");
    assert.ok(text.includes(`plain higher ${((100 * higher) / 8000).toFixed(2)}%`), text);
    assert.ok(text.includes(`equal ${((100 * equal) / 8000).toFixed(2)}%`), text);
  }));

test("views and layouts show the same answer otherwise", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "plain: d20; twice: max(2#d20)");
    await headline(page, /plain 10\.50/);
    await page.check("#view-at-least", { force: true });
    await page.waitForFunction(() => /or more/.test(document.querySelector(".tables thead")?.textContent ?? ""));
    const table = await rows(page);
    assert.deepEqual(table[10], ["11", "50.00%", "75.00%"]);
    await page.check("#layout-transposed", { force: true });
    await page.waitForSelector("table.transposed");
    await page.check("#layout-summary", { force: true });
    await page.waitForSelector(".tables table caption:text-is('Summary')");
    const summary = await rows(page);
    assert.equal(summary[1][1], "13.83"); // 13.825, and halves go away from zero
  }));

test("labels and records are drawn as they are called", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, 'case d20 + 4 {..5: "fumble", 6..14: "miss", 15..23: "hit", 24: "crit"}');
    await page.waitForFunction(() => /fumble/.test(document.querySelector(".tables")?.textContent ?? ""));
    assert.deepEqual((await rows(page))[0], ["fumble", "5.00%"]);
    await type(page, "let x = 3#d6 in {sixes: count ==6 x, ones: count ==1 x}");
    await page.waitForFunction(() => /sixes 0, ones 0/.test(document.querySelector(".tables")?.textContent ?? ""));
    await page.waitForSelector('.chart-box[aria-label*="map of sixes and ones"]');
  }));

test("rolls without an end, and rules that are estimated, say so", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "3d6!");
    await page.waitForSelector("text=This rule has no end.");
    await page.click("text=Limits and options");
    await page.getByLabel("Time, in seconds").fill("0.5");
    await page.getByLabel("Rolls of an estimate").fill("300");
    await page.keyboard.press("Tab");
    await type(page, "repeat a=d100, b=d100, c=d100 while a+b+c < 3000 do a+d100, b+a%7, c+b%11 then a%13");
    await page.waitForSelector(".remark.estimate", { timeout: 30_000 });
  }));

test("very many values, very long numbers and very many rules stay readable", () =>
  onPage(async (page) => {
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    await answered(page);
    await type(page, "d200000");
    await headline(page, /mean 100000\.50/); // (1 + 200000) / 2
    await page.waitForSelector('.chart-box[aria-label*="Bars over the values"]');
    await type(page, "d6 * 10^400");
    await headline(page, /mean 350000…0000 \(401 digits\)/); // 3.5 times 10^400
    assert.equal(await isWide(), false);
    await type(page, Array.from({ length: 40 }, (_, index) => `r${index}: d6 + ${index}`).join("; "));
    await headline(page, /^40 rules$/);
    const table = await rows(page);
    assert.equal(table.length, 40);
    assert.deepEqual(table[39].slice(0, 2), ["r39", "42.50"]); // 3.5 + 39
    assert.equal(await isWide(), false);
  }));

test("each rule is compared in its own colour", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "plain: d20; twice: max(2#d20); worse: min(2#d20)");
    await headline(page, /worse 7\.18/);
    const colours = await page.$$eval(".segments", (all) => all.map((one) => [one.firstElementChild.style.background, one.lastElementChild.style.background]));
    assert.deepEqual(colours, [["var(--s1)", "var(--s2)"], ["var(--s1)", "var(--s3)"], ["var(--s2)", "var(--s3)"]]);
  }));

test("fractions are offered where a table has room for them", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, Array.from({ length: 15 }, (_, index) => `r${index}: d6 + ${index}`).join("; "));
    await headline(page, /^15 rules$/);
    assert.equal(await page.isVisible("#fractions"), false);
    await type(page, "2d6");
    await headline(page, /mean 7/);
    assert.equal(await page.isVisible("#fractions"), true);
  }));

test("a roll that never ends has a remark, and nothing empty below it", () =>
  onPage(async (page) => {
    await answered(page);
    await type(page, "repeat x = 0 while x < 1 do x * d6 then x");
    await page.waitForSelector(".remark:text-is('With a chance of 100% the roll never ends.')");
    assert.equal(await page.locator(".details, .picture img").count(), 0);
    assert.equal(await page.isVisible(".bar-of-views"), false);
  }));

test("a phone tells records apart, and keeps the names of rows in sight", () =>
  onPage(
    async (page) => {
      await answered(page);
      await type(page, "let x = 4#d6 in {hits: count >=5 x, ones: count ==1 x, total: sum x}");
      await page.waitForSelector("text=Each row names hits, ones and total, in this order.");
      await type(page, Array.from({ length: 8 }, (_, index) => `r${index}: d6 + ${index}`).join("; "));
      await headline(page, /^8 rules$/);
      const left = await page.$eval(".scroller", (scroller) => {
        scroller.scrollLeft = 200;
        return [scroller.scrollLeft, scroller.querySelector("tbody th").getBoundingClientRect().left - scroller.getBoundingClientRect().left];
      });
      assert.deepEqual(left, [200, 0]);
    },
    { viewport: PHONE },
  ));
