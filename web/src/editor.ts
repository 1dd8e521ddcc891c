// The editor, with the faults of its text below it while somebody types.

import { indentWithTab } from "@codemirror/commands";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { basicSetup, EditorView } from "codemirror";
import { places } from "./places";
import { colours, smtlib } from "./smtlib";
import type { Checker } from "./solver";

export interface Actions {
  run(): void;
  stop(): void;
}

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-tooltip, .cm-panels": { background: "var(--panel)", color: "var(--text)", border: "1px solid var(--border)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "var(--selection)" },
});

export class Editor {
  readonly view: EditorView;

  constructor(parent: HTMLElement, checker: Checker, actions: Actions) {
    const source = async (view: EditorView): Promise<Diagnostic[]> => {
      const text = view.state.doc.toString();
      const [place, faults] = [places(text), await checker.check(text)];
      return faults.map(({ start, end, message, severity }) => {
        const [from, to] = [place(start), place(end)];
        return { from, to, message, severity };
      });
    };
    const keys = [
      { key: "Mod-Enter", run: () => (actions.run(), true) },
      { key: "Escape", run: () => (actions.stop(), false) },
    ];
    this.view = new EditorView({
      parent,
      extensions: [
        Prec.highest(keymap.of(keys)),
        lintGutter(),
        basicSetup,
        keymap.of([indentWithTab]),
        EditorView.lineWrapping,
        smtlib,
        colours,
        look,
        linter(source, { delay: 250 }),
        EditorView.contentAttributes.of({ "aria-label": "SMT-LIB script", spellcheck: "false" }),
      ],
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
  }

  /** Selects a part of the text and shows it. */
  show(from: number, to: number) {
    const length = this.view.state.doc.length;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.view.dispatch({ selection, scrollIntoView: true });
    this.view.focus();
  }
}
