// Games and mechanics by their names, each with a rule and a figure of it.

import games from "virtual:games";
import { figure, percent } from "../answer/format.ts";
import { h } from "../dom.ts";
import { toLink } from "../link.ts";
import { type Question, questionOf } from "../question.ts";

/** A rule that opens in the calculator. */
export interface Game {
  /** The heading that it stands below. */
  kind: string;
  names: string;
  /** Other words that lead to it. */
  words: string;
  asked: string;
  question: Partial<Question>;
  /** Whether the figure is a chance, and not a mean. */
  isChance: boolean;
  value: number;
}

/** The words of a text, in small letters. */
const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}']+/u).filter((word) => word !== "");

export function gamesPage(open: (question: Question) => void): HTMLElement {
  const rows = games.map((game) => {
    const question = questionOf(game.question);
    const link = h("a", { class: "game-link", href: `#${toLink(question)}` }, game.names);
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(question);
    });
    const answer = game.isChance ? percent(game.value) : `mean ${figure(game.value)}`;
    const element = h("li", { class: "game" }, h("h3", {}, link), h("b", {}, answer), h("p", {}, game.asked), h("code", {}, question.text));
    return { kind: game.kind, element, words: wordsOf(`${game.names} ${game.words} ${game.asked}`) };
  });
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const sections = kinds.map((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    return { own, element: h("section", {}, h("h2", {}, kind), h("ul", { class: "games" }, ...own.map((row) => row.element))) };
  });
  const count = h("p", { class: "soft", role: "status" });
  const find = h("input", { type: "search", id: "find-game", placeholder: "yahtzee, advantage, bag …" });
  const show = () => {
    const asked = wordsOf(find.value);
    let shown = 0;
    for (const { own, element } of sections) {
      for (const row of own) row.element.hidden = !asked.every((word) => row.words.some((one) => one.startsWith(word)));
      const some = own.filter((row) => !row.element.hidden).length;
      element.hidden = some === 0;
      shown += some;
    }
    count.textContent = `${shown} of ${rows.length}`;
  };
  find.addEventListener("input", show);
  show();
  const lead = "Each has a rule in its shortest form and one figure. A name opens it in the calculator, where everything can be changed.";
  return h("div", { class: "wide" }, h("h1", {}, "Games"), h("p", { class: "lead" }, lead), h("div", { class: "find" }, h("label", { for: "find-game" }, "Find a game or a mechanic"), find, count), ...sections.map((section) => section.element));
}
