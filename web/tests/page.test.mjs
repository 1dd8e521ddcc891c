// The page as people use it, in a browser without a window.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { preview } from "vite";
import { browserArguments, web, workspace } from "../scripts/tools.mjs";

const LONG = 60_000;

let browser, context, page, server, address;
/** What the page complained of, and what it asked of other servers. */
let complaints, foreign;

async function serve() {
  const server = await preview({ root: web, preview: { port: 0, host: "127.0.0.1" }, logLevel: "silent" });
  return { server, address: `http://127.0.0.1:${server.httpServer.address().port}/` };
}

async function open(hash = "") {
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]", { timeout: LONG });
}

async function write(text) {
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

const answers = () => page.locator("#answers article");
const lines = async () => (await page.locator(".cm-line").allTextContents()).join("\n");
const done = () => page.waitForSelector("#run:not(:disabled)", { timeout: LONG });

async function run() {
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("done"), null, { timeout: LONG });
}

async function screenshot(name) {
  if (!process.env.SCREENSHOTS) return;
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(workspace, "docs", name) });
}

before(async () => {
  ({ server, address } = await serve());
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: browserArguments });
}, { timeout: LONG });

after(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1000, height: 520 }, colorScheme: "light" });
  page = await context.newPage();
  [complaints, foreign] = [[], []];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
});

/** Nothing was complained of, and no other server was asked. */
function isQuiet() {
  assert.deepEqual([complaints, foreign], [[], []]);
}

test("a script that is typed is answered, with its model", async () => {
  await open();
  assert.match(await page.locator("#answers").textContent(), /Run the script/);
  await screenshot("browser-start.png");
  await write("(declare-const x (_ BitVec 8))\n(assert (= (bvmul x #x03) #x01))\n(check-sat)\n(get-value (x))");
  await run();
  assert.deepEqual(await answers().locator(".text").allTextContents(), ["sat", "((x #b10101011))"]);
  assert.match(await page.locator("pre.model").textContent(), /define-fun x \(\) \(_ BitVec 8\)\s+#b10101011/);
  await page.click("[data-panel=statistics]");
  assert.match(await page.locator("#statistics table").textContent(), /checks1/);
  isQuiet();
});

test("letters that are typed one by one make a script, too", async () => {
  await open();
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  // Closing brackets come by themselves, and are typed over.
  await page.keyboard.type("(declare-const p Bool)\n(assert (not p))\n(check-sat)");
  await run();
  assert.match(await page.locator("pre.model").textContent(), /define-fun p \(\) Bool\s+false/);
  isQuiet();
});

test("an unsatisfiable script has a core", async () => {
  await open();
  await write("(set-option :produce-unsat-cores true)(declare-const p Bool)(assert (! p :named a))(assert (! (not p) :named b))\n(check-sat)");
  await run();
  assert.equal(await page.locator("pre.core").textContent(), "(a b)");
  isQuiet();
});

test("answers are explained: digits that do not matter, and contradictory conjuncts", async () => {
  await open();
  await write("(declare-const x (_ BitVec 8))\n(declare-const y Bool)\n(assert (and (= ((_ extract 0 0) x) #b1) (= y y)))\n(check-sat)\n(assert (= x #x02))\n(check-sat)");
  await run();
  assert.deepEqual(await page.locator("table.inputs th").allTextContents(), ["x", "y"]);
  assert.match(await page.locator("table.inputs td .free").first().textContent(), /^[01]{7}$/);
  assert.equal(await page.locator("table.inputs td .free").last().textContent(), "any value");
  assert.equal(await page.locator("table.conjuncts tr").count(), 2);
  assert.match(await page.locator("table.bits td").textContent(), /bits 0, of 8/);
  await page.locator("table.conjuncts .place").last().click();
  assert.equal(await page.evaluate(() => getSelection().toString()), "(assert (= x #x02))");
  await page.uncheck("#explain");
  await page.locator(".cm-content").click();
  await run();
  assert.equal(await page.locator("table.inputs, table.conjuncts").count(), 0);
  isQuiet();
});

test("a fault is underlined where it is, and its reply leads there", async () => {
  await open();
  await write("; für 𝔹\n(declare-const |ä| (_ BitVec 8))\n(assert (bvult |ä| #x0100))\n(assert (bvlut |ä| #x10))\n(check-sat)");
  const squiggles = page.locator(".cm-lintRange-error");
  await page.waitForFunction(() => document.querySelectorAll(".cm-lintRange-error").length === 2, null, { timeout: LONG });
  assert.deepEqual(await squiggles.allTextContents(), ["#x0100", "bvlut"]);
  assert.equal(await page.locator(".cm-gutter-lint .cm-lint-marker-error").count(), 2);
  await run();
  assert.deepEqual(await answers().locator(".text").allTextContents(), [
    "expected sort (_ BitVec 8) as argument 2 of 'bvult', found sort (_ BitVec 16)",
    "expected a declared function, found 'bvlut' (did you mean 'bvult'?)",
    "unknown",
  ]);
  await answers().nth(1).locator(".place").click();
  assert.equal(await page.evaluate(() => getSelection().toString()), "bvlut");
  await screenshot("browser-faults.png");
  isQuiet();
});

test("a long run is stopped, and the next one is answered", async () => {
  await open();
  await page.selectOption("#example", "A product that takes long");
  await page.click("#run");
  await page.waitForFunction(() => /running, [1-9]/.test(document.getElementById("state").textContent), null, { timeout: LONG });
  await screenshot("browser-running.png");
  await page.click("#stop");
  await done();
  assert.match(await page.locator("#state").textContent(), /^stopped after/);
  await screenshot("browser-stopped.png");
  await write("(check-sat)");
  await run();
  assert.deepEqual(await answers().locator(".text").allTextContents(), ["sat"]);
  // By the keyboard, too.
  await page.selectOption("#example", "A product that takes long");
  await page.click("#run");
  await page.keyboard.press("Escape");
  await done();
  assert.match(await page.locator("#state").textContent(), /^stopped after/);
  isQuiet();
});

test("the limit of time of a script is kept", async () => {
  await open();
  await page.selectOption("#example", "A product that takes long");
  const text = await lines();
  await write("(set-option :timeout 300)\n" + text);
  await run();
  assert.deepEqual(await answers().locator(".text").allTextContents(), ["unknown"]);
  assert.equal(await page.locator(".why").textContent(), "the time limit has passed");
  isQuiet();
});

test("a link opens with the script that was shared", async () => {
  await open();
  const text = "; größer 𝔹\n(declare-const p Bool)\n(assert p)\n(check-sat)";
  await write(text);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  await page.waitForFunction(() => /^the link is/.test(document.getElementById("state").textContent));
  await screenshot("browser-shared.png");
  const link = page.url();
  await page.close();
  page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector("html[data-ready]", { timeout: LONG });
  assert.equal(await lines(), text);
  await page.locator(".cm-content").click();
  await run();
  assert.deepEqual(await answers().locator(".text").allTextContents(), ["sat"]);
  isQuiet();
});

test("a damaged link is said to be one, and the page works", async () => {
  await open("#s=AAAA");
  await page.waitForSelector("#state.error");
  assert.match(await page.locator("#state").textContent(), /damaged/);
  await screenshot("browser-damaged.png");
  await page.locator(".cm-content").click();
  await run();
  assert.match((await answers().locator(".text").allTextContents())[0], /^sat/);
  isQuiet();
});

test("without a network the page runs, and opens again", async () => {
  // A server of its own, which is gone afterwards.
  const own = await serve();
  await page.goto(own.address);
  await page.waitForSelector("html[data-ready]", { timeout: LONG });
  await page.waitForSelector("html[data-offline=yes]", { timeout: LONG });
  await context.setOffline(true);
  await own.server.close();
  await page.locator(".cm-content").click();
  await run();
  assert.equal((await answers().locator(".text").allTextContents())[0], "sat");
  await page.reload();
  await page.waitForSelector("html[data-ready]", { timeout: LONG });
  await page.locator(".cm-content").click();
  await run();
  assert.equal((await answers().locator(".text").allTextContents())[0], "sat");
  assert.deepEqual([complaints, foreign.filter((url) => !url.startsWith(own.address))], [[], []]);
});

test("every example has its answers", async () => {
  await open();
  const expected = JSON.parse(readFileSync(join(web, "tests/examples.json"), "utf8"));
  const names = (await page.locator("#example option").allTextContents()).slice(1);
  assert.deepEqual(names, Object.keys(expected));
  let right = 0;
  for (const [name, { replies }] of Object.entries(expected)) {
    if (replies === null) continue;
    await page.selectOption("#example", name);
    await page.locator(".cm-content").click();
    await run();
    const found = await answers().locator(".text").allTextContents();
    const compared = replies.map((reply, i) => reply ?? found[i]);
    assert.deepEqual(found, compared, name);
    right += 1;
    const picture = { "A square root": "browser.png", "Why not? A core": "browser-core.png", "Why unknown?": "browser-unknown.png" }[name];
    if (picture === "browser-unknown.png") await answers().first().scrollIntoViewIfNeeded();
    if (picture) await screenshot(picture);
  }
  assert.ok(right >= 60, `${right} examples`);
  isQuiet();
});

test("the statistics of a run are shown", async () => {
  await open();
  await page.selectOption("#example", "Two writes to a memory");
  await page.locator(".cm-content").click();
  await run();
  await page.click("[data-panel=statistics]");
  assert.match(await page.locator("#statistics table").textContent(), /checks2/);
  await screenshot("browser-statistics.png");
  isQuiet();
});

test("the timeline has the lemmas of a check", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open();
  await page.selectOption("#example", "A sum over a function: lemmas");
  await page.locator(".cm-content").click();
  await run();
  await page.click("[data-panel=timeline]");
  assert.ok((await page.locator("#timeline .phase").count()) >= 3);
  assert.ok((await page.locator("#timeline .lemma").count()) >= 1);
  assert.match(await page.locator("#timeline .lemma .about").first().textContent(), /\b[fmij]\b/);
  await screenshot("browser-timeline.png");
  isQuiet();
});

test("an exception of the solver is an error on the page, and the next run works", async () => {
  // The first text is none, which is an exception within the solver's module.
  await page.addInitScript(() => {
    let isFirst = true;
    window.Worker = class extends Worker {
      postMessage(message) {
        const breaks = message.kind === "run" && isFirst;
        if (breaks) isFirst = false;
        super.postMessage(breaks ? { ...message, text: null } : message);
      }
    };
  });
  await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector("#answers article.error", { timeout: LONG });
  await page.waitForSelector("#state.error");
  await screenshot("browser-failed.png");
  await run();
  assert.equal((await answers().locator(".text").allTextContents())[0], "sat");
});

test("pictures of the book are there", () => {
  const source = readFileSync(new URL(import.meta.url), "utf8");
  const names = new Set([...source.matchAll(/"(browser[a-z-]*\.png)"/g)].map((found) => found[1]));
  const chapter = readFileSync(join(workspace, "docs/browser.md"), "utf8");
  assert.ok(names.size >= 11);
  for (const name of names) {
    const path = join(workspace, "docs", name);
    assert.ok(existsSync(path) && readFileSync(path).length < 200_000, path);
    assert.ok(chapter.includes(`(${name})`), `${name} is not in the chapter`);
  }
});
