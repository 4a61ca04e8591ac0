// The editor of rules. What only helps while somebody types is loaded after the first answer.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import type { Finding, Word } from "../engine/protocol.ts";
import { colours, highlighting } from "./language.ts";

export interface Editor {
  /** The text, which the visitor or the page may have changed. */
  readonly text: string;
  /** Puts another text in place of all. Nobody hears of it. */
  show(text: string): void;
  /** Replaces a part of the text, as if the visitor had typed it. */
  replace(from: number, to: number, text: string): void;
  /** Moves the cursor to a place. */
  goTo(place: number): void;
  focus(): void;
  setDialect(dialect: string): void;
  setFindings(findings: Finding[]): void;
}

const theme = EditorView.theme({
  "&": { fontSize: "var(--code-size)", backgroundColor: "transparent", color: "var(--ink)", maxHeight: "max(240px, 56vh)" },
  ".cm-scroller": { overflow: "auto" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--mono)", padding: "14px 0", caretColor: "var(--accent)", minHeight: "124px", lineHeight: "1.6" },
  ".cm-line": { padding: "0 16px" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-tooltip": { background: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--shadow)", overflow: "hidden" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "15em" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "4px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontFamily: "var(--sans)", fontStyle: "normal", opacity: "0.85", marginLeft: "12px" },
  ".cm-diagnostic": { borderLeftWidth: "3px", padding: "8px 12px", fontFamily: "var(--sans)", fontSize: "14px", maxWidth: "46ch" },
  ".cm-diagnosticAction": { background: "var(--accent)", color: "var(--on-accent)", borderRadius: "6px", padding: "4px 10px", margin: "6px 0 0", display: "block" },
});

export function newEditor(
  parent: HTMLElement,
  labelledBy: string,
  text: string,
  changed: (text: string) => void,
  words: (dialect: string) => Promise<Word[]>,
): Editor {
  const language = new Compartment();
  const extras = new Compartment();
  let dialect = "bones";
  let isShown = false;
  let findings: Finding[] = [];
  let draw: ((view: EditorView, findings: Finding[]) => void) | null = null;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        drawSelection(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        placeholder("Write a rule, such as 4d6kh3"),
        language.of(highlighting(dialect)),
        colours,
        theme,
        extras.of([]),
        EditorView.contentAttributes.of({ "aria-labelledby": labelledBy, "aria-describedby": "findings", id: "rules", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isShown) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const load = async () => {
    const more = await import("./extras.ts");
    view.dispatch({ effects: extras.reconfigure(more.extras(() => dialect, words)) });
    draw = more.draw;
    draw(view, findings);
  };
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 300));
  whenIdle(() => void load());
  return {
    get text() {
      return view.state.doc.toString();
    },
    show(text) {
      if (text === view.state.doc.toString()) return;
      isShown = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length } });
      isShown = false;
    },
    replace(from, to, text) {
      const end = view.state.doc.length;
      view.dispatch({
        changes: { from: Math.min(from, end), to: Math.min(to, end), insert: text },
        selection: { anchor: Math.min(from, end) + text.length },
        userEvent: "input",
      });
      view.focus();
    },
    goTo(place) {
      view.dispatch({ selection: { anchor: Math.min(place, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    setDialect(name) {
      if (name === dialect) return;
      dialect = name;
      view.dispatch({ effects: language.reconfigure(highlighting(name)) });
    },
    setFindings(all) {
      findings = all;
      draw?.(view, findings);
    },
  };
}
