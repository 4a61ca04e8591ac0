// The games and mechanics of the crate as a list for the page: `virtual:games`. Their source stays in src/games.tsv.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { Game } from "../src/pages/games.ts";
import type { Asked } from "../src/question.ts";

const NAME = "virtual:games";

/** A fraction, or `~` and decimals, as a number. */
function valueOf(figure: string): number {
  const [top = "", bottom = "1"] = figure.replace("~", "").split("/");
  return Number(top) / Number(bottom);
}

/** All games: a line of the table is a heading, or the names, other words, what is asked, the rule, the question and the figure. */
export function gamesOf(table: string): Game[] {
  let kind = "";
  return table.split("\n").flatMap((line): Game[] => {
    if (line.startsWith("# ")) kind = line.slice(2);
    const [names = "", words = "", asked = "", text = "", option = "", figure = ""] = line.split("\t");
    if (text === "") return [];
    const [, query, value = ""] = option.match(/^(\S+) (.+)$/) ?? [];
    const question = query ? { text, asked: [{ kind: query as Asked["kind"], text: value }] } : { text };
    return [{ kind, names, words, asked, question, isChance: query !== undefined, value: valueOf(figure) }];
  });
}

export function games(): Plugin {
  return {
    name: "games",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const table = readFileSync(join(import.meta.dirname, "..", "..", "src", "games.tsv"), "utf8");
      return `export default ${JSON.stringify(gamesOf(table))};`;
    },
  };
}
