// The chart with what is read from it: by a pointer, or by the arrow keys and a live region.

import type { ReportView } from "../engine/report.ts";
import { h } from "../dom.ts";
import type { Question } from "../question.ts";
import type { Drawn, Point } from "./plots/common.ts";

const SPACE = "http://www.w3.org/2000/svg";

const HINT = matchMedia("(pointer: coarse)").matches ? "Touch the chart to read a value." : "Point at the chart, or focus it and use the arrow keys.";

export interface Chart {
  element: HTMLElement;
  show(report: ReportView, question: Question): Promise<boolean>;
}

export function newChart(): Chart {
  const canvas = h("div", { class: "canvas" });
  const readout = h("p", { class: "readout", "aria-live": "polite", id: "readout" });
  const legend = h("ul", { class: "legend" });
  const note = h("p", { class: "note" });
  const hint = h("p", { class: "visually-hidden", id: "chart-keys" }, "Left and right arrow keys read the values one by one; Home and End go to the ends.");
  const box = h("div", { class: "chart-box", tabindex: "0", role: "group", "aria-roledescription": "chart", "aria-label": "Chart", "aria-describedby": "chart-keys" }, canvas);
  const element = h("figure", { class: "chart" }, legend, box, readout, note, hint);
  let drawn: Drawn | null = null;
  let marker: SVGGElement | null = null;
  let place = -1;
  let last: { report: ReportView; question: Question } | null = null;

  const tell = (index: number) => {
    if (!drawn || drawn.points.length === 0) return;
    place = Math.max(0, Math.min(index, drawn.points.length - 1));
    const point = drawn.points[place];
    if (!point) return;
    readout.replaceChildren(...said(point));
    mark(point);
  };
  const mark = (point: Point) => {
    if (!drawn || !marker) return;
    const own: SVGElement[] = [];
    if (point.y === undefined) own.push(shape("line", { x1: point.x, x2: point.x, y1: drawn.from, y2: drawn.to, class: "marker-line" }));
    else if (drawn.from < drawn.to && point.x === drawn.from) own.push(shape("rect", { x: 2, y: point.y - 13, width: Math.max(0, drawn.to + 60), height: 26, rx: 5, class: "marker-row" }));
    else own.push(shape("circle", { cx: point.x, cy: point.y, r: 9, class: "marker-ring" }));
    for (const item of point.items) {
      if (item.y !== undefined && Number.isFinite(item.y)) own.push(shape("circle", { cx: point.x, cy: item.y, r: 5, class: "marker-dot" }));
    }
    marker.replaceChildren(...own);
  };
  const clear = () => {
    place = -1;
    marker?.replaceChildren();
    readout.replaceChildren(h("span", { class: "soft" }, HINT));
  };

  box.addEventListener("keydown", (event) => {
    if (!drawn) return;
    const ends: Record<string, number> = { ArrowRight: place + 1, ArrowDown: place + 1, ArrowLeft: place < 0 ? drawn.points.length - 1 : place - 1, ArrowUp: place - 1, Home: 0, End: drawn.points.length - 1, PageDown: place + 10, PageUp: place - 10 };
    const to = ends[event.key];
    if (event.key === "Escape") clear();
    if (to === undefined) return;
    event.preventDefault();
    tell(to);
  });
  const point = (event: PointerEvent) => {
    const svg = canvas.querySelector("svg");
    if (!drawn || !svg) return;
    const bounds = svg.getBoundingClientRect();
    const scale = Number(svg.getAttribute("width")) / bounds.width;
    const at = { x: (event.clientX - bounds.left) * scale, y: (event.clientY - bounds.top) * scale };
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    drawn.points.forEach((point, index) => {
      const [dx, dy] = [at.x - point.x, point.y === undefined ? 0 : at.y - point.y];
      const far = point.y !== undefined && drawn && point.x === drawn.from ? Math.abs(dy) : Math.hypot(dx, dy);
      if (far < least) [best, least] = [index, far];
    });
    if (best >= 0 && best !== place) {
      readout.setAttribute("aria-live", "off");
      tell(best);
      readout.setAttribute("aria-live", "polite");
    }
  };
  canvas.addEventListener("pointermove", point);
  // A finger that only touches does not move.
  canvas.addEventListener("pointerdown", point);
  box.addEventListener("focus", () => {
    if (place < 0 && box.matches(":focus-visible")) tell(middle(drawn));
  });

  const redraw = async (): Promise<boolean> => {
    if (!last) return false;
    const asked = last;
    const { draw } = await import("./plots/all.ts");
    if (asked !== last) return true;
    const width = Math.max(260, Math.floor(box.clientWidth || 640));
    const task = { rules: asked.report.rules, question: asked.question, width, digits: asked.question.digits ?? 2 };
    drawn = draw(asked.report, task);
    if (!drawn) return false;
    const { svg } = drawn;
    svg.setAttribute("aria-hidden", "true");
    marker = shape("g", {}) as SVGGElement;
    (svg.querySelector("svg") ?? svg).append(marker);
    canvas.replaceChildren(svg);
    box.setAttribute("aria-label", `Chart. ${drawn.summary}`);
    legend.replaceChildren(...drawn.legend.map(({ name, colour, dash }) => h("li", {}, h("span", { class: dash ? "swatch dashed" : "swatch", style: { "--swatch": colour } }), name)));
    legend.hidden = drawn.legend.length === 0;
    note.textContent = drawn.note ?? "";
    note.hidden = !drawn.note;
    const before = place;
    clear();
    if (before >= 0 && box.contains(document.activeElement)) tell(before);
    return true;
  };
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) < 2) return;
    width = box.clientWidth;
    if (last && width > 0) void redraw();
  }).observe(box);
  clear();
  return {
    element,
    show(report, question) {
      last = { report, question };
      return redraw();
    },
  };
}

function said(point: Point): Node[] {
  const nodes: Node[] = [h("strong", {}, point.title)];
  for (const { name, text, colour } of point.items) {
    nodes.push(
      h("span", { class: "reading" }, colour && h("span", { class: "swatch", style: { "--swatch": colour } }), colour && name ? `${name} ` : name && !colour ? `${name} ` : "", h("b", {}, text)),
    );
  }
  return nodes;
}

function middle(drawn: Drawn | null): number {
  return drawn ? Math.floor(drawn.points.length / 2) : 0;
}

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
