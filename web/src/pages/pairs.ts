// The same questions in the words of other tools and in Bones.

import type { Question } from "../question.ts";

export interface Pair {
  title: string;
  words: string;
  theirs: Partial<Question>;
  ours: Partial<Question>;
}

export interface Chapter {
  id: string;
  title: string;
  about: string;
  theirs: string;
  pairs: Pair[];
}

const anydice = (text: string): Partial<Question> => ({ text, dialect: "anydice" });
const tabletop = (text: string): Partial<Question> => ({ text, dialect: "tabletop" });
const bones = (text: string): Partial<Question> => ({ text });

export const CHAPTERS: Chapter[] = [
  {
    id: "anydice",
    title: "Coming from AnyDice",
    about: "Programs of anydice.com run here as they are: paste one. Nothing ends after five seconds, answers are fractions, and a link holds the whole program. Beside each program stands the same question in Bones.",
    theirs: "AnyDice",
    pairs: [
      { title: "Keep the highest", words: "Four dice, of which three count.", theirs: anydice("output [highest 3 of 4d6]"), ours: bones("sum(high 3 4#d6)") },
      { title: "Count successes", words: "Dice of a pool that show enough.", theirs: anydice("output [count {8..10} in 7d10]"), ours: bones("count >=8 7#d10") },
      { title: "Explode", words: "AnyDice stops after two explosions; Bones goes on as long as the dice do.", theirs: anydice("output [explode d6]"), ours: bones("sum(while x=d6 do ((count ==6 x)#d6))") },
      { title: "A function", words: "Ones are rolled again, once.", theirs: anydice("function: again X:n {\n  if X = 1 { result: d6 }\n  result: X\n}\noutput [again d6] + [again d6]"), ours: bones("sum(foreach x in 2#d6 do if x == 1 then d6 else x)") },
      { title: "Against each other", words: "Is the first higher?", theirs: anydice("output 2d6 > d12"), ours: bones("sum(2#d6) > d12") },
      { title: "A loop", words: "One result for each number of dice.", theirs: anydice('loop N over {1..4} {\n  output [highest 1 of Nd20] named "[N] dice"\n}'), ours: { text: "max(n#d20)", values: { n: "1..4" } } },
    ],
  },
  {
    id: "tables",
    title: "Coming from a virtual table",
    about: "Rolls of Roll20, Foundry and Avrae are read as they are typed there. Here they give the chance of every result, and not one of them.",
    theirs: "Virtual table",
    pairs: [
      { title: "Ability scores", words: "Drop the lowest of four.", theirs: tabletop("4d6kh3"), ours: bones("sum(drop low 1 4#d6)") },
      { title: "Advantage", words: "The higher of two, and a bonus.", theirs: tabletop("2d20kh1+5"), ours: bones("max(2#d20) + 5") },
      { title: "Do I hit?", words: "An attack against armour class 16.", theirs: tabletop("1d20+7>=16"), ours: bones("d20 + 7 >= 16") },
      { title: "Great weapons", words: "Ones and twos are rolled again, once.", theirs: tabletop("2d6ro<=2+4"), ours: bones("sum(foreach x in 2#d6 do if x <= 2 then d6 else x) + 4") },
      { title: "Exploding dice", words: "Each six adds another die, without end.", theirs: tabletop("3d6!"), ours: bones("sum(3#sum(while x=d6 do ((count ==6 x)#d6)))") },
      { title: "A pool", words: "Ten-sided dice that count from eight on.", theirs: tabletop("8d10>=8"), ours: bones("count >=8 8#d10") },
    ],
  },
];
