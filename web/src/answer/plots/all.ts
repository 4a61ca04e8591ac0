// The chart of an answer. This file is loaded with the plotting library, when the first chart is needed.

import type { ReportView } from "../../engine/report.ts";
import { areNumbers, sweepOf } from "../series.ts";
import { categories } from "./categories.ts";
import { bulkOf, type Drawn, stepOf, type Task } from "./common.ts";
import { curves } from "./curves.ts";
import { heat, MOST_VALUES } from "./heat.ts";
import { kindOf, MOST_HISTOGRAMS } from "./kinds.ts";
import { cells, histograms, ranges } from "./rows.ts";
import { sweep } from "./sweep.ts";

export function draw(report: ReportView, task: Task): Drawn | null {
  const { rules, question } = task;
  const first = rules[0];
  if (!first) return null;
  if (areNumbers(rules) && rules.some((rule) => (rule.numbers?.length ?? 0) > 0)) {
    if (rules.every((rule) => rule.kind === "condition") && question.layout === "normal" && !sweepOf(report)) return categories(task);
    if (question.layout === "summary") return ranges(task);
    if (question.layout === "transposed") return cells(task);
    const over = sweepOf(report);
    const isAsked = first.chances.length > 0;
    if (over && (isAsked || rules.length > MOST_HISTOGRAMS)) return sweep(task, over);
    const [low, high] = bulkOf(rules);
    const kind = kindOf(rules.length, Math.round((high - low) / stepOf(rules)) + 1, question.view === "exactly", over !== null);
    return kind === "cells" ? cells(task) : kind === "histograms" ? histograms(task) : curves(task);
  }
  const over = sweepOf(report);
  if (over && first.chances.length > 0 && rules.length > 2) return sweep(task, over);
  if (rules.length === 1 && first.cells && first.parts?.length === 2) {
    const values = (part: number) => new Set(first.cells?.map((cell) => cell[part])).size;
    if (values(0) <= MOST_VALUES && values(1) <= MOST_VALUES) return heat(task);
  }
  if (rules.every((rule) => rule.labels.length === 0)) return null;
  return rules.length <= 6 ? categories(task) : null;
}
