// What is shown of a run: answers with models, cores and explanations, the timeline, statistics.

import { places } from "./places";
import type { Answer, Event, Report } from "./types";

function element(name: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

const time = (milliseconds: number) =>
  milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;

export class Panels {
  #answers = document.getElementById("answers")!;
  #timeline = document.getElementById("timeline")!;
  #statistics = document.getElementById("statistics")!;
  #show: (from: number, to: number) => void;
  #text = "";
  #place: (byte: number) => number = (byte) => byte;

  /** `show` selects a part of the script. */
  constructor(show: (from: number, to: number) => void) {
    this.#show = show;
    const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => {
        for (const other of tabs) {
          other.setAttribute("aria-selected", String(other === tab));
          document.getElementById(other.dataset.panel!)!.hidden = other !== tab;
        }
      });
    }
    this.#empty("Run the script: Ctrl-Enter.");
  }

  /** A run of `text` begins. */
  begin(text: string) {
    this.#text = text;
    this.#place = places(text);
    this.#answers.replaceChildren();
    this.#timeline.replaceChildren();
    this.#statistics.replaceChildren();
  }

  answer(answer: Answer) {
    if (answer.timeline.length > 0) this.#course(answer);
    if (answer.text === null || answer.kind === "success") return;
    const row = element("article", answer.kind);
    row.append(this.#link(answer), element("pre", "text", answer.fault?.message ?? answer.text));
    if (answer.why) row.append(element("p", "why", answer.why));
    if (answer.model) row.append(this.#details("Model", answer.model, "model"));
    if (answer.core) row.append(this.#details("Core", answer.core, "core"));
    this.#answers.append(row);
    row.scrollIntoView({ block: "nearest" });
  }

  /** Why the last answer is what it is. */
  explanation({ inputs, contradiction }: Report) {
    const row = this.#answers.lastElementChild;
    if (inputs) {
      const words = inputs.is_minimal || inputs.is_tried ? minimality(inputs.is_minimal) : "some of it may be dispensable";
      row?.append(section("What matters", words, this.#inputs(inputs)));
    }
    if (contradiction) {
      const words = `${contradiction.conjuncts.length} of ${contradiction.of} conjuncts, ${minimality(contradiction.is_minimal)}`;
      row?.append(section("What is contradictory", words, this.#conjuncts(contradiction), bits(contradiction)));
    }
    row?.scrollIntoView({ block: "nearest" });
  }

  end(statistics: unknown, failure: string | null) {
    if (failure !== null) this.#answers.append(element("article", "error", failure));
    if (!this.#answers.hasChildNodes()) this.#empty("The script asks nothing: add (check-sat).");
    if (!this.#timeline.hasChildNodes()) this.#timeline.append(element("p", "empty", "No check had anything to do."));
    if (statistics && typeof statistics === "object") this.#statistics.append(table(statistics));
    else this.#statistics.append(element("p", "empty", "There are statistics when a run has come to its end."));
  }

  #empty(text: string) {
    this.#answers.append(element("p", "empty", text));
  }

  /** The line of a command, which leads to it. */
  #link({ start, end, fault, milliseconds }: Answer): HTMLElement {
    const [from, to] = [this.#place(fault?.start ?? start), this.#place(fault?.end ?? end)];
    const line = this.#text.slice(0, from).split("\n").length;
    const command = this.#text.slice(this.#place(start), this.#place(end)).replaceAll(/\s+/g, " ");
    const link = element("button", "place", `${line}: ${command.length > 60 ? command.slice(0, 60) + "…" : command}`);
    link.append(element("small", "", time(milliseconds)));
    link.addEventListener("click", () => this.#show(from, to));
    return link;
  }

  #details(title: string, text: string, className: string): HTMLElement {
    const details = document.createElement("details");
    details.open = text.length < 4000;
    details.append(element("summary", "", title), element("pre", className, text));
    return details;
  }

  /** Values, with what may be anything greyed. */
  #inputs({ parts, free }: NonNullable<Report["inputs"]>): HTMLElement {
    const rows = parts.map(({ of, value, pattern }): [string, HTMLElement] => [of, digits(value, pattern)]);
    const any = free.map((name): [string, HTMLElement] => [name, element("span", "free", "any value")]);
    return columns("inputs", [...rows, ...any]);
  }

  /** Conjuncts, which lead to their assertions. */
  #conjuncts({ conjuncts }: NonNullable<Report["contradiction"]>): HTMLElement {
    const rows = conjuncts.map(({ place, name, text }): [string | HTMLElement, HTMLElement] => {
      const [line, column] = place.split(":").slice(-2).map(Number) as [number, number];
      const begin = this.#text.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      const end = this.#text.indexOf("\n", begin);
      const link = element("button", "place", name ? `${line}: ${name}` : `line ${line}`);
      link.addEventListener("click", () => this.#show(begin + column - 1, end < 0 ? this.#text.length : end));
      return [link, element("span", "", text)];
    });
    return columns("conjuncts", rows);
  }

  #course(answer: Answer) {
    const list = element("ol", "course");
    for (const event of answer.timeline) list.append(step(event));
    const lemmas = answer.timeline.filter((event) => event.event === "lemma").length + answer.left_out;
    const head = element("h2", "", `${answer.kind}, ${lemmas === 1 ? "1 lemma" : `${lemmas} lemmas`}`);
    this.#timeline.append(head, this.#link(answer), list);
    if (answer.left_out > 0) this.#timeline.append(element("p", "empty", `and ${answer.left_out} more events`));
  }
}

const minimality = (is_minimal: boolean) =>
  is_minimal ? "none of it can be left out" : "the budget ended before it was found whether some of it can be left out";

/** Something with a title, and words about it. */
function section(title: string, words: string, ...content: HTMLElement[]): HTMLElement {
  const details = document.createElement("details");
  details.open = true;
  const summary = element("summary", "", title);
  summary.append(element("small", "", words));
  details.append(summary, ...content);
  return details;
}

function columns(className: string, rows: [string | HTMLElement, HTMLElement][]): HTMLElement {
  const made = element("table", className);
  for (const [name, value] of rows) {
    const row = document.createElement("tr");
    const [head, cell] = [element("th", ""), element("td", "")];
    head.append(name);
    cell.append(value);
    row.append(head, cell);
    made.append(row);
  }
  return made;
}

/** A value whose digits are greyed where the pattern has a star. */
function digits(value: string, pattern: string): HTMLElement {
  const made = element("span", "");
  let at = 0;
  while (at < value.length) {
    const isFree = (i: number) => pattern[i] === "*" && value[i] !== "*";
    let end = at + 1;
    while (end < value.length && isFree(end) === isFree(at)) end++;
    made.append(element("span", isFree(at) ? "free" : "", value.slice(at, end)));
    at = end;
  }
  return made;
}

/** The bits by which conjuncts are contradictory. */
function bits({ bits, bits_are_minimal }: NonNullable<Report["contradiction"]>): HTMLElement {
  if (bits === null) return element("p", "empty", "The budget ended before it was found which bits they are contradictory by.");
  const rows = bits.map(({ symbol, unit, width, relevant }): [string, HTMLElement] => {
    const runs = relevant.map(([high, low]) => (high === low ? `${high}` : `${high}..${low}`)).join(", ");
    const of = unit === "elements" || unit === "results" ? ` of all ${unit}` : "";
    const words = runs === "" ? "no bit" : unit === "whole" ? "the whole of it" : `bits ${runs}${of}, of ${width}`;
    return [symbol, element("span", runs === "" ? "free" : "", words)];
  });
  const made = element("div", "");
  made.append(element("p", "empty", `Contradictory by these bits: ${minimality(bits_are_minimal)}.`), columns("bits", rows));
  return made;
}

function step(event: Event): HTMLElement {
  const item = element("li", event.event);
  item.append(element("small", "", time(event.at)));
  if (event.event === "phase") {
    item.append(element("span", "", event.text));
    return item;
  }
  item.append(element("strong", "", event.rule), element("span", "", event.meaning));
  if (event.about.length > 0) item.append(element("span", "about", event.about.slice(0, 8).join(", ")));
  if (event.from.length > 0) item.append(element("pre", "from", `from ${event.from.join(" and ")}`));
  item.append(element("pre", "", event.clause));
  return item;
}

/** Numbers by name; what is nested becomes rows with longer names. */
function table(statistics: object): HTMLElement {
  const made = document.createElement("table");
  const add = (prefix: string, value: unknown) => {
    if (value === null || value === "" || value === undefined) return;
    if (typeof value === "object") {
      const named = Array.isArray(value)
        ? value.map((item): [string, unknown] => (Array.isArray(item) ? [String(item[0]), item[1]] : [item?.name ?? "", item]))
        : Object.entries(value);
      for (const [name, inner] of named) if (name !== "name") add(prefix ? `${prefix} · ${name}` : name, inner);
      return;
    }
    const row = document.createElement("tr");
    const shown = typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : String(value);
    row.append(element("th", "", prefix.replaceAll("_", " ")), element("td", "", shown));
    made.append(row);
  };
  add("", statistics);
  return made;
}
