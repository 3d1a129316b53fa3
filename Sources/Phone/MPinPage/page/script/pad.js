// SPDX-License-Identifier: Apache-2.0
// The entry of a PIN: our own pad, so that no other keyboard sees the digits and no browser offers to save
// them, or a field for a passphrase. The typed octets are wiped afterwards.
import { button, el, say } from "./screen.js";
import { t } from "./texts.js";

const longest = 128;

/** A copy of a PIN. Chromium moves short arrays without a buffer of their own, and leaves what was there. */
export const copied = (pin, count = pin.length) => new Uint8Array(pin.buffer.slice(0, count));

/**
 * `kind` is `digits` or `text`; `done(octets)` gets the PIN and must wipe it; `changed(octets)`, if given,
 * gets a copy that it must wipe. The result has `node`, and `end` to call when the screen is left.
 */
export function pinEntry({ kind, done, changed }) {
  return kind === "text" ? field(done, changed) : pad(done, changed);
}

function pad(done, changed) {
  const typed = new Uint8Array(longest);
  let count = 0;
  const dots = el("p", { class: "dots", "aria-hidden": "true" });
  const wipe = () => { typed.fill(0); count = 0; };

  const draw = () => {
    dots.replaceChildren(...Array.from({ length: count }, () => el("i")));
    confirm.disabled = count === 0;
    say(t("typedCount", { count }));
    changed?.(copied(typed, count));
  };
  const digit = (code) => {
    if (count === longest) return;
    typed[count++] = code;
    draw();
  };
  const erase = () => {
    if (count === 0) return;
    typed[--count] = 0;
    draw();
  };
  const go = () => {
    if (count === 0) return;
    const octets = copied(typed, count);
    wipe();
    done(octets);
  };

  const key = (text, click, kind, label) =>
    button(text, click, kind, { "aria-label": label ?? null, mousedown: (event) => event.preventDefault() });
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((n) => key(String(n), () => digit(48 + n), "key"));
  const delete_ = key("⌫", erase, "key quiet", t("erase"));
  const confirm = key("✓", go, "key go", t("confirm"));
  confirm.disabled = true;

  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, summary")) return;
    if (/^[0-9]$/.test(event.key)) digit(event.key.charCodeAt(0));
    else if (event.key === "Backspace") erase();
    // Enter presses a button that has the focus anyway.
    else if (event.key === "Enter" && !event.target.closest?.("button, a")) go();
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", pressed);
  addEventListener("pagehide", wipe);
  const node = el("div", { class: "pad", role: "group", "aria-label": t("pad") }, dots,
    el("div", { class: "keys" }, digits.slice(0, 9), delete_, digits[9], confirm));
  return {
    node,
    end() {
      wipe();
      removeEventListener("keydown", pressed);
      removeEventListener("pagehide", wipe);
    },
  };
}

function field(done, changed) {
  const encoder = new TextEncoder();
  const input = el("input", {
    type: "text", id: "passphrase", autocomplete: "off", autocapitalize: "none", autocorrect: "off",
    spellcheck: "false", maxlength: String(longest), enterkeyhint: "go",
    input: () => changed?.(encoder.encode(input.value)),
    keydown: (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      go();
    },
  });
  const wipe = () => { input.value = ""; };
  const go = () => {
    if (input.value === "") return;
    const octets = encoder.encode(input.value);
    wipe();
    done(octets);
  };
  addEventListener("pagehide", wipe);
  // Neither a form nor a password field, because browsers offer to save what those send.
  const node = el("div", { class: "phrase" },
    el("label", { for: "passphrase" }, t("passphrase")), input, button(t("confirm"), go, "go"));
  return {
    node, input,
    end() {
      wipe();
      removeEventListener("pagehide", wipe);
    },
  };
}
