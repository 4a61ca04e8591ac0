// The page: one question, its answer, and the address that holds it.

import { newAnswer } from "./answer/answer.ts";
import { newAsking } from "./asking/asking.ts";
import { FIRST } from "./asking/starters.ts";
import { byId, h } from "./dom.ts";
import { BrokeDown, Client, GivenUp, Refused } from "./engine/client.ts";
import { compiled, rest } from "./engine/module.ts";
import type { Finding, Progress, Reading } from "./engine/protocol.ts";
import { fromLink, toLink } from "./link.ts";
import { begun, Malformed, type Question, questionOf, substance } from "./question.ts";
import { newThemeSwitch } from "./theme.ts";

/** The pause after a change before the engine is asked, in milliseconds. */
const PAUSE = 150;

/** How long an answer may take before its progress is shown, in milliseconds. */
const PATIENCE = 300;

const module = compiled();
const engine = new Client(module, rest?.address ?? null);
const reader = new Client(module, rest?.address ?? null);

let question: Question = questionOf(FIRST);
/** What the free names of its text begin with. */
let beginnings: Record<string, string> = {};
let timer: ReturnType<typeof setTimeout> | undefined;
let patience: ReturnType<typeof setTimeout> | undefined;
let asked = 0;
let isComplete = false;

/** The rest of the engine comes after the first answer, in quiet. */
function complete(): void {
  if (isComplete) return;
  isComplete = true;
  if (!rest) return;
  const come = async () => {
    try {
      const module = await rest?.compiled();
      for (const client of [engine, reader]) if (module) client.give(module);
      performance.mark("complete");
    } catch {
      // A question that needs the rest asks for it once more.
    }
  };
  setTimeout(() => void come(), 1500);
}

/** In a frame of another page only the answer is shown. */
if (new URLSearchParams(location.search).has("embed")) document.documentElement.dataset["embed"] = "";

byId("tools").append(newThemeSwitch());

const notice = byId("notice");

function tell(message: string | null, detail = ""): void {
  notice.replaceChildren();
  if (!message) return;
  const close = h("button", { type: "button", class: "small" }, "Close");
  close.addEventListener("click", () => notice.replaceChildren());
  notice.append(h("div", { class: "notice" }, h("p", {}, h("b", {}, message), detail ? ` ${detail}` : ""), close));
}

const asking = newAsking(byId("asking"), question, {
  reader,
  change: (fields, isMoving) => change(fields, isMoving),
  open: (other) => open(other),
});
const panel = newAnswer(byId("answer"), {
  engine,
  question: () => whole(question),
  change: (fields) => change(fields),
  stop: () => stop(),
});

/** A question with a value for each free name. */
function whole(asked: Question): Question {
  return { ...asked, values: { ...beginnings, ...asked.values } };
}

/** A change by the visitor: the address follows at once, the answer after a pause, or at once if something moves. */
function change(fields: Partial<Question>, isMoving = false): void {
  const before = substance(question);
  question = { ...question, ...fields };
  history.replaceState(null, "", address(question));
  // The view and the title matter to the downloads, which the engine writes: it answers again, unseen.
  if (substance(question) === before) panel.again(question);
  else panel.wait();
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), isMoving && !engine.isBusy ? 0 : PAUSE);
}

/** Another question, as a new entry of the history. */
function open(other: Question): void {
  const link = toLink(other);
  history.pushState(null, "", `#${link}`);
  show(other);
  window.scrollTo(0, 0);
  // On a phone the focus would bring a keyboard that nobody asked for.
  if (matchMedia("(pointer: fine)").matches) asking.editor.focus();
}

function show(other: Question): void {
  question = other;
  tell(null);
  asking.show(other);
  clearTimeout(timer);
  void ask();
}

function address(asked: Question): string {
  const link = toLink(asked);
  return link === "" ? `${location.pathname}${location.search}#` : `#${link}`;
}

async function ask(): Promise<void> {
  const turn = ++asked;
  const mine = structuredClone(question);
  clearTimeout(patience);
  if (mine.text.trim() === "") {
    if (engine.isBusy) engine.stop();
    asking.findings([]);
    asking.read({ dialect: null, rules: [], names: [], findings: [] }, mine);
    panel.empty(h("p", { class: "empty" }, "Write a rule, or try one of those below the editor."));
    return;
  }
  // Both engines work at the same time, so that nobody waits for the sum of both.
  const reading = read(mine, turn);
  patience = setTimeout(() => {
    if (turn === asked) panel.working(null, mine);
  }, PATIENCE);
  const started = performance.now();
  const progress = (how: Progress) => {
    if (turn === asked && performance.now() - started > PATIENCE) panel.working(how, mine);
  };
  try {
    let answer = await engine.answer(engineQuestion(mine), progress);
    const remarks = await reading;
    if (turn !== asked) return;
    // A name that may only be a slip has a correction, and no value.
    beginnings = remarks && !answer.findings.some((finding) => finding.severity === "error" && finding.correction) ? begun(mine, remarks) : {};
    if (Object.keys(beginnings).length > 0) answer = await engine.answer(engineQuestion(whole(mine)), progress);
    clearTimeout(patience);
    if (turn !== asked) return;
    if (!isComplete) performance.mark("first-answer");
    complete();
    asking.findings(merged(answer.findings, remarks));
    if (answer.view.rules.length === 0) stale(answer.findings);
    else panel.show(answer, mine);
  } catch (error) {
    clearTimeout(patience);
    if (error instanceof GivenUp || turn !== asked) return;
    if (error instanceof Refused) {
      const finding: Finding = { severity: "error", message: error.message, label: null, from: null, to: null, notes: [], help: null, correction: null, remedies: [], probability: null, rule: null };
      asking.findings([finding, ...((await reading)?.findings ?? [])]);
      stale([finding]);
    } else broken(error as Error);
  }
}

/** Reads the text for the editor. `null` if that is no longer wanted, or cannot be done. */
async function read(mine: Question, turn: number): Promise<Reading | null> {
  try {
    const found = await reader.read(engineQuestion(mine));
    if (turn !== asked) return null;
    // What was changed since then stays: a slider that still moves is not set back.
    asking.read(found, question);
    return found;
  } catch {
    // The engine that answers says what is wrong.
    return null;
  }
}

/** The question as the engine takes it: without fields that are still empty. */
function engineQuestion(asked: Question): string {
  const values = Object.fromEntries(Object.entries(asked.values).filter(([, value]) => value.trim() !== ""));
  return JSON.stringify({ ...asked, values, asked: asked.asked.filter((one) => one.text.trim() !== "") });
}

/** The findings of an answer, and remarks of the reading that it lacks. */
function merged(findings: Finding[], read: Reading | null): Finding[] {
  const known = new Set(findings.map((finding) => finding.message));
  return [...findings, ...(read?.findings ?? []).filter((finding) => finding.severity !== "error" && !known.has(finding.message))];
}

function stale(findings: Finding[]): void {
  const [first] = findings.filter((finding) => finding.severity === "error");
  const name = first?.remedies.find((remedy) => remedy.kind === "value")?.name;
  const isLimit = first?.remedies.some((remedy) => remedy.kind === "limit") ?? false;
  const message = name ? `Give ${name} a value to see the answer.` : isLimit ? "This takes more than its limits allow. Ask for less, or raise the limit below the rules." : "No answer yet. What must change stands below the rules.";
  clearTimeout(patience);
  panel.outdate(message);
}

function broken(error: Error): void {
  const messages = {
    memory: "The browser has no more memory for this rule. Ask for less, or lower the limit of memory under Limits and options.",
    depth: "This rule is nested too deeply for the browser. The command dicedist can answer it.",
  };
  const message = error instanceof BrokeDown ? messages[error.why] : `The engine cannot start: ${error.message}. Load the page again.`;
  panel.empty(h("p", { class: "empty", role: "alert" }, message));
}

function stop(): void {
  asked += 1;
  clearTimeout(patience);
  engine.stop();
  const again = h("button", { type: "button", class: "primary" }, "Ask again");
  again.addEventListener("click", () => void ask());
  panel.empty(h("div", { class: "empty" }, h("p", {}, "Stopped. Its memory is free again."), again));
  again.focus();
}

/** Shows what the address says: a page, a question, or the first example. */
function route(): void {
  const hash = location.hash.slice(1);
  const isPage = hash.startsWith("/");
  byId("calculator").hidden = isPage;
  const page = byId("page");
  page.hidden = !isPage;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    const isHere = isPage ? `#${hash}` === link.getAttribute("href") : link.dataset["page"] === "calculator";
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (isPage) {
    void import("./pages/pages.ts").then(({ showPage }) => showPage(page, hash.slice(1), reader, (other) => location.assign(`#${toLink(other)}`)));
    document.title = "dicedist";
    return;
  }
  page.replaceChildren();
  if (hash === "") {
    show(questionOf(FIRST));
    return;
  }
  try {
    show(fromLink(hash));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    show(questionOf(FIRST));
    tell("This link holds no question.", `${error.message.replace(/^./, (letter) => letter.toUpperCase())}. An example is shown instead.`);
  }
}

/** For scripts and tests in this page: an answer, and the report as the command prints it. */
Object.assign(globalThis, {
  dicedist: {
    answer: async (fields: Partial<Question>) => engine.answer(JSON.stringify(questionOf(fields)), () => undefined),
    report: async () => engine.write("json"),
  },
});

// Also of a click on a link within the page.
window.addEventListener("popstate", route);
route();

if ("serviceWorker" in navigator && import.meta.env.PROD && location.protocol !== "file:") {
  // After the first answer: until then the network is for that.
  const register = () => void navigator.serviceWorker.register("./service-worker.js").catch(() => undefined);
  window.addEventListener("load", () => setTimeout(register, 1000));
}
