// The module of the solver without a page: what it returns, and what becomes of its failures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, initSync, Run, version } from "../src/wasm/bivalve_wasm.js";
import { join } from "node:path";
import { runnerImport } from "vite";
import { wasmFile, web } from "../scripts/tools.mjs";

initSync({ module: readFileSync(wasmFile) });
const { places } = (await runnerImport(join(web, "src/places.ts"))).module;

function answers(text) {
  const run = new Run(text);
  const all = [];
  for (let answer = run.step(); answer !== undefined; answer = run.step()) all.push(JSON.parse(answer));
  const statistics = JSON.parse(run.statistics());
  run.free();
  return { all, statistics };
}

test("answers, models and statistics", () => {
  const { all, statistics } = answers("(declare-const x (_ BitVec 8))(assert (= x #x2a))(check-sat)(pop)(check-sat");
  assert.deepEqual(all.map((answer) => answer.kind), ["done", "done", "sat", "error", "error"]);
  assert.match(all[2].model, /#b00101010/);
  assert.equal(statistics.checks, 1);
  assert.ok(statistics.peak_megabytes >= 1 && statistics.total_seconds > 0);
  assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test("answers are explained", () => {
  const run = new Run("(declare-const x (_ BitVec 8))(assert (= ((_ extract 0 0) x) #b1))(check-sat)(assert (= x #x02))(check-sat)");
  for (let i = 0; i < 3; i++) run.step();
  const sat = JSON.parse(run.explain());
  assert.deepEqual([sat.answer, sat.inputs.parts[0].pattern, sat.inputs.is_minimal], ["sat", "#b*******1", true]);
  run.step();
  assert.equal(run.explain(), undefined);
  run.step();
  const { contradiction } = JSON.parse(run.explain());
  assert.deepEqual(contradiction.conjuncts.map(({ place }) => place), [":1:31", ":1:78"]);
  assert.deepEqual(contradiction.bits, [{ symbol: "x", unit: "value", width: 8, relevant: [[0, 0]] }]);
  run.free();
});

test("faults have places in the text of the page", () => {
  const text = '; 𝔹ä\n(assert (bvlut (_ bv1 8)))(echo "é") )';
  const place = places(text);
  const found = JSON.parse(check(text)).map(({ start, end }) => text.slice(place(start), place(end)));
  assert.deepEqual(found, ["bvlut", ")"]);
});

test("places are those of the characters", () => {
  for (const text of ["", "abc", "ä", "aä𝔹b😀c", "😀😀"]) {
    const place = places(text);
    for (let at = 0, byte = 0; at <= text.length; at++) {
      if (at > 0 && text.codePointAt(at - 1) > 0xffff) continue;
      byte = new TextEncoder().encode(text.slice(0, at)).length;
      assert.equal(place(byte), at, `${text}: ${at}`);
    }
    assert.equal(place(10_000), text.length);
  }
});

// Last, because the module cannot be used afterwards. The solver panics on a clock that has no time.
test("a panic is an exception with its message", () => {
  const { now } = performance;
  performance.now = () => Infinity;
  try {
    assert.throws(() => new Run("(check-sat)"), /internal: panicked at /);
  } finally {
    performance.now = now;
  }
});
