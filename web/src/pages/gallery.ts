// House rules of many games as cards.

import cards from "virtual:gallery";
import { h } from "../dom.ts";
import { toLink } from "../link.ts";
import { type Question, questionOf } from "../question.ts";

export function gallery(open: (question: Question) => void): HTMLElement {
  const list = cards.map((card) => {
    const question = questionOf(card.question);
    const link = h("a", { class: "card-link", href: `#${toLink(question)}` }, card.title);
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(question);
    });
    const address = URL.createObjectURL(new Blob([card.picture], { type: "image/svg+xml" }));
    const image = h("img", { src: address, alt: "", loading: "lazy", width: "800", height: "450" });
    image.addEventListener("load", () => URL.revokeObjectURL(address));
    return h("li", { class: "card" }, h("div", { class: "card-picture" }, image), h("div", { class: "card-words" }, h("h2", {}, link), card.about ? h("p", {}, card.about) : null));
  });
  return h("div", { class: "wide" }, h("h1", {}, "Gallery"), h("p", { class: "lead" }, "Questions that games have raised, each with its answer. A card opens in the calculator, where everything can be changed."), h("ul", { class: "cards" }, ...list));
}
