// SPDX-License-Identifier: Apache-2.0
// The first screen, the screens that it opens, and the screens for a browser that cannot be used.
import { read } from "./machine.js";
import { approve } from "./approve.js";
import { byHand, goOn } from "./enrol.js";
import { button, el, goButton, rich, say, screen } from "./screen.js";
import { ending, filled, honesty, named, t } from "./texts.js";
import * as unlock from "./unlock.js";
import * as vault from "./vault.js";
import { waitingList } from "./waiting.js";

export async function home() {
  const [identities, begun] = [await vault.list(), await vault.pending()];
  // Erases what the server does not allow any more.
  unlock.wrapped().catch(() => {});
  if (identities.length) return enrolled(identities, begun);
  if (vault.wasEnrolled()) return lost();
  return stranger(begun);
}

const how = () => button(t("how"), explained, "link");

const card = (begun) => begun && el("div", { class: "card" },
  el("p", {}, rich("pendingTitle", { name: begun.name })),
  el("div", { class: "actions" },
    button(t("drop"), async () => { await vault.dropPending(); await home(); }),
    goButton(t("goOn"), () => goOn(home))));

const steps = () => el("ol", { class: "steps" }, ["step1", "step2", "step3"].map((step) =>
  el("li", {}, el("span", {}, rich(step, { command: "sudo mpin enroll USER --phone" })))));

/** The screen of a browser without an identity; `scanned`: a login was scanned all the same. */
export function stranger(begun, { scanned = false } = {}) {
  screen({
    name: "stranger", mark: "phone", title: t("notEnrolled"),
    lead: scanned ? t("sessionElsewhere") : rich("notEnrolledLead", { server: location.host }),
    body: [begun ? card(begun) : steps(), el("p", { class: "hint" }, t("notKept"))],
    actions: [button(t("byCode"), () => byHand(home)), how()],
  });
}

function enrolled(identities, begun) {
  const hint = el("p", { class: "hint", id: "number-hint", role: "alert" });
  const input = el("input", {
    id: "number", inputmode: "numeric", autocomplete: "off", placeholder: "265 4318", enterkeyhint: "go",
    "aria-describedby": "number-hint",
    input: () => {
      const digits = input.value.replace(/[\s-]/g, "");
      if (/^\d{4,7}$/.test(digits)) input.value = `${digits.slice(0, 3)} ${digits.slice(3)}`;
    },
  });
  const submit = async (event) => {
    event.preventDefault();
    const { word, scanned } = await read(input.value.trim());
    if (word === "session") return approve(scanned, home);
    hint.textContent = word === "otherOrigin" ? ending(word).title : t("notANumber");
  };
  const waiting = waitingList(identities, ({ wid, number }, denies) =>
    approve(wid, home, denies, number));
  screen({
    name: "home", title: t("home"),
    body: [
      waiting.node,
      el("p", { class: "lead" }, t("homeLead")),
      el("form", { class: "number", submit }, el("label", { for: "number" }, t("number")), input, hint,
        el("button", { type: "submit", class: "go" }, t("next"))),
      card(begun),
      el("h2", {}, t("here")),
      el("ul", { class: "rows" }, identities.map((one) => row(one, named(one, identities)))),
    ],
    actions: [button(t("byCode"), () => byHand(home), "link"), how()],
    onLeave: waiting.end,
  });
}

const row = (one, label) => el("li", {},
  el("span", { class: "face", "aria-hidden": "true" }, [...label][0]?.toUpperCase() ?? ""),
  el("span", {}, el("bdi", {}, label),
    el("small", {}, one.state === "good" ? location.host : t(`state.${one.state}`))),
  one.state === "good"
    ? button(t("settings"), () => identity(one), "link", { "aria-label": t("settingsOf", { label }) }) : null,
  button(t("remove"), () => removal(one.id, label), "link", { "aria-label": t("removeOf", { label }) }));

async function identity(one) {
  const part = await unlock.settings(one, () => identity(one));
  screen({
    name: "identity", title: one.label, body: [part ?? el("p", { class: "hint" }, t("noSettings"))],
    actions: [goButton(t("back"), home)],
  });
}

function removal(id, label) {
  screen({
    name: "remove", mark: "warn", title: rich("removeTitle", { label }), lead: t("removeLead"),
    actions: [
      button(t("remove"), async () => { await vault.forget(id); await home(); }, "danger"),
      goButton(t("cancel"), home),
    ],
  });
}

/** The screen of a browser that has deleted its identities. */
export function lost() {
  const { title, lead } = ending("lost");
  screen({
    name: "end lost", mark: "warn", title, lead,
    actions: [goButton(t("next"), () => { vault.admitLoss(); stranger(null); })],
  });
}

function explained() {
  screen({
    name: "how", title: t("how"),
    body: honesty().flatMap(({ title, lead }) => [
      el("h2", {}, title),
      el("p", {}, filled(lead, { server: location.host })),
    ]),
    actions: [goButton(t("back"), home)],
  });
}

/** The page cannot be used: a framed page, an old browser, a private tab, no network. */
export function refused(word, again) {
  const { title, lead } = ending(word);
  screen({
    name: `end ${word}`, mark: "warn", title, lead, actions: again ? [goButton(t("again"), again)] : [],
  });
  say(title);
}
