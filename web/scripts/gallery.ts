// The house rules of the repository as cards: `virtual:gallery`. Their source stays in examples/.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";
import type { Card } from "../src/pages/card.ts";
import type { Asked, Question } from "../src/question.ts";
import { thumbnail } from "./thumbnail.ts";

const NAME = "virtual:gallery";
const repository = join(import.meta.dirname, "..", "..");

/** The words of a command line, of which some are in quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

/** What the options of the example's command ask. */
function asks(command: string): Partial<Question> {
  const given = words(command);
  const values: Record<string, string> = {};
  const asked: Asked[] = [];
  const question: Partial<Question> = {};
  for (let index = 0; index < given.length; index += 1) {
    const option = given[index] ?? "";
    const next = given[index + 1] ?? "";
    if (option === "--set") {
      const [name = "", value = ""] = next.split("=");
      values[name] = value;
    } else if (option === "--at-least" || option === "--at-most" || option === "--exactly" || option === "--chance") {
      asked.push({ kind: option.slice(2) as Asked["kind"], text: next });
    } else if (option === "--tolerance") {
      question.tolerance = next;
    } else if (option === "--view") {
      for (const view of next.split(",")) {
        if (view === "at-least" || view === "at-most") question.view = view;
        if (view === "transposed" || view === "summary") question.layout = view;
      }
    }
  }
  if (Object.keys(values).length > 0) question.values = values;
  if (asked.length > 0) question.asked = asked;
  return question;
}

/** The card of a file: its first comments are the command, the question, and more about it. */
export function cardOf(path: string): Card {
  const lines = readFileSync(path, "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  const comments = lines.slice(0, end).map((line) => line.replace(/^\/\/\s?/, ""));
  const command = comments.find((line) => line.startsWith("dicedist")) ?? "";
  const about = comments.filter((line) => line !== command).join(" ").trim();
  const cut = about.search(/[?.:]\s|[?.]$/);
  const title = cut < 0 ? about : about.slice(0, about[cut] === "?" ? cut + 1 : cut);
  const id = basename(path).replace(/\..*/, "");
  const text = lines.slice(end).join("\n").trim();
  return { id, title: title.trim(), about: about.slice(title.length).replace(/^[.:]?\s*/, "").replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), question: { text, ...asks(command) } };
}

/** The pictures of the cards are those of the documentation, without their words. */
function pictureOf(id: string): string {
  return thumbnail(readFileSync(join(repository, "plots", `${id}.svg`), "utf8"));
}

export function gallery(): Plugin {
  return {
    name: "gallery",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const folder = join(repository, "examples", "house_rules");
      const cards = readdirSync(folder)
        .filter((name) => name.endsWith(".bones"))
        .sort()
        .map((name) => cardOf(join(folder, name)))
        .map((card) => ({ ...card, picture: pictureOf(card.id) }));
      return `export default ${JSON.stringify(cards)};`;
    },
  };
}
