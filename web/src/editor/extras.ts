// What helps while somebody types: completion of words, and findings underlined.

import { autocompletion, type CompletionContext, type CompletionResult, completionKeymap } from "@codemirror/autocomplete";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Finding, Word } from "../engine/protocol.ts";

export function extras(dialect: () => string, words: (dialect: string) => Promise<Word[]>): Extension {
  const known = new Map<string, Promise<Word[]>>();
  const wordsOf = (name: string) => {
    const all = known.get(name) ?? words(name).catch(() => []);
    known.set(name, all);
    return all;
  };
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_:]*/u);
    if (!word && !context.explicit) return null;
    // One letter is more often a die or a name than the beginning of a word.
    if (word && word.to - word.from < 2 && !context.explicit) return null;
    const all = await wordsOf(dialect());
    const options = all.map(({ word, does, example }) => ({ label: word, detail: does, info: example, type: "keyword" }));
    return { from: word?.from ?? context.pos, options, validFor: /^[\p{L}\p{N}_:]*$/u };
  };
  return [
    autocompletion({ override: [complete], icons: false, closeOnBlur: true }),
    keymap.of([...completionKeymap, ...lintKeymap]),
  ];
}

/** Underlines findings. */
export function draw(view: EditorView, findings: Finding[]): void {
  const end = view.state.doc.length;
  const diagnostics: Diagnostic[] = [];
  for (const finding of findings) {
    if (finding.from === null || finding.to === null) continue;
    const from = Math.min(finding.from, end);
    const correction = finding.correction;
    const help = finding.help && !correction ? `\n${finding.help}` : "";
    diagnostics.push({
      from,
      to: Math.max(from, Math.min(finding.to, end)),
      severity: finding.severity,
      message: finding.message + help,
      actions: correction
        ? [
            {
              name: `Write ${correction.text.length > 40 ? "the corrected rule" : correction.text}`,
              apply: (view) => {
                view.dispatch({ changes: { from: correction.from, to: correction.to, insert: correction.text }, userEvent: "input" });
              },
            },
          ]
        : [],
    });
  }
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
