// What is shown of a run: answers with models and cores, the timeline, statistics.

import { places } from "./places";
import type { Answer, Event } from "./types";

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

  #course(answer: Answer) {
    const list = element("ol", "course");
    for (const event of answer.timeline) list.append(step(event));
    const lemmas = answer.timeline.filter((event) => event.event === "lemma").length + answer.left_out;
    const head = element("h2", "", `${answer.kind}, ${lemmas === 1 ? "1 lemma" : `${lemmas} lemmas`}`);
    this.#timeline.append(head, this.#link(answer), list);
    if (answer.left_out > 0) this.#timeline.append(element("p", "empty", `and ${answer.left_out} more events`));
  }
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
