// SPDX-License-Identifier: Apache-2.0
// Texts in English or German, by the browser's language: sentences with values, numbers, times, spelled
// letters.
import { ends, honest } from "./endings.js";
import { table } from "./words.js";

// Singular and plural.
const counted = {
  tries: [["one try left", "{n} tries left"], ["noch ein Versuch", "noch {n} Versuche"]],
  wrong: [["one wrong PIN", "{n} wrong PINs"], ["eine falsche PIN", "{n} falsche PINs"]],
};

// The spelling alphabets of ICAO and DIN 5009.
const spelling = [
  "Bravo Charlie Delta Foxtrot Golf Hotel Juliett Kilo Lima Mike November Papa Quebec Romeo Sierra "
    + "Tango Victor Whiskey X-ray Zulu",
  "Berlin Chemnitz Düsseldorf Frankfurt Goslar Hamburg Jena Köln Leipzig München Nürnberg Potsdam "
    + "Quickborn Rostock Salzwedel Tübingen Völklingen Wuppertal Xanten Zwickau",
].map((words) => new Map(words.split(" ").map((word) => [word[0], word])));

const isGerman = /^de\b/i.test(navigator.language);
const column = isGerman ? 1 : 0;
export const language = isGerman ? "de" : "en";

/** A sentence with its placeholders. */
export const raw = (key) => table[key][column];

/** A sentence whose values are plain text. */
export const t = (key, values = {}) => filled(raw(key), values);

export const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? values[name] : all));

/** Title and explanation of an ending; those of `failed` for an unknown keyword. */
export function ending(word) {
  const row = Object.hasOwn(ends, word) ? ends[word] : ends.failed;
  return { title: row[column], lead: row[2 + column] };
}

export const honesty = () => honest.map((row) => ({ title: row[column], lead: row[2 + column] }));

export const count = (key, n) => filled(counted[key][column][n === 1 ? 0 : 1], { n });

export const fault = ({ word, length: n }) =>
  t(Object.hasOwn(table, `fault.${word}`) ? `fault.${word}` : "fault", { n });

/** The first eight digits of an identity, which administrators compare. */
export const short = ({ id }) => id.slice(0, 8);

/** An identity's label, with eight digits if another identity has the same label. */
export function named(one, all) {
  const isShared = all.some(({ id, label }) => id !== one.id && label === one.label);
  return isShared ? `${one.label} (${short(one)})` : one.label;
}

export const spelled = (letter) => spelling[column].get(letter) ?? letter;

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** How long ago, as a phrase. */
export function ago(seconds) {
  if (seconds < 60) return relative.format(-seconds, "second");
  const [unit, name] = seconds < 7200 ? [60, "minute"] : [3600, "hour"];
  return relative.format(-Math.floor(seconds / unit), name);
}

/** A duration, rounded up. */
export function lasting(seconds) {
  const [value, unit] = seconds < 60 ? [seconds, "second"]
    : seconds < 7200 ? [Math.ceil(seconds / 60), "minute"] : [Math.ceil(seconds / 3600), "hour"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

export const moment = (seconds) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(1000 * seconds);
