// Builds the solver for the page: src/wasm.
import { join } from "node:path";
import { fail, missingForWasm, output, run, web } from "./tools.mjs";

const missing = missingForWasm();
if (missing.length > 0) fail(...missing);

run("cargo", "build", "--profile", "wasm", "--target", "wasm32-unknown-unknown", "-p", "bivalve-wasm");
const metadata = JSON.parse(output("cargo", "metadata", "--no-deps", "--format-version", "1"));
const built = join(metadata.target_directory, "wasm32-unknown-unknown/wasm/bivalve_wasm.wasm");
const small = ["--remove-name-section", "--remove-producers-section"];
run("wasm-bindgen", ...small, "--target", "web", "--out-dir", join(web, "src/wasm"), built);
