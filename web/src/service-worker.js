// Keeps the files of the page, so that it works without a network. The list and the version are put in by
// vite.config.ts; another version is another cache, and the old one goes.
const FILES = __FILES__;
const CACHE = "bivalve-" + __VERSION__;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("bivalve-") && name !== CACHE;
  const clean = async () => {
    for (const name of (await caches.keys()).filter(old)) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(clean());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  // The files are the same for whoever asks, whatever the server says of `Vary`.
  const any = { ignoreSearch: true, ignoreVary: true };
  const answer = async () => (await caches.match(event.request, any)) ?? fetch(event.request);
  event.respondWith(answer());
});
