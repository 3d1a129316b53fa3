// SPDX-License-Identifier: Apache-2.0
// Draws one screen at a time. Texts become text nodes, never markup.
import { raw, t } from "./texts.js";

const byID = (id) => document.getElementById(id);
const drawing = "http://www.w3.org/2000/svg";
const symbols = {
  yes: "M5 12.5l4.5 4.5L19 7.5", no: "M7 7l10 10M17 7L7 17", wait: "M12 6.5V12l3.5 2.5",
  warn: "M12 6.5v7M12 17.2v.1", phone: "M8.5 4.5h7v15h-7zM11 16.8h2",
};

let leave = () => {};

/** Makes an element. A property that is a function becomes a listener; `null` children are left out. */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A sentence in which each value is set off: strong, and with its own writing direction. */
export const rich = (key, values) => raw(key).split(/(\{\w+\})/).map((part) => {
  const name = part.slice(1, -1);
  if (!part.startsWith("{") || !Object.hasOwn(values, name)) return part;
  // A short name stays on one line, also of 320 pixels.
  return el("strong", { class: values[name].length < 16 ? "whole" : null }, el("bdi", {}, values[name]));
});

export function symbol(name) {
  const [svg, circle, path] = ["svg", "circle", "path"].map((kind) =>
    document.createElementNS(drawing, kind));
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("symbol", name);
  for (const [key, value] of [["cx", 12], ["cy", 12], ["r", 11]]) circle.setAttribute(key, value);
  path.setAttribute("d", symbols[name]);
  svg.append(circle, path);
  return svg;
}

/**
 * Draws a screen in place of the one before, and puts the focus on its title, so that a screen reader reads
 * it. `name` is for styles and tests. `focus` is an element that gets the focus instead. `onLeave` is called
 * once when the next screen comes.
 */
export function screen({ name, title, lead, mark, body = [], actions = [], focus, onLeave = () => {} }) {
  leave();
  leave = onLeave;
  const head = el("h1", { tabindex: "-1" }, title);
  const text = typeof lead === "string" ? [lead] : lead;
  const main = byID("main");
  main.replaceChildren(el("section", { class: `screen ${name}` },
    mark ? symbol(mark) : null, head, text ? el("p", { class: "lead" }, text) : null,
    body, actions.length ? el("div", { class: "actions" }, actions) : null));
  main.dataset.screen = name;
  document.title = `${head.textContent} – M-Pin`;
  byID("live").textContent = "";
  scrollTo(0, 0);
  (focus ?? head).focus({ preventScroll: !focus });
}

/** Ends what the current screen began: stops its clocks and wipes its typed PIN. */
export function clear() {
  leave();
  leave = () => {};
}

/** Makes a screen reader say the text at its next pause. */
export const say = (text) => { byID("live").textContent = text; };

export const button = (text, click, kind = "plain", properties = {}) =>
  el("button", { type: "button", class: kind, click, ...properties }, text);

export const goButton = (text, click) => button(text, click, "go");

/** Rows of names and exact values, which the word "Details" opens. */
export const details = (rows) => el("details", {}, el("summary", {}, t("details")),
  el("dl", {}, rows.filter(([, value]) => value).flatMap(([name, value]) =>
    [el("dt", {}, name), el("dd", {}, el("bdi", {}, value))])));

/** The screen during work that takes time. */
export function busy(title, body = []) {
  screen({ name: "busy", title, body: [el("div", { class: "spinner", "aria-hidden": "true" }), ...body] });
}

/** Waits for two frames: then the screen has been drawn, and long work may begin. */
export const drawn = () => new Promise((done) => {
  // A page in the background gets no frames.
  const timer = setTimeout(done, 300);
  requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(timer); done(); }));
});

/** Calls `tick` with the seconds left, now and each second, at last with 0. Returns a function to stop it. */
export function clock(until, tick) {
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  let last = left();
  tick(last);
  const timer = setInterval(() => {
    const now = left();
    if (now === last) return;
    last = now;
    if (now === 0) clearInterval(timer);
    tick(now);
  }, 200);
  return () => clearInterval(timer);
}
