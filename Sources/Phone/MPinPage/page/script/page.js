// SPDX-License-Identifier: Apache-2.0
// The start of the page: checks the browser, reads the address, and draws the first screen.
import { approve } from "./approve.js";
import { missing } from "./device.js";
import { enrol } from "./enrol.js";
import { prepare, read } from "./machine.js";
import { clear } from "./screen.js";
import { home, lost, refused, stranger } from "./start.js";
import { prepareTexts } from "./texts.js";
import * as vault from "./vault.js";

const isFramed = globalThis.isFramed !== false;

async function begin(fragment) {
  // If first.js did not run to its end, the fragment is not a string.
  const lack = isFramed ? "framed" : typeof fragment === "string" ? missing() : "failed";
  if (lack) return refused(lack);
  let identities;
  try {
    identities = await vault.list();
  } catch (error) {
    if (error.name === "VersionError") return newer();
    return vault.wasEnrolled() ? refused("unread", () => begin(fragment)) : refused("noStorage");
  }
  try {
    await prepare();
  } catch (error) {
    return error instanceof WebAssembly.CompileError
      ? refused("tooOld") : refused("unavailable", () => begin(fragment));
  }
  return route(fragment, identities);
}

async function route(fragment, identities) {
  if (fragment === "") return home();
  const { word, scanned, name, code } = await read(fragment);
  switch (word) {
    case "session":
      if (identities.length) return approve(scanned, home);
      return vault.wasEnrolled() ? lost() : stranger(await vault.pending(), { scanned: true });
    case "enrol": return enrol(name, code, home);
    case "nothing": return home();
    case "otherOrigin": return refused("otherOrigin", home);
    default: return refused("notUnderstood", home);
  }
}

// An unexpected error must not leave the user with a screen that seems to be working.
const guarded = (fragment) => begin(fragment).catch((error) => failed(error, fragment));

async function failed(error, fragment) {
  if (error?.name === "VersionError") return newer();
  const isEmptied = error?.message === "the key is gone" || error?.name === "OperationError";
  if (isEmptied) return lost();
  refused("failed", () => guarded(fragment));
}

const newer = () => refused("newer", () => location.reload());

/** Keeps the page's files for the next start. */
async function keepFiles() {
  const workers = navigator.serviceWorker;
  if (!workers || isFramed) return;
  const hadOne = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    // Loads a new version of the page, but only if the user has not begun anything that would be lost.
    const { screen } = document.getElementById("main").dataset;
    const isIdle = screen === "home" && !document.activeElement?.value;
    if (hadOne && isIdle) location.reload();
  });
  const policy = globalThis.trustedTypes?.createPolicy("mpin", { createScriptURL: () => "/worker.js" });
  await workers.register(policy ? policy.createScriptURL("") : "/worker.js", { updateViaCache: "none" })
    .catch(() => {});
}

await prepareTexts();
document.getElementById("server").textContent = location.host;
// Another QR code was scanned while the page is open: the page starts again, and first.js reads the fragment.
addEventListener("hashchange", () => {
  clear();
  if (location.hash.length > 1) location.reload();
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  failed(event.reason, "");
});
const { fragment } = globalThis;
globalThis.fragment = "";
await guarded(fragment);
await keepFiles();
