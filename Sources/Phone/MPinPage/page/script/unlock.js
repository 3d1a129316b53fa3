// SPDX-License-Identifier: Apache-2.0
// A fingerprint, a face or a security key in place of typing the PIN: an authenticator computes 32 octets
// that no other can (WebAuthn's extension PRF), after it has verified the user. They make the key that wraps
// the PIN.
import { pairs, request, run } from "./machine.js";
import { copied, pinEntry } from "./pad.js";
import { busy, button, drawn, el, goButton, rich, screen } from "./screen.js";
import { ending, lasting, t } from "./texts.js";
import * as vault from "./vault.js";

const attachments = { platform: "platform", roaming: "cross-platform" };
const random = () => crypto.getRandomValues(new Uint8Array(32));
// The length of a PIN that is wrapped does not show: it is padded to the longest one, behind its length.
const padded = 129;

/** Whether the server allows it. If it does not, what is kept here is erased. Without an answer it is not. */
async function isAllowed() {
  const [, status, ...members] = await request(["GET", "/rps/clientSettings"]);
  if (status !== "200") return false;
  const isRefused = Object.fromEntries(pairs(members)).useFingerprint === "false";
  if (isRefused) await vault.transact(["unlock"], "readwrite", ({ unlock }) => unlock.clear());
  return !isRefused;
}

/** The kinds of authenticators that this browser may have. WebAuthn needs a name, not an address. */
async function kinds() {
  const browser = globalThis.PublicKeyCredential;
  if (!browser || /^[\d.]+$|:/.test(location.hostname)) return [];
  const able = await browser.getClientCapabilities?.().catch(() => null);
  if (able?.["extension:prf"] === false) return [];
  const isHere = await browser.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
  return isHere ? ["platform", "roaming"] : ["roaming"];
}

/** What is wrapped on this device, by the identities' ids; empty if the server refuses it. */
export async function wrapped() {
  let ids;
  const rows = await vault.transact(["unlock"], "readonly", ({ unlock }) => {
    ids = unlock.getAllKeys();
    return unlock.getAll();
  });
  if (!rows.length || !await isAllowed()) return new Map();
  return new Map(ids.result.map((id, at) => [id, { id, ...rows[at] }]));
}

export const erase = (id) =>
  vault.transact(["unlock"], "readwrite", ({ unlock }) => unlock.delete(id));

const cannot = () => new DOMException("no octets of a verified user", "NotSupportedError");
/** Whether the authenticator says that it has verified the user (WebAuthn, section 6.1, the flag UV). */
const isVerified = (data) => (new Uint8Array(data)[32] & 4) !== 0;

/** Makes a credential. Throws if the authenticator cannot compute octets, or does not verify the user. */
async function made({ id, label }, kind) {
  const credential = await navigator.credentials.create({ publicKey: {
    rp: { id: location.hostname, name: "M-Pin" },
    user: { id: octetsOf(id), name: label, displayName: label },
    challenge: random(),
    pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: {
      authenticatorAttachment: attachments[kind], userVerification: "required", residentKey: "discouraged",
    },
    attestation: "none",
    // An older security key gives the same octets without the user's verification, unless it is told not to.
    extensions: { prf: {}, credentialProtectionPolicy: "userVerificationRequired" },
  } });
  const { response } = credential;
  if (!credential.getClientExtensionResults().prf?.enabled) throw cannot();
  if (!isVerified(response.getAuthenticatorData())) throw cannot();
  const transports = response.getTransports?.() ?? [];
  return { id, kind, credential: new Uint8Array(credential.rawId), transports, salt: random() };
}

/** The key that the authenticator gives for this identity, after it has verified the user. */
async function unwrapping({ id, credential, transports, salt }, signal) {
  const got = await navigator.credentials.get({ signal, publicKey: {
    rpId: location.hostname, challenge: random(), userVerification: "required", timeout: 60_000,
    allowCredentials: [{ type: "public-key", id: credential, transports }],
    extensions: { prf: { eval: { first: salt } } },
  } });
  const first = got.getClientExtensionResults().prf?.results?.first;
  if (first?.byteLength !== 32 || !isVerified(got.response.authenticatorData)) throw cannot();
  const octets = new Uint8Array(first.buffer ?? first, first.byteOffset ?? 0, 32);
  const base = await crypto.subtle.importKey("raw", octets, "HKDF", false, ["deriveKey"]);
  octets.fill(0);
  const info = new TextEncoder().encode(`mpin unlock 1\0${id}`);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const cipher = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(derivation, base, cipher, false, ["encrypt", "decrypt"]);
}

const octetsOf = (id) => Uint8Array.from(id.match(/../g), (digits) => parseInt(digits, 16));

async function wrap(row, key, pin) {
  const plain = new Uint8Array(padded);
  plain[0] = pin.length;
  plain.set(pin, 1);
  const sealed = await vault.encrypted(key, plain, vault.belonging("unlock", row.id));
  const { id, ...kept } = { ...row, ...sealed };
  await vault.transact(["unlock"], "readwrite", ({ unlock }) => unlock.put(kept, id));
}

/** The PIN, which the caller must wipe. */
async function unwrapped(row, signal) {
  const key = await unwrapping(row, signal);
  const parameters = { name: "AES-GCM", iv: row.iv, additionalData: vault.belonging("unlock", row.id) };
  const plain = new Uint8Array(await crypto.subtle.decrypt(parameters, key, row.octets));
  const pin = new Uint8Array(plain.buffer.slice(1, 1 + plain[0]));
  plain.fill(0);
  return pin;
}

/**
 * The entry of a PIN: by the authenticator of `way`, a row of `wrapped`, or typed if there is none, or if the
 * user prefers it, or if the authenticator does not help. As pinEntry; `done(octets, isUnlocked)`.
 */
export function entry({ kind, way, hint, done }) {
  const node = el("div", { class: "entry" });
  const leaving = new AbortController();
  let typing;
  const types = (note) => {
    leaving.abort();
    typing = pinEntry({ kind, done: (pin) => done(pin, false) });
    node.replaceChildren(el("p", { class: "hint", role: "status" }, note), typing.node);
    typing.input?.focus({ preventScroll: true });
  };
  const unlock = async () => {
    const pin = await unwrapped(way, leaving.signal).catch(() => null);
    if (leaving.signal.aborted) pin?.fill(0);
    else if (pin) done(pin, true);
    else types(t("unlockFailed"));
  };
  if (way) {
    node.append(el("p", { class: "hint" }, hint), el("div", { class: "actions" },
      button(t("typeIt"), () => types(hint)), goButton(t(`unlock.${way.kind}`), unlock)));
  } else types(hint);
  return {
    node, input: typing?.input,
    end() {
      leaving.abort();
      typing?.end();
    },
  };
}

/** What the settings of an identity say about this, or null if there is nothing to offer; `back` redraws. */
export async function settings(one, back) {
  const [able, isGood] = await Promise.all([kinds(), isAllowed()]);
  if (!able.length || !isGood) return null;
  const row = await vault.transact(["unlock"], "readonly", ({ unlock }) => unlock.get(one.id));
  const stop = async () => { await erase(one.id); back(); };
  return el("div", { class: "unlock" }, el("h2", {}, t("unlockTitle")),
    el("p", { class: "hint" }, t(row ? `unlockOn.${row.kind}` : "unlockLead")),
    row ? button(t("unlockStop"), stop)
      : able.map((kind) => button(t(`unlock.${kind}`), () => begin(one, kind, back))));
}

/** Lets an authenticator stand for the PIN: makes a credential, uses it once, and wraps the PIN. */
async function begin(one, kind, back) {
  const failed = (error) => {
    screen({
      name: "end unlock-failed", mark: "warn", title: t("unlockNotDone"),
      lead: t(error.name === "NotSupportedError" ? "unlockCannot" : "unlockCancelled"),
      actions: [button(t("back"), back), goButton(t("again"), () => begin(one, kind, back))],
    });
  };
  try {
    const row = await made(one, kind);
    // A button, because some browsers ask for a touch of the page before each use.
    screen({
      name: "unlock-use", mark: "phone", title: t("unlockUse"), lead: t("unlockUseLead"),
      actions: [button(t("cancel"), back), goButton(t(`unlock.${kind}`), () =>
        unwrapping(row).then((key) => prove(one, row, key, back)).catch(failed))],
    });
  } catch (error) {
    failed(error);
  }
}

/** Asks for the PIN, and wraps it when the server has accepted it. */
function prove(one, row, key, back, note = t("unlockProveLead")) {
  const typing = pinEntry({
    kind: one.kind ?? "digits",
    done: async (pin) => {
      try {
        busy(t("proving"));
        await drawn();
        const record = await vault.record(one.id);
        const done = await run("prove", { origin: location.origin, pin: copied(pin), record }, {});
        if (done.word === "enrolled") await wrap(row, key, pin);
        proved(done, { one, row, key, back });
      } finally {
        pin.fill(0);
      }
    },
  });
  screen({
    name: "unlock-pin", title: t("unlockProve"), lead: rich("unlockFor", { label: one.label }),
    body: [el("p", { class: "hint" }, note), typing.node], actions: [button(t("cancel"), back)],
    focus: typing.input, onLeave: typing.end,
  });
}

function proved({ word, why, seconds }, { one, row, key, back }) {
  if (why === "wrongPIN") return prove(one, row, key, back, ending(why).title);
  const isDone = word === "enrolled";
  const end = isDone
    ? { title: t("unlockDone"), lead: t(`unlockOn.${row.kind}`) }
    : ending(why ?? word);
  screen({
    name: isDone ? "end unlock-done" : `end ${why ?? word}`, mark: isDone ? "yes" : "warn", ...end,
    body: seconds ? [el("p", { class: "count" }, t("waitFor", { time: lasting(Number(seconds)) }))] : [],
    actions: [goButton(t("close"), back)],
  });
}
