// The pages beside the calculator, which are loaded when they are opened.

import { h } from "../dom.ts";
import type { Client } from "../engine/client.ts";
import type { Question } from "../question.ts";
import { comingFrom } from "./coming-from.ts";
import { gamesPage } from "./games.ts";

export function showPage(parent: HTMLElement, name: string, engine: Client, open: (question: Question) => void): void {
  const pages: Record<string, () => HTMLElement> = {
    games: () => gamesPage(open),
    // What links of 2026 call this page.
    gallery: () => gamesPage(open),
    "coming-from": () => comingFrom(engine, open),
  };
  const page = pages[name]?.() ?? h("div", { class: "prose" }, h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: "#" }, "To the calculator")));
  parent.replaceChildren(page);
  const title = page.querySelector("h1");
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
