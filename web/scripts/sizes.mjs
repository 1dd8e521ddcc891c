// The sizes of the files of the page, as they are and compressed. The solver must be below 1.5 MB with gzip, and the
// table of docs/browser.md must be that of the files, give or take 2 %; `npm run sizes -- --write` writes it anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { fail, web, workspace } from "./tools.mjs";

const LIMIT = 1_500_000;
const TOLERANCE = 0.02;

const dist = process.env.DIST ?? join(web, "dist");
if (!existsSync(dist)) fail("the page is not built: npm run build");
const row = (...cells) => console.log(cells.map((cell, i) => (i ? String(cell).padStart(11) : cell.padEnd(44))).join(""));
row("file", "bytes", "gzip", "brotli");
const [solver, rest] = [[0, 0, 0], [0, 0, 0]];
for (const file of readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
  const path = join(file.parentPath, file.name);
  const bytes = readFileSync(path);
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  row(path.slice(dist.length + 1), ...sizes);
  const sum = file.name.endsWith(".wasm") ? solver : rest;
  sizes.forEach((size, i) => (sum[i] += size));
}
const all = solver.map((size, i) => size + rest[i]);
row("all", ...all);

// The rows of the table, by how they begin.
const page = join(workspace, "docs/browser.md");
const rows = { "the solver ": solver, "the editor, ": rest, "all files ": all };
const problems = [];
const shown = (size) => String(size).replace(/\B(?=(\d{3})+$)/g, " ");
const written = readFileSync(page, "utf8").replace(/^\| (.*?) \| ([\d ]+) \| ([\d ]+) \| ([\d ]+) \|$/gm, (line, name, ...found) => {
  const [, sizes] = Object.entries(rows).find(([begin]) => `${name} `.startsWith(begin)) ?? [];
  if (!sizes) return line;
  delete rows[Object.keys(rows).find((begin) => `${name} `.startsWith(begin))];
  const stated = found.slice(0, 3).map((text) => Number(text.replaceAll(" ", "")));
  if (sizes.some((size, i) => Math.abs(size - stated[i]) > TOLERANCE * size)) {
    problems.push(`docs/browser.md: ${name}: expected ${sizes.map(shown).join(", ")}, found ${stated.map(shown).join(", ")}`);
  }
  return `| ${name} | ${sizes.map(shown).join(" | ")} |`;
});
for (const begin of Object.keys(rows)) problems.push(`docs/browser.md: there is no row '${begin.trim()}' with three sizes`);
if (process.argv.includes("--write")) {
  writeFileSync(page, written);
  problems.splice(0, problems.length, ...problems.filter((problem) => problem.includes("there is no row")));
}
if (solver[1] > LIMIT) problems.push(`the solver has more than ${LIMIT} bytes, compressed by gzip`);
if (problems.length > 0) fail(...problems, "`npm run sizes -- --write` writes the table of docs/browser.md anew");
