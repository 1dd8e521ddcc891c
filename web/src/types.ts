// What the solver returns, as bindings/wasm writes it. Places are bytes of UTF-8.

export interface Fault {
  start: number;
  end: number;
  message: string;
  severity: "error" | "warning";
}

export type Event =
  | { event: "phase"; at: number; text: string }
  | { event: "lemma"; at: number; rule: string; meaning: string; from: string[]; about: string[]; clause: string };

export interface Answer {
  start: number;
  end: number;
  kind: "done" | "success" | "sat" | "unsat" | "unknown" | "evidence" | "info" | "unsupported" | "error";
  text: string | null;
  fault: Fault | null;
  why: string | null;
  model: string | null;
  core: string | null;
  milliseconds: number;
  timeline: Event[];
  left_out: number;
}

/** Why an answer is what it is. Places are `:line:column`. */
export interface Report {
  place: string;
  answer: "sat" | "unsat" | "unknown";
  inputs: {
    parts: { of: string; symbol: string; value: string; pattern: string }[];
    free: string[];
    is_minimal: boolean;
    is_tried: boolean;
  } | null;
  contradiction: {
    conjuncts: { place: string; name: string | null; text: string }[];
    of: number;
    is_minimal: boolean;
    bits: { symbol: string; unit: string; width: number; relevant: [number, number][] }[] | null;
    bits_are_minimal: boolean;
  } | null;
}

/** To the worker. */
export type Request = { kind: "run"; text: string; explain: boolean } | { kind: "check"; text: string };

/** From the worker. */
export type Message =
  | { kind: "ready"; version: string }
  | { kind: "answer"; answer: Answer }
  | { kind: "explanation"; report: Report }
  | { kind: "end"; statistics: unknown }
  | { kind: "faults"; faults: Fault[] }
  | { kind: "failed"; message: string };
