// The solver, on a thread of its own. A run occupies the worker until its end; to stop it, end the worker.
// After an exception the memory of the solver may be in any state: the page makes another worker then.

import init, { check, Run, version } from "./wasm/bivalve_wasm.js";
import type { Answer, Message, Request } from "./types";

const send = (message: Message) => postMessage(message);

function run(text: string, explain: boolean) {
  const run = new Run(text);
  for (let step = run.step(); step !== undefined; step = run.step()) {
    const answer: Answer = JSON.parse(step);
    send({ kind: "answer", answer });
    const report = explain && (answer.kind === "sat" || answer.kind === "unsat") ? run.explain() : undefined;
    if (report !== undefined) send({ kind: "explanation", report: JSON.parse(report) });
  }
  send({ kind: "end", statistics: JSON.parse(run.statistics()) });
  run.free();
}

function words(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // An abort of WebAssembly has no message of ours: memory has run out.
  if (error instanceof WebAssembly.RuntimeError) return `the solver was aborted (${text}); has memory run out?`;
  if (error instanceof RangeError) return `the stack or the memory of the browser is exhausted (${text})`;
  return text;
}

const loaded = init().then(() => send({ kind: "ready", version: version() }));
loaded.catch((error) => send({ kind: "failed", message: `the solver cannot be loaded: ${words(error)}` }));

onmessage = async (event: MessageEvent<Request>) => {
  try {
    await loaded;
    if (event.data.kind === "run") run(event.data.text, event.data.explain);
    else send({ kind: "faults", faults: JSON.parse(check(event.data.text)) });
  } catch (error) {
    send({ kind: "failed", message: words(error) });
  }
};
