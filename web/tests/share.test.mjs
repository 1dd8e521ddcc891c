// Scripts in links: there and back, and no more memory than a script may take.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { runnerImport } from "vite";
import { web } from "../scripts/tools.mjs";

const { fromHash, MOST_BYTES, toHash } = (await runnerImport(join(web, "src/share.ts"))).module;

test("a script comes back", async () => {
  const text = "(check-sat) ; \u00e9\n".repeat(1000);
  assert.equal(await fromHash(await toHash(text)), text);
  assert.equal(await fromHash("#other"), null);
});

test("a small link for a very large text is refused within a bound", async () => {
  const hash = "#s=" + deflateRawSync(Buffer.alloc(200 << 20)).toString("base64url");
  const before = process.memoryUsage().rss;
  await assert.rejects(fromHash(hash), RangeError);
  assert.ok(process.memoryUsage().rss - before < 100 << 20);
  await assert.rejects(toHash("x".repeat(MOST_BYTES + 1)), RangeError);
});
