// `npm test`: builds the solver and the page, compares their sizes with docs/browser.md, and tries them in a browser.
// Says what is missing first.
// `npm test -- --screenshots` writes the pictures of docs/browser.md anew.
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { chromium, fail, missingForWasm, missingModules, run, web } from "./tools.mjs";

const browser = chromium();
const missing = [...missingForWasm(), ...missingModules()];
if (browser === null) missing.push("a browser is missing: install chromium, or name one in CHROMIUM");
if (missing.length > 0) fail(...missing);

run("npm", "--prefix", web, "run", "build");
run("node", join(web, "scripts/sizes.mjs"));
const screenshots = process.argv.includes("--screenshots") ? { SCREENSHOTS: "yes" } : {};
const tests = spawnSync("node", ["--test", "--test-concurrency=1", join(web, "tests/module.test.mjs"), join(web, "tests/share.test.mjs"), join(web, "tests/page.test.mjs")], {
  stdio: "inherit",
  cwd: web,
  env: { ...process.env, CHROMIUM: browser, ...screenshots },
});
process.exit(tests.status ?? 1);
