// Opens the page, a folder or one file, as a visitor would, types 4d6kh3, asks for 15 or more, and prints the headline once it has the
// chance: node release/page.mjs PAGE CHANCE

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { answered, end, headline, onPage, start, type } from "../web/tests/browser.mjs";

const [, , path = "", chance = ""] = process.argv;
const given = resolve(path);
const isFolder = statSync(given).isDirectory();
const server = await start(isFolder ? given : undefined);
try {
  await onPage(
    async (page) => {
      await answered(page);
      await type(page, "4d6kh3");
      await page.click("text=Ask for a chance");
      await page.fill(".chance-row input", "15");
      await headline(page, new RegExp(chance.replace(".", "\\.")));
      console.log((await page.innerText("#headline")).replace(/\s+/g, " "));
    },
    { address: isFolder ? server.address : pathToFileURL(given).href },
  );
} finally {
  await end();
}
