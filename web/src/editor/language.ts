// Highlighting of rules: one small tokenizer for all notations, with the words of each.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

const BONES = "and case compare count def distinct div do draw drop else first for foreach given high if in keep last let low max min mod not of or perm prod rank repeat reroll rev sort sum then until while without abs best by from";
const ANYDICE = "output named function result loop over if else set to of highest lowest middle explode count in is contains absolute reverse sort maximum";
const TABLETOP = "max min floor ceil round abs roll";

const WORDS: Record<string, Set<string>> = {
  bones: new Set(BONES.split(" ")),
  dicelab: new Set(BONES.split(" ")),
  anydice: new Set(ANYDICE.split(" ")),
  tabletop: new Set(TABLETOP.split(" ")),
};

/** Highlighting for a notation. */
export function highlighting(dialect: string): Extension {
  const words = WORDS[dialect] ?? new Set<string>();
  const isProgram = dialect === "anydice";
  return StreamLanguage.define<{ isComment: boolean; isBegun: boolean }>({
    name: dialect,
    startState: () => ({ isComment: false, isBegun: false }),
    token(stream, state) {
      if (stream.sol()) state.isBegun = false;
      if (isProgram) {
        if (state.isComment || stream.match("\\")) {
          const isClosed = stream.skipTo("\\");
          state.isComment = !isClosed;
          if (isClosed) stream.next();
          else stream.skipToEnd();
          return "comment";
        }
      } else if (stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
      // The name of a rule, as far as its colon: at the beginning of a line, or after a semicolon.
      const isBegun = state.isBegun;
      state.isBegun = !stream.match(";", false);
      if (!isProgram && !isBegun && stream.match(/^[\p{L}"][^:;(){}#"]{0,60}"?:(?=\s)/u)) return "heading";
      if (stream.match(/^(?:\d+)?[dD](?:\d+|F|%|(?=[{([]))/)) return "atom";
      if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
      const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u) as RegExpMatchArray | null;
      if (word) return words.has(word[0]) ? "keyword" : word[0] === "d" ? "atom" : "variableName";
      if (stream.match(/^(?:\.\.|[<>=!]=|[-+*/%^#<>=!])/)) return "operator";
      stream.next();
      return "punctuation";
    },
    languageData: { commentTokens: isProgram ? {} : { line: "//" } },
  });
}

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.heading, color: "var(--ink)", fontWeight: "650" },
    { tag: tags.atom, color: "var(--code-dice)", fontWeight: "600" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.keyword, color: "var(--code-word)" },
    { tag: tags.variableName, color: "var(--ink)" },
    { tag: tags.operator, color: "var(--soft)" },
    { tag: tags.punctuation, color: "var(--soft)" },
  ]),
);
