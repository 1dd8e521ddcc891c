// The time of the solver as WebAssembly beside that of the binary with the same SAT backend, file by file.
// Usage: node scripts/measure.mjs BIVALVE FILE...   (best of five runs each; the module is that of src/wasm)
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fail, wasmFile } from "./tools.mjs";

const [binary, ...files] = process.argv.slice(2);
if (!binary || files.length === 0) fail("usage: node scripts/measure.mjs BIVALVE FILE...");
if (!existsSync(wasmFile)) fail("the solver is not built: node scripts/wasm.mjs");
const { initSync, Run } = await import("../src/wasm/bivalve_wasm.js");
initSync({ module: readFileSync(wasmFile) });

/** From the first byte to the last answer, as the solver measures it: no start of a process, no loading. */
const milliseconds = (statistics) => 1000 * JSON.parse(statistics).total_seconds;

function wasm(text) {
  const run = new Run(text);
  const replies = [];
  for (let answer = run.step(); answer !== undefined; answer = run.step()) {
    const { text: reply } = JSON.parse(answer);
    if (reply !== null) replies.push(reply);
  }
  const time = milliseconds(run.statistics());
  run.free();
  return { time, replies: replies.join("\n") };
}

function native(file) {
  const run = spawnSync(binary, ["--sat", "batsat", "--stats=json", file], { encoding: "utf8" });
  return { time: milliseconds(run.stderr.trim().split("\n").at(-1)), replies: run.stdout.trim() };
}

const best = (runs) => Math.min(...runs.map((run) => run.time));
console.log("file".padEnd(48), "wasm ms".padStart(10), "native ms".padStart(10), "ratio".padStart(7), " answers");
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const ours = Array.from({ length: 5 }, () => wasm(text));
  const theirs = Array.from({ length: 5 }, () => native(file));
  const [a, b] = [best(ours), best(theirs)];
  const same = ours[0].replies === theirs[0].replies ? "the same" : "DIFFERENT";
  console.log(basename(file).padEnd(48), a.toFixed(1).padStart(10), b.toFixed(1).padStart(10), (a / b).toFixed(2).padStart(7), "", same);
}
