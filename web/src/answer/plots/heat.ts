// Records of two numbers: a map of both, in a stronger colour where it is more likely.

import { axisX, axisY, cell, plot, text } from "@observablehq/plot";
import { figure, percent } from "../format.ts";
import { type Drawn, greatestOf, leastOf, LOOK, type Task } from "./common.ts";

/** The colour of a number on a field of this strength, so that it can be read in light and in dark. */
const inkOn = (strength: number) => (strength > 0.93 ? "var(--on-strong)" : strength > 0.6 ? "var(--on-middle)" : "var(--on-weak)");

/** The most values of a part. */
export const MOST_VALUES = 40;

export function heat({ rules, width, digits }: Task): Drawn {
  const rule = rules[0];
  const [across = "", down = ""] = rule?.parts ?? [];
  const data = (rule?.cells ?? []).map(([x = 0, y = 0], index) => ({ x, y, share: rule?.decimals[index] ?? 0, isAsked: rule?.holds?.[index] ?? false }));
  const range = (all: number[]) => {
    const [low, high] = [leastOf(all), greatestOf(all)];
    return high - low < MOST_VALUES ? Array.from({ length: high - low + 1 }, (_, index) => low + index) : [...new Set(all)].sort((a, b) => a - b);
  };
  const xs = range(data.map((one) => one.x));
  const ys = range(data.map((one) => one.y));
  const size = Math.min(64, Math.max(14, (width - 80) / xs.length));
  const chartWidth = Math.min(width, xs.length * size + 80);
  const height = ys.length * Math.min(size, 38) + 76;
  const most = greatestOf(data.map((one) => one.share));
  const isRoomy = size >= 40;
  const drawn = plot({
    ...LOOK,
    marginLeft: 56,
    marginTop: 8,
    marginBottom: 46,
    width: chartWidth,
    height,
    padding: 0.06,
    x: { domain: xs, label: across, labelAnchor: "center", labelArrow: "none" },
    y: { domain: ys, reverse: true, label: down, labelAnchor: "center", labelArrow: "none" },
    marks: [
      axisX({ tickSize: 0, label: across, labelAnchor: "center", labelArrow: "none", fill: "var(--soft)" }),
      axisY({ tickSize: 0, label: down, labelAnchor: "center", labelArrow: "none", fill: "var(--soft)" }),
      cell(xs.flatMap((x) => ys.map((y) => ({ x, y }))), { x: "x", y: "y", fill: "var(--grid)", fillOpacity: 0.5, rx: 3 }),
      cell(data, { x: "x", y: "y", fill: "var(--s1)", fillOpacity: (one: { share: number }) => 0.08 + 0.92 * (one.share / most), rx: 3 }),
      cell(data.filter((one) => one.isAsked), { x: "x", y: "y", stroke: "var(--ink)", strokeWidth: 1.5, rx: 3 }),
      ...(isRoomy
        ? [text(data, { x: "x", y: "y", text: (one: { share: number }) => (one.share < 0.0005 ? "<0.1" : percent(one.share, 1).replace("%", "")), fill: (one: { share: number }) => inkOn(one.share / most), fontSize: 11 })]
        : []),
    ],
  });
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  const points = data.map((one) => ({
    x: Number(x?.apply(one.x)) + (x?.bandwidth ?? 0) / 2,
    y: Number(y?.apply(one.y)) + (y?.bandwidth ?? 0) / 2,
    title: `${across} ${figure(one.x)}, ${down} ${figure(one.y)}`,
    items: [{ name: "", text: percent(one.share, digits), colour: null }],
  }));
  const notes = [isRoomy ? "The numbers are chances in percent." : "", rule?.holds ? "Outlined: what is asked." : ""].filter(Boolean);
  return { svg: drawn, points, from: 8, to: height - 46, legend: [], summary: `A map of ${across} and ${down}.`, ...(notes.length > 0 ? { note: notes.join(" ") } : {}) };
}
