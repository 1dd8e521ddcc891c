// The page is a static bundle with relative addresses. A service worker, made here, keeps every file of it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle(_, bundle) {
      const files = ["./", ...Object.keys(bundle), ...readdirSync("public")].filter((file) => file !== "index.html");
      const hash = createHash("sha256");
      for (const file of Object.values(bundle)) hash.update(file.type === "chunk" ? file.code : file.source);
      const source = readFileSync("src/service-worker.js", "utf8")
        .replace("__FILES__", JSON.stringify(files))
        .replace("__VERSION__", JSON.stringify(hash.digest("hex").slice(0, 16)));
      this.emitFile({ type: "asset", fileName: "service-worker.js", source });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [serviceWorker()],
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0 },
  server: { fs: { allow: [".."] } },
});
