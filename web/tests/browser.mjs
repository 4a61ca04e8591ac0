// A browser for the tests. An error on the console, or a breach of the page's policy, fails the test that sees it.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

let browser;
let server;

export async function start(folder) {
  server = await serve(typeof folder === "string" ? folder : undefined);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-precise-memory-info"] });
  return server;
}

export async function end() {
  await browser?.close();
  server?.server.closeAllConnections();
  await server?.close();
}

/** Runs a test on a new page, in a browser without memory. */
export async function onPage(run, { viewport = DESKTOP, colorScheme = "light", hash = "", address = server.address, allowed = [], ...options } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const complaints = [];
  const complain = (text) => {
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complain(message.text());
  });
  page.on("pageerror", (error) => complain(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address.split("#")[0]) && !/^(blob|data|file):/.test(url)) complain(`a request to ${url}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  try {
    await page.goto(address + hash);
    await run(page, context);
  } finally {
    await context.close();
  }
  assert.deepEqual(complaints, []);
}

/** Waits for an answer that is drawn. */
export async function answered(page, { timeout = 20_000 } = {}) {
  await page.waitForSelector(".result:not([hidden]) #headline :first-child", { timeout });
}

/** Puts a text into the editor, as if typed. */
export async function type(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** The headline, as soon as it matches. */
export async function headline(page, pattern, timeout = 20_000) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector(".result:not([hidden]) #headline")?.innerText.replace(/\s+/g, " ") ?? ""),
    pattern.source,
    { timeout },
  );
}

/** The rows of the first table: cells as texts. */
export const rows = (page, table = ".tables table") =>
  page.$eval(table, (element) => [...element.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.innerText.trim().replace(/\s+/g, " "))));
