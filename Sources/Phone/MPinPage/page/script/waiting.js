// SPDX-License-Identifier: Apache-2.0
// The list of the logins that wait for this device, on the first screen. It asks the server every two
// seconds, while the page is visible, for two minutes.
import { origin } from "./approve.js";
import { run } from "./machine.js";
import { button, el, rich } from "./screen.js";
import { ending, lasting, named, spaced, t } from "./texts.js";
import * as vault from "./vault.js";

const pause = 2_000;
const longest = 120_000;

/**
 * `choose(login, denies)` gets a login that the user approves or refuses: its wid and its number. The result
 * has `node`, and `end` to call when the screen is left: then nothing more is asked.
 */
export function waitingList(identities, choose) {
  const note = el("p", { class: "hint", role: "status" });
  const list = el("ul", { class: "rows waiting" });
  const again = button(t("waitingAgain"), () => begin(), "plain", { hidden: true });
  const rows = new Map();
  const tell = (text) => { if (note.textContent !== text) note.textContent = text; };

  // A row keeps its place, also when its login is over, so that no other one comes under a finger.
  const draw = (logins) => {
    for (const [wid, row] of rows) if (!logins.some((one) => one.wid === wid)) row.end();
    for (const login of logins.sort((one, other) => other.seconds - one.seconds)) {
      if (!rows.has(login.wid)) {
        rows.set(login.wid, entry(login, identities, choose));
        list.append(rows.get(login.wid).node);
      }
      rows.get(login.wid).update();
    }
    tell(t(logins.length ? "waitingSome" : "waitingNone"));
  };

  const clear = () => {
    rows.clear();
    list.replaceChildren();
  };

  // The object of the flow that may ask; null if none may.
  let asking = null;
  const end = () => { asking = null; };
  async function begin() {
    const flow = asking = {};
    again.hidden = true;
    clear();
    tell("");
    const done = await ask(draw, () => asking === flow);
    if (asking !== flow) return;
    clear();
    tell(reason(done));
    if (done.word === "tooOften") {
      await lasts(done);
      return asking === flow && begin();
    }
    asking = null;
    again.hidden = false;
  }

  const isAble = identities.some((one) => one.state === "good");
  const follow = () => (document.hidden || !isAble ? end() : begin());
  document.addEventListener("visibilitychange", follow);
  addEventListener("online", follow);
  follow();
  return {
    node: el("div", { class: "list" }, note, list, again),
    end() {
      end();
      document.removeEventListener("visibilitychange", follow);
      removeEventListener("online", follow);
    },
  };
}

/** Asks until an answer is an error, `mayAsk` says no, or the time is over. */
async function ask(draw, mayAsk) {
  const record = await vault.records();
  if (!mayAsk()) return record.forEach((one) => one.fill(0));
  const until = Date.now() + longest;
  const time = String(Math.floor(Date.now() / 1000));
  let next = performance.now();
  return run("waiting", { origin: location.origin, time, record }, {
    waiting: async (logins) => {
      if (!mayAsk()) return false;
      draw(logins);
      next = Math.max(next + pause, performance.now());
      await new Promise((done) => setTimeout(done, next - performance.now()));
      return mayAsk() && Date.now() < until;
    },
  });
}

// How long the server wants no question, in seconds.
const rest = ({ seconds }) => Number(seconds) || 60;
const lasts = (done) => new Promise((end) => setTimeout(end, 1000 * rest(done)));

/** Why nothing more is asked, or not for a while. */
function reason(done) {
  const { word } = done;
  if (word === "declined") return t("waitingStopped");
  if (word === "notOffered") return t("waitingNotOffered");
  if (word === "tooOften") return t("waitingTooOften", { time: lasting(rest(done)) });
  const { title, lead } = ending(word);
  return `${title}. ${lead}`;
}

function entry(login, identities, choose) {
  const seen = { ...login, seconds: Number(login.seconds) };
  const from = el("small");
  const owner = identities.length > 1 ? el("small", {}, el("bdi", {}, named(login, identities))) : null;
  const number = spaced(login.number);
  const question = el("span", {}, rich("askConsole", seen));
  const buttons = [
    button([el("b", {}, number), question, from, owner], () => choose(login, false)),
    button(t("notMe"), () => choose(login, true), "link", { "aria-label": `${t("notMe")}: ${number}` }),
  ];
  return {
    node: el("li", {}, buttons),
    update() { from.textContent = origin(seen); },
    end() {
      for (const one of buttons) one.disabled = true;
      // In place of another single line, so that the row keeps its height.
      buttons[1].textContent = ending("noSession").title;
      buttons[1].removeAttribute("aria-label");
    },
  };
}
