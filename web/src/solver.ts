// Two workers: one runs scripts and is ended to stop a run, one reads the text while somebody types.

import type { Answer, Fault, Message, Report, Request } from "./types";

function start(listen: (message: Message) => void): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<Message>) => listen(event.data);
  worker.onerror = (event) => listen({ kind: "failed", message: event.message || "the worker cannot be started" });
  return worker;
}

export interface RunListener {
  answer(answer: Answer): void;
  /** Why the last answer is what it is. */
  explanation(report: Report): void;
  /** The run is over; `failure` says so if it did not come to its end. */
  end(statistics: unknown, failure: string | null): void;
}

export class Runner {
  #worker: Worker;
  #listener: RunListener | null = null;
  /** Why no worker can be started. */
  #broken: string | null = null;
  /** The version of the solver, when it is loaded. */
  readonly ready: Promise<string>;
  #isReady!: (version: string) => void;

  constructor() {
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    this.#worker = this.#start();
  }

  get isRunning(): boolean {
    return this.#listener !== null;
  }

  /** Runs a script; with `explain`, each answer is explained before the next command. */
  run(text: string, explain: boolean, listener: RunListener) {
    if (this.isRunning) return;
    if (this.#broken !== null) return listener.end(null, this.#broken);
    this.#listener = listener;
    this.#worker.postMessage({ kind: "run", text, explain } satisfies Request);
  }

  stop() {
    if (this.isRunning) this.#fail("stopped");
  }

  #start(): Worker {
    return start((message) => this.#hear(message));
  }

  #hear(message: Message) {
    switch (message.kind) {
      case "ready":
        return this.#isReady(message.version);
      case "answer":
        return this.#listener?.answer(message.answer);
      case "explanation":
        return this.#listener?.explanation(message.report);
      case "end":
        return this.#finish(message.statistics, null);
      case "failed":
        return this.#fail(message.message);
    }
  }

  #fail(message: string) {
    this.#worker.terminate();
    // A worker that failed before anything was asked of it would fail again.
    if (this.isRunning) this.#worker = this.#start();
    else this.#broken = message;
    this.#finish(null, message);
  }

  #finish(statistics: unknown, failure: string | null) {
    const listener = this.#listener;
    this.#listener = null;
    listener?.end(statistics, failure);
  }
}

/** Reads scripts, one at a time; a text that came later takes the place of one that waits. */
export class Checker {
  #worker: Worker | null = null;
  #running: ((faults: Fault[]) => void) | null = null;
  #waiting: { text: string; resolve: (faults: Fault[]) => void } | null = null;

  check(text: string): Promise<Fault[]> {
    return new Promise((resolve) => {
      this.#waiting?.resolve([]);
      this.#waiting = { text, resolve };
      this.#next();
    });
  }

  #next() {
    if (this.#running || !this.#waiting) return;
    const { text, resolve } = this.#waiting;
    this.#waiting = null;
    this.#running = resolve;
    this.#worker ??= start((message) => this.#hear(message));
    this.#worker.postMessage({ kind: "check", text } satisfies Request);
  }

  #hear(message: Message) {
    if (message.kind === "failed") {
      this.#worker?.terminate();
      this.#worker = null;
      const fault: Fault = { start: 0, end: 0, message: message.message, severity: "error" };
      this.#done([fault]);
    } else if (message.kind === "faults") {
      this.#done(message.faults);
    }
  }

  #done(faults: Fault[]) {
    const resolve = this.#running;
    this.#running = null;
    resolve?.(faults);
    this.#next();
  }
}
