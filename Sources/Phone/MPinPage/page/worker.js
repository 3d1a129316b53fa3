// SPDX-License-Identifier: Apache-2.0
// The service worker: caches the page's own files, so that the page starts at once. All other requests go to
// the server as usual.
//
// packaging/page-files writes the digest of each file into `files`. So a changed file makes a new worker,
// which the browser fetches past every cache. A new worker caches either all of its files or none: if one
// does not match, as in a deployment that is not finished, the previous worker stays in use.
const files = {};
// Of the texts a phone needs those in its languages, and the English ones if others cannot be loaded.
const isNeeded = (path) => {
  const [, language] = /^\/([a-z]{2})(?:-endings)?\.js$/.exec(path) ?? [];
  return !language || language === "en" || navigator.languages.some((one) => one.startsWith(language));
};
const needed = Object.entries(files).filter(([path]) => isNeeded(path));
const name = `mpin ${Object.values(files).join(" ")}`;

async function keep() {
  const cache = await caches.open(name);
  await Promise.all(needed.map(async ([path, integrity]) => {
    const answer = await fetch(path, { integrity, cache: "no-cache", redirect: "error" });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  })).catch(async (error) => {
    await caches.delete(name);
    throw error;
  });
  await self.skipWaiting();
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((other) => other !== name).map((other) => caches.delete(other)));
}

async function kept(request, path) {
  const cache = await caches.open(name);
  return await cache.match(path) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method === "GET" && origin === location.origin && Object.hasOwn(files, pathname)) {
    event.respondWith(kept(event.request, pathname));
  }
});
