// How long the page takes from the first request until the solver can be used, in a browser that has never seen it
// and in one that keeps its files. Usage: node scripts/ready.mjs   (ten times each; the page is that of dist)
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium as playwright } from "playwright-core";
import { preview } from "vite";
import { browserArguments, chromium, fail, web } from "./tools.mjs";

const TIMES = 10;

const executablePath = chromium();
if (executablePath === null) fail("a browser is missing: install chromium, or name one in CHROMIUM");
if (!existsSync(join(web, "dist"))) fail("the page is not built: npm run build");
const server = await preview({ root: web, preview: { port: 0, host: "127.0.0.1" }, logLevel: "silent" });
const address = `http://127.0.0.1:${server.httpServer.address().port}/`;
const browser = await playwright.launch({ executablePath, args: browserArguments });

/** Milliseconds from the navigation until one can type, and until the solver answers. */
async function open(page) {
  await page.addInitScript(() => {
    const until = (name, holds) => {
      const look = () => {
        if (holds()) performance.mark(name);
        else requestAnimationFrame(look);
      };
      look();
    };
    until("editable", () => document.querySelector(".cm-content[contenteditable=true]"));
    until("ready", () => document.documentElement?.dataset.ready);
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
  return page.evaluate(() => ["editable", "ready"].map((name) => performance.getEntriesByName(name)[0].startTime));
}

/** The least, the median and the greatest of some numbers, as text. */
function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((number) => number.toFixed(0).padStart(8)).join("");
}

const [first, again] = [[], []];
for (let i = 0; i < TIMES; i++) {
  const context = await browser.newContext();
  let page = await context.newPage();
  first.push(await open(page));
  await page.waitForSelector("html[data-offline=yes]");
  await page.close();
  page = await context.newPage();
  again.push(await open(page));
  await context.close();
}
console.log(`${"milliseconds, of".padEnd(40)} ${TIMES}${"least".padStart(5)}${"median".padStart(8)}${"most".padStart(8)}`);
for (const [name, runs] of [["first visit", first], ["files are kept", again]]) {
  console.log(`${`${name}: one can type`.padEnd(40)}${spread(runs.map(([editable]) => editable))}`);
  console.log(`${`${name}: the solver is loaded`.padEnd(40)}${spread(runs.map(([, ready]) => ready))}`);
}
await browser.close();
await server.close();
