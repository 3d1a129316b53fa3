// SPDX-License-Identifier: Apache-2.0
// The kind of device and browser, as far as the screens depend on it.
const agent = navigator.userAgent;

export const isIOS = /iPhone|iPad|iPod/.test(agent)
  || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

export const isInstalled = navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;

/** A name that helps users to tell their devices apart. */
export function deviceName() {
  const names = [[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android.*Mobile/, "Android phone"],
    [/Android/, "Android tablet"], [/CrOS/, "Chromebook"], [/Windows/, "Windows computer"],
    [/Macintosh/, isIOS ? "iPad" : "Mac"], [/Linux/, "Linux computer"]];
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? "phone";
}

/** The keyword of what the browser lacks, or null. */
export function missing() {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) return "insecure";
  if (!globalThis.WebAssembly || !AbortSignal.timeout) return "tooOld";
  return globalThis.indexedDB ? null : "noStorage";
}
