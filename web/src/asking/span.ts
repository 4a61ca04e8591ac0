// A slider with two ends, for a range of whole numbers. Both ends at one place are one number.

import { h } from "../dom.ts";

export interface Span {
  element: HTMLElement;
  /** Shows the values of a text where they are one number or one range, and hides the slider where they are a list. */
  show(text: string, keepsRoom: boolean): void;
}

/** One number, or a range without steps. */
const RANGE = /^(-?\d{1,6})(?:\s*\.\.\s*(-?\d{1,6}))?$/;

export function newSpan(name: string, changed: (text: string) => void): Span {
  const end = (which: string) => h("input", { type: "range", class: "slider", "aria-label": `${name}, ${which} end`, step: "1" });
  // Each may pass the other, so that none is caught behind it.
  const ends = [end("one"), end("other")];
  const element = h("div", { class: "span" }, h("span", { class: "span-line" }), ...ends);
  const places = () => ends.map((input) => Number(input.value)).sort((a, b) => a - b);
  const paint = () => {
    const [low = 0, high = 0] = places();
    const [least, most] = [Number(ends[0]?.min), Number(ends[0]?.max)];
    const share = (value: number) => String((value - least) / Math.max(1, most - least));
    element.style.setProperty("--low", share(low));
    element.style.setProperty("--high", share(high));
  };
  for (const input of ends) {
    input.addEventListener("input", () => {
      const [low, high] = places();
      paint();
      changed(low === high ? `${low}` : `${low}..${high}`);
    });
  }
  return {
    element,
    show(text, keepsRoom) {
      const found = RANGE.exec(text.trim());
      const [first, last] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])];
      element.hidden = !found || first > last;
      if (element.hidden) return;
      // Some room on both sides.
      const least = first < 0 ? Math.min(-10, first * 2) : first === 0 ? -5 : 0;
      const most = Math.max(10, Math.abs(last) * 2);
      const isSame = places().join() === [first, last].join();
      for (const [index, input] of ends.entries()) {
        if (!keepsRoom) [input.min, input.max] = [String(least), String(most)];
        if (!isSame || !keepsRoom) input.value = String(index === 0 ? first : last);
      }
      paint();
    },
  };
}
