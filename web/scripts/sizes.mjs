// The sizes of the files of the page, as they are and compressed. The solver must be below 1.5 MB with gzip.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { fail, web } from "./tools.mjs";

const LIMIT = 1_500_000;

const dist = join(web, "dist");
if (!existsSync(dist)) fail("the page is not built: npm run build");
const row = (...cells) => console.log(cells.map((cell, i) => (i ? String(cell).padStart(11) : cell.padEnd(44))).join(""));
row("file", "bytes", "gzip", "brotli");
const sum = [0, 0, 0];
for (const file of readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
  const path = join(file.parentPath, file.name);
  const bytes = readFileSync(path);
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  row(path.slice(dist.length + 1), ...sizes);
  sizes.forEach((size, i) => (sum[i] += size));
  if (file.name.endsWith(".wasm") && sizes[1] > LIMIT) process.exitCode = 1;
}
row("all", ...sum);
if (process.exitCode) console.error(`web: the solver has more than ${LIMIT} bytes, compressed by gzip`);
