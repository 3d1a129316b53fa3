// SPDX-License-Identifier: Apache-2.0
// What kind of device and browser this is, as far as the screens must know.
const agent = navigator.userAgent;

export const isIOS = /iPhone|iPad|iPod/.test(agent)
  || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

export const isInstalled = navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;

/** A name by which people tell their devices apart. */
export function deviceName() {
  const names = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android.*Mobile/, "Android phone"],
    [/Android/, "Android tablet"], [/CrOS/, "Chromebook"], [/Windows/, "Windows computer"],
    [/Macintosh/, isIOS ? "iPad" : "Mac"], [/Linux/, "Linux computer"]];
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? "phone";
}

/** What the browser lacks, or null. */
export function missing() {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) return "insecure";
  if (!globalThis.WebAssembly || !AbortSignal.timeout) return "tooOld";
  return globalThis.indexedDB ? null : "noStorage";
}
