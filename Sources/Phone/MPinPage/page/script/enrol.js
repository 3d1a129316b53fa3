// SPDX-License-Identifier: Apache-2.0
// The screens of an enrolment: name and server, the PIN twice, the progress, and the result.
import { deviceName, isInstalled, isIOS } from "./device.js";
import { machine, read, row, run, said } from "./machine.js";
import { copied, pinEntry } from "./pad.js";
import { busy, button, details, drawn, el, goButton, rich, say, screen } from "./screen.js";
import { ending, fault, lasting, t } from "./texts.js";
import * as unlock from "./unlock.js";
import * as vault from "./vault.js";

/**
 * A new enrolment. Nothing is requested before the user has pressed a button, because programs that preview
 * links run scripts, too. Name and code are sent after the PIN has been typed.
 */
export async function enrol(name, code, home) {
  if (isIOS && !isInstalled && !await staysInBrowser(name, code)) return home();
  if (!await wanted(name)) return home();
  return register(name, code, home);
}

/** Continues an enrolment that was interrupted. */
export async function goOn(home) {
  const before = await vault.pending();
  return before ? register(before.name, "", home) : home();
}

function staysInBrowser(name, code) {
  const [user, secret] = [name, code].map(encodeURIComponent);
  const invitation = `${location.origin}/#enrol?user=${user}&code=${secret}`;
  return new Promise((answer) => {
    const copy = button(t("copy"), async () => {
      await navigator.clipboard.writeText(invitation).then(() => {
        copy.textContent = t("copied");
        say(t("copied"));
      }, () => {});
    }, "go");
    screen({
      name: "home-screen", mark: "phone", title: t("iosTitle"), lead: t("iosWhy"),
      body: [el("ol", { class: "steps" }, ["ios1", "ios2", "ios3"].map((step) => el("li", {}, t(step)))),
        el("p", { class: "hint" }, t("iosNote"))],
      actions: [button(t("stay"), () => answer(true)), copy],
    });
  });
}

function wanted(name) {
  return new Promise((answer) => {
    screen({
      name: "invited", mark: "phone", title: t("enrolTitle"),
      lead: rich("enrolLead", { name, server: location.host }),
      body: [el("p", { class: "hint" }, t("enrolWarning"))],
      actions: [button(t("cancel"), () => answer(false)), goButton(t("next"), () => answer(true))],
    });
  });
}

/** A PIN that was typed twice and that the module accepts, or null. `demand`: what the server demands. */
async function newPIN(name, demand) {
  const check = await machine();
  let kind = "digits", note = null;
  for (;;) {
    const first = await typed({ name, kind, check, note, demand });
    if (!first) return null;
    if (first.kind) {
      [kind, note] = [first.kind, null];
      continue;
    }
    const second = await typed({ name, kind, demand, repeats: true });
    if (!second) {
      first.pin.fill(0);
      return null;
    }
    const isSame = first.pin.length === second.pin.length
      && first.pin.every((octet, at) => octet === second.pin[at]);
    second.pin.fill(0);
    if (isSame) return { pin: first.pin, kind };
    first.pin.fill(0);
    note = t("differ");
  }
}

/** One entry: `{pin}`, or `{kind}` if the user switches between digits and passphrase, or null. */
function typed({ name, kind, check, note, demand, repeats = false }) {
  const passphrase = kind === "text";
  const advice = t(passphrase ? "phraseLead" : "chooseLead", { n: Math.max(6, demand.length) });
  return new Promise((answer) => {
    const hint = el("p", { class: "hint", role: "status" }, note ?? (repeats ? "" : advice));
    const judged = (pin) => {
      const judgement = said(check("check", ...row({ name, pin, ...demand })));
      pin.fill(0);
      return judgement;
    };
    const entry = pinEntry({
      kind,
      changed: repeats ? null : (pin) => {
        if (pin.length < 4) {
          pin.fill(0);
          return tell("plain", advice);
        }
        const judgement = judged(pin);
        tell(judgement.word, words(judgement));
      },
      done: (pin) => {
        const judgement = repeats ? { word: "good" } : judged(copied(pin));
        if (isGood(judgement)) return answer({ pin });
        pin.fill(0);
        tell(judgement.word, words(judgement));
        say(words(judgement));
      },
    });
    const isGood = ({ word }) => word === "good" || word === "fair";
    const words = (judgement) => (isGood(judgement) ? t(judgement.word) : fault(judgement));
    const tell = (word, sentence) => {
      hint.textContent = sentence;
      hint.dataset.word = word;
    };
    const other = passphrase ? "digits" : "text";
    screen({
      name: repeats ? "repeat" : "pin",
      title: t(`${repeats ? "repeat" : "choose"}${passphrase ? "Passphrase" : "PIN"}`),
      lead: rich("enrolLead", { name, server: location.host }),
      body: [hint, entry.node],
      actions: [
        button(t("cancel"), () => answer(null)),
        repeats ? null : button(t(passphrase ? "useDigits" : "useText"), () => answer({ kind: other })),
      ],
      focus: entry.input,
      onLeave: entry.end,
    });
    if (note) say(note);
  });
}

const stages = [
  { title: "stageRegister", words: ["register"], value: 1 },
  { title: "stageShares", words: ["share1", "share2"], value: 2 },
  { title: "stageProve", words: ["settings", "permit", "permit2", "pass1", "pass2", "verdict"], value: 4 },
];

function progress() {
  const items = stages.map(({ title }) => el("li", {}, t(title)));
  const bar = el("progress", { max: "9", "aria-label": t("enrolling") });
  busy(t("enrolling"), [bar, el("ol", { class: "stages" }, items)]);
  let value = 0;
  return (word) => {
    const now = stages.findIndex(({ words }) => words.includes(word));
    if (now < 0) return;
    bar.value = ++value;
    items.forEach((item, at) => { item.className = at < now ? "past" : at === now ? "now" : ""; });
    if (items[now].dataset.said !== "yes") say(items[now].textContent);
    items[now].dataset.said = "yes";
  };
}

async function register(name, code, home) {
  busy(t("enrolling"));
  const { word, ...demand } = await run("demand", {}, {});
  if (word !== "demand") return ended({ word, ...demand }, home, () => register(name, code, home));
  const chosen = await newPIN(name, demand);
  if (!chosen) return home();
  try {
    const stage = progress();
    await drawn();
    // Read at each try, because the previous try may have begun a registration.
    const before = await vault.pending();
    const kept = before?.name === name ? await before.open() : new Uint8Array();
    const time = new Date().toISOString().replace(/\.\d+/, "");
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const values = {
      origin: location.origin, name, code, device: deviceName(), time, salt, pin: chosen.pin, pending: kept,
      ...demand,
    };
    const done = await run("enrol", values, {
      stage,
      save: (record) => vault.keepPending(name, record),
      store: (id, label, record) => vault.keep(id, label, record, chosen.kind),
      remove: vault.forget,
    });
    await ended({ ...done, kind: chosen.kind }, home, () => register(name, code, home));
  } finally {
    chosen.pin.fill(0);
  }
}

// After these endings the code and a registration that was begun with it are useless.
const final = ["notVerified", "notAuthorized", "withdrawn"];

async function ended({ word, why, id, label, kind, seconds, length }, home, again) {
  const close = goButton(t("close"), home);
  if (word === "enrolled" || word === "unproved") {
    const offer = word === "enrolled" ? await unlock.settings({ id, label, kind }, home) : null;
    return screen({
      name: `end ${word}`, mark: word === "enrolled" ? "yes" : "warn", title: t(word),
      lead: rich(`${word}Lead`, { label }),
      body: [el("p", { class: "note" }, rich("nextBind", { command: "sudo mpin enroll USER --bind" })),
        details([[t("name"), label], [t("identityID"), id.match(/.{1,8}/g)?.join(" ")]]), offer],
      actions: [close],
    });
  }
  if (final.includes(word)) await vault.dropPending();
  const { title, lead } = ending(word);
  const time = word === "full" ? Number(seconds) : 0;
  const wait = time > 0 ? el("p", { class: "count" }, t("waitFor", { time: lasting(time) })) : null;
  screen({
    name: `end ${word}`, mark: "warn", title, lead,
    body: [wait, word === "pinRefused" ? el("p", { class: "note" }, fault({ word: why, length })) : null],
    actions: final.includes(word) ? [close] : [button(t("close"), home), goButton(t("again"), again)],
  });
}

/** Asks for name and code, for an app on the home screen. The name's field also takes a whole address. */
export function byHand(home) {
  const input = (id, autocapitalize) =>
    el("input", { id, autocapitalize, autocomplete: "off", spellcheck: "false" });
  const [name, code] = [input("name", "none"), input("code", "characters")];
  const submit = async (event) => {
    event.preventDefault();
    const pasted = name.value.trim();
    if (pasted.includes("#enrol?")) {
      const found = await read(pasted);
      if (found.word === "enrol") return enrol(found.name, found.code, home);
      const { title } = ending(found.word === "otherOrigin" ? found.word : "notUnderstood");
      return say(hint.textContent = title);
    }
    if (pasted && code.value.trim()) enrol(pasted, code.value.trim(), home);
  };
  const hint = el("p", { class: "hint", role: "alert" });
  screen({
    name: "by-hand", title: t("byCode"), lead: t("byCodeLead"),
    body: [el("form", { id: "by-hand", submit }, el("label", { for: "name" }, t("name")), name,
      el("label", { for: "code" }, t("code")), code, hint)],
    actions: [
      button(t("back"), home), el("button", { type: "submit", class: "go", form: "by-hand" }, t("next")),
    ],
  });
}
