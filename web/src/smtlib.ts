// Colours and indentation of SMT-LIB.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  depth: number;
  /** The next word is at the head of a list. */
  head: boolean;
  /** Within a string or a quoted symbol: its end. */
  quote: string | null;
}

const WORDS = new Set(["let", "forall", "exists", "match", "par", "_", "!", "as"]);
const SORTS = new Set(["Bool", "BitVec", "Array", "Int"]);

export const smtlib = StreamLanguage.define<State>({
  name: "smtlib",
  startState: () => ({ depth: 0, head: false, quote: null }),
  token(stream, state) {
    if (state.quote) {
      const isString = state.quote === '"';
      while (!stream.eol()) {
        if (stream.next() !== state.quote) continue;
        if (isString && stream.eat('"')) continue;
        state.quote = null;
        break;
      }
      return isString ? "string" : "variableName";
    }
    if (stream.eatSpace()) return null;
    const first = stream.next()!;
    const isHead = state.head;
    state.head = false;
    if (first === ";") {
      stream.skipToEnd();
      state.head = isHead;
      return "comment";
    }
    if (first === "(") {
      state.depth += 1;
      state.head = true;
      return "paren";
    }
    if (first === ")") {
      state.depth = Math.max(0, state.depth - 1);
      return "paren";
    }
    if (first === '"' || first === "|") {
      state.quote = first;
      return first === '"' ? "string" : "variableName";
    }
    stream.eatWhile(/[^\s()|";]/);
    const word = stream.current();
    if (first === "#" || /^\d/.test(word)) return "number";
    if (first === ":") return "propertyName";
    if (WORDS.has(word)) {
      // Behind `_`, `!` and `as` there is a name, not an operator.
      return "keyword";
    }
    if (isHead && state.depth === 1) return "keyword";
    if (SORTS.has(word)) return "typeName";
    if (word === "true" || word === "false") return "bool";
    return isHead ? "operatorKeyword" : "variableName";
  },
  indent: (state, after, context) => Math.max(0, state.depth - (after.startsWith(")") ? 1 : 0)) * context.unit,
  languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["(", '"', "|"] } },
});

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.operatorKeyword, color: "var(--operator)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.bool, color: "var(--number)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.propertyName, color: "var(--property)" },
  { tag: tags.typeName, color: "var(--type)" },
]);

export const colours = syntaxHighlighting(style);
