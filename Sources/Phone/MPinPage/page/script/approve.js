// SPDX-License-Identifier: Apache-2.0
// The screens that approve or refuse a login: the question, the PIN, the approval code.
import { run } from "./machine.js";
import { busy, button, clock, details, drawn, el, goButton, rich, say, screen } from "./screen.js";
import { ago, count, ending, lasting, moment, named, short, spaced, spelled, t } from "./texts.js";
import * as unlock from "./unlock.js";
import * as vault from "./vault.js";

const day = 86_400;

/**
 * `scanned` is what the module read; `home` draws the first screen; `number` is that of a login which the
 * user chose by it.
 */
export async function approve(scanned, home, denies = false, number = "") {
  const identities = await vault.list();
  const began = { seen: null, until: Infinity, life: 0, wantsDenial: false, isUnlocked: false, number };
  busy(t("looking"));
  const wrapped = unlock.wrapped().catch(() => new Map());
  const records = await vault.records();
  const values = { origin: location.origin, scanned, denies: denies ? "1" : "0", record: records };
  const done = await run("approve", values, {
    show: async (values) => {
      began.seen = { ...values, seconds: Number(values.seconds), life: Number(values.life) };
      Object.assign(began, end(began.seen));
      const kind = identities.find(({ id }) => id === began.seen.id)?.kind ?? "digits";
      const pin = await asked(began, kind, denies, (await wrapped).get(began.seen.id));
      if (pin) busy(t("proving"));
      if (pin) await drawn();
      return pin;
    },
    choose: (some) => chosen(some, identities),
    store: (id, label, record) => vault.keep(id, label, record),
    remove: vault.forget,
  });
  if (began.wantsDenial) return approve(scanned, home, true, number);
  // It was changed elsewhere.
  if (done.word === "wrongPIN" && began.isUnlocked) await unlock.erase(began.seen.id);
  ended(done, began, { home, again: () => approve(scanned, home, denies, number) });
}

const isHosts = ({ kind }) => kind === "console" || kind === "bind";

// `until`: when the session is over at the latest. `life`: its lifetime in seconds, or 0 if the end is not
// exact, because the clocks of phone and server differ. A browser's session has no known lifetime.
function end({ seconds, life }) {
  if (!life) return { until: Date.now() + 1000 * day, life: 0 };
  const age = Date.now() / 1000 - seconds;
  const isKnown = age >= 0 && age < life;
  return { until: Date.now() + 1000 * (life - (isKnown ? age : 0)), life: isKnown ? life : 0 };
}

function chosen(some, identities) {
  return new Promise((choose) => {
    screen({
      name: "choose", title: t("whichOne"), lead: t("whichLead"),
      body: some.map(([id]) => {
        const one = identities.find((one) => one.id === id);
        return button(named(one, identities), () => choose(id), "row");
      }),
      actions: [button(t("cancel"), () => choose(null))],
    });
  });
}

const questions = { console: "askConsole", browser: "askBrowser", bind: "askBind" };
const hints = { browser: "browserWarning", bind: "bindWarning" };

// `way`: what unlocks the PIN, or undefined.
function asked(began, kind, denies, way) {
  const { seen } = began;
  return new Promise((answer) => {
    let isOver = false;
    const done = (pin, isUnlocked) => {
      began.isUnlocked = isUnlocked;
      // A PIN that is confirmed too late is not used.
      if (isOver) pin.fill(0);
      else answer(pin);
    };
    const hint = denies ? "" : t(hints[seen.kind] ?? (way ? "unlockHint" : "typePIN"));
    const entry = unlock.entry({ kind, way, hint, done });
    const from = el("p", { class: "lead" });
    const stop = clock(began.until, (left) => {
      from.textContent = origin(seen);
      isOver = left === 0;
      if (isOver) answer(null);
    });
    const refuse = () => { began.wantsDenial = true; answer(null); };
    screen({
      name: denies ? "deny" : "asked",
      title: denies ? t("notMeTitle") : rich(questions[seen.kind] ?? "askConsole", seen),
      lead: denies ? rich(isHosts(seen) ? "notMeLead" : "notMeBrowser", seen) : null,
      body: [
        began.number ? el("p", { class: "count" }, spaced(began.number)) : null,
        denies ? null : from,
        seen.page ? el("figure", { class: "quote" }, el("figcaption", {}, t("pageSays")),
          el("blockquote", {}, el("bdi", {}, seen.page))) : null,
        exact(seen),
        entry.node,
      ],
      actions: [
        button(t("cancel"), () => answer(null)),
        denies ? null : button(t("notMe"), refuse, "danger"),
      ],
      focus: entry.input,
      onLeave: () => { stop(); entry.end(); },
    });
  });
}

const exact = (seen) => details([
  [t("detailHost"), seen.host], [t("detailAccount"), seen.account], [t("detailService"), seen.service],
  [t("detailSource"), seen.source], [t("detailTime"), moment(seen.seconds)], [t("detailLabel"), seen.label],
  [t("detailAttempt"), seen.attempt],
]);

/** By which service, when and from where. If the phone's clock is behind, the age is not known. */
export function origin(seen) {
  const age = Math.round(Date.now() / 1000 - seen.seconds);
  const values = {
    service: seen.service, ago: age >= 0 ? ago(age) : moment(seen.seconds),
    source: place(seen.source, isHosts(seen)),
  };
  return `${t(seen.kind === "console" ? "askedBy" : "asked", values)}.`;
}

/** Describes a source, which is an address or a user at the machine itself. */
function place(source, isOfHost = true) {
  if (source === "" || source === "unknown") return t("fromUnknown");
  if (!source.startsWith("local:")) return t("fromAddress", { address: source });
  if (!isOfHost) return t("fromServer");
  const user = source.slice(6).split(":")[0];
  return user ? t("fromHereUser", { user }) : t("fromHere");
}

const marks = { denied: "yes", declined: "no", locked: "wait" };

function ended(done, began, { home, again }) {
  const { word } = done;
  const close = goButton(t("close"), home);
  if (word === "approved") return approved(done, began, home);
  const retries = began.until > Date.now() && ["wrongPIN", "noPIN", "unavailable", "failed"].includes(word);
  const late = word === "declined" && began.until <= Date.now();
  const end = late ? "noSession" : word;
  const { title, lead } = ending(end);
  screen({
    name: `end ${end}`, title, mark: marks[end] ?? "warn", lead,
    body: [more(done),
      word === "wrongPIN" && began.isUnlocked ? el("p", { class: "note" }, t("unlockStale")) : null],
    actions: retries ? [button(t("close"), home), goButton(t("again"), again)] : [close],
  });
}

/** What the server reports about tries and locks. */
function more({ word, triesLeft, seconds }) {
  if (word === "wrongPIN" && triesLeft) return el("p", { class: "count" }, count("tries", Number(triesLeft)));
  if (word !== "locked" || !seconds) return null;
  return el("p", { class: "count" }, t("waitFor", { time: lasting(Number(seconds)) }));
}

function approved({ code, triesLeft, wrong, time, source }, { seen, until, life }, home) {
  const left = triesLeft && count("tries", Number(triesLeft));
  const notes = [
    left ? el("p", { class: "note" }, t("warnTries", { tries: left })) : null,
    wrong === "unknown" ? el("p", { class: "note" }, t("warnUnknown")) : null,
    Number(wrong) > 0 ? el("p", { class: "note" }, t("warnWrong", {
      wrong: count("wrong", Number(wrong)), time: moment(Number(time)), source: place(source),
    })) : null,
  ];
  const close = goButton(t("close"), home);
  if (!code) {
    return screen({
      name: "end approved", mark: "yes", title: t("approved"), body: notes, actions: [close],
      lead: seen?.kind === "browser" ? t("approvedBrowser") : null,
    });
  }
  const isBind = seen?.kind === "bind";
  const bar = life ? el("progress", { max: String(life), "aria-hidden": "true" }) : null;
  const rest = life ? el("p", { class: "left" }) : null;
  let stop = () => {};
  screen({
    name: "approval-code", title: t("typeCode"), lead: t(isBind ? "typeCodeBind" : "typeCodeLead"),
    body: [tiles(code), isBind ? el("p", { class: "count" }, rich("compare", { id: short(seen) })) : null,
      bar, rest, ...notes],
    actions: [close], onLeave: () => stop(),
  });
  stop = clock(until, (seconds) => {
    if (life) {
      bar.value = seconds;
      rest.textContent = t("codeLeft", { seconds });
      if (seconds === 30 || seconds === 10) say(rest.textContent);
    }
    if (seconds === 0) {
      screen({
        name: "end gone", mark: "wait", title: t("codeGone"), lead: t("codeGoneLead"), actions: [close],
      });
    }
  });
}

/** The approval code in large letters, in two groups of three, each letter with its spelling word. */
function tiles(code) {
  const all = [...code].filter((letter) => /[A-Z]/.test(letter));
  const tile = (letter) => el("p", {}, el("b", {}, letter), el("small", {}, spelled(letter)));
  return el("div", { class: "code", "data-code": all.join("") },
    el("div", {}, all.slice(0, 3).map(tile)), el("div", {}, all.slice(3).map(tile)));
}
