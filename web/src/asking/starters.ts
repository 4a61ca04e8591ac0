// Questions to begin with.

import type { Question } from "../question.ts";

export const STARTERS: { name: string; question: Partial<Question> }[] = [
  { name: "Ability scores", question: { text: "heroic: 4d6kh3\nclassic: 3d6" } },
  { name: "Advantage", question: { text: "plain: d20\nadvantage: max(2#d20)\nbonus of 3: d20 + 3", view: "at-least" } },
  { name: "Do I hit?", question: { text: "d20 + 7 >= 16" } },
  { name: "Dice pool", question: { text: "count >=8 n#d10", values: { n: "1..10" }, asked: [{ kind: "at-least", text: "2" }, { kind: "at-least", text: "4" }] } },
  { name: "Exploding dice", question: { text: "3d6!", asked: [{ kind: "at-least", text: "15" }] } },
  { name: "Hits and complications", question: { text: "let x = 7#d10 in {hits: count >=8 x, ones: count ==1 x}", asked: [{ kind: "chance", text: "hits >= 3 and ones == 0" }] } },
  { name: "Results in words", question: { text: 'case d20 + 4 {..5: "fumble", 6..14: "miss", 15..23: "hit", 24: "crit"}' } },
  { name: "A duel", question: { text: "I win: repeat hp = 20, foe = 24 while hp > 0 and foe > 0 do hp - d6, foe - d8 then hp > 0" } },
];

/** What the page shows when it is opened without a question. */
export const FIRST: Partial<Question> = STARTERS[0]?.question ?? {};
