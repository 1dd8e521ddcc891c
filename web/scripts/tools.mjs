// Tools that the scripts call, and clear words where one is missing.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the page, and that of the workspace. */
export const web = dirname(dirname(fileURLToPath(import.meta.url)));
export const workspace = dirname(web);
export const wasmFile = join(web, "src/wasm/bivalve_wasm_bg.wasm");

/** Ends the program with a line for each problem. */
export function fail(...problems) {
  for (const problem of problems) console.error(`web: ${problem}`);
  process.exit(1);
}

/** What a program prints with these arguments; `null` if it is not there or fails. */
export function output(program, ...args) {
  const run = spawnSync(program, args, { encoding: "utf8", cwd: workspace });
  return run.status === 0 ? run.stdout.trim() : null;
}

/** Runs a program, and ends this one if it fails. */
export function run(program, ...args) {
  try {
    execFileSync(program, args, { stdio: "inherit", cwd: workspace });
  } catch {
    fail(`${program} ${args.join(" ")} has failed`);
  }
}

/** The version of wasm-bindgen that the module is compiled against. */
export function bindgenVersion() {
  const lock = readFileSync(join(workspace, "Cargo.lock"), "utf8");
  return /name = "wasm-bindgen"\nversion = "([^"]*)"/.exec(lock)[1];
}

/** What is missing to build the module. */
export function missingForWasm() {
  const version = bindgenVersion();
  const missing = [];
  if (output("cargo", "--version") === null) missing.push("cargo is missing");
  const library = output("rustc", "--print", "target-libdir", "--target", "wasm32-unknown-unknown");
  if (library === null || !existsSync(library)) {
    missing.push("the target is missing: rustup target add wasm32-unknown-unknown");
  }
  const found = output("wasm-bindgen", "--version")?.split(" ")[1];
  if (found !== version) {
    const state = found ? `has version ${found}, the module needs ${version}` : "is missing";
    missing.push(`wasm-bindgen ${state}: cargo install wasm-bindgen-cli --version ${version}`);
  }
  return missing;
}

/** What is missing to build the page. */
export function missingModules() {
  return existsSync(join(web, "node_modules/vite")) ? [] : ["node modules are missing: npm ci, in the folder web"];
}

/** A browser: the one that CHROMIUM names, or the first on the path. */
export function chromium() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["chromium", "chromium-browser", "google-chrome"];
  for (const name of names) {
    const path = output("sh", "-c", `command -v '${name}'`);
    if (path) return path;
  }
  return null;
}

/** How a browser is started: without a window, a sandbox, or requests of its own. */
export const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
