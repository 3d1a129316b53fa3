// SPDX-License-Identifier: Apache-2.0
// Texts in the language that first.js chose: sentences with values, numbers, times, spelled letters.
let language, table, counted, ends, honest, words, relative;

// The spelling alphabet of ICAO, for languages without their own.
const icao =
  "Bravo Charlie Delta Foxtrot Golf Hotel Juliett Kilo Lima Mike November Papa Quebec Romeo Sierra Tango "
  + "Victor Whiskey X-ray Zulu";

/** Loads the texts; those in English if the others cannot be loaded. Called before the first screen. */
export const prepareTexts = () => load(document.documentElement.lang).catch(() => {
  Object.assign(document.documentElement, { lang: "en", dir: "ltr" });
  return load("en");
});

async function load(name) {
  const texts = await Promise.all([import(`./${name}.js`), import(`./${name}-endings.js`)]);
  [{ table, counted }, { ends, honest }] = texts;
  words = new Map((texts[0].spelling ?? icao).split(" ").map((word) => [word[0], word]));
  // Digits as on the pad and at the console.
  language = `${name}-u-nu-latn`;
  relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
}

/** A sentence with its placeholders. */
export const raw = (key) => table[key];

/** A sentence whose values are plain text. */
export const t = (key, values = {}) => filled(raw(key), values);

export const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? apart(values[name]) : all));

// Keeps an address in its own writing direction, as <bdi> does.
const apart = (value) => (document.dir === "rtl" ? `\u2068${value}\u2069` : value);

/** Title and explanation of an ending; those of `failed` for an unknown keyword. */
export function ending(word) {
  const [title, lead] = Object.hasOwn(ends, word) ? ends[word] : ends.failed;
  return { title, lead };
}

export const honesty = () => honest.map(([title, lead]) => ({ title, lead }));

export function count(key, n) {
  const forms = counted[key];
  return filled(forms[new Intl.PluralRules(language).select(n)] ?? forms.other, { n });
}

export const fault = ({ word, length: n }) =>
  t(Object.hasOwn(table, `fault.${word}`) ? `fault.${word}` : "fault", { n });

/** An access number as the console prints it. */
export const spaced = (number) => `${number.slice(0, 3)} ${number.slice(3)}`;

/** The first eight digits of an identity, which administrators compare. */
export const short = ({ id }) => id.slice(0, 8);

/** An identity's label, with eight digits if another identity has the same label. */
export function named(one, all) {
  const isShared = all.some(({ id, label }) => id !== one.id && label === one.label);
  return isShared ? `${one.label} (${short(one)})` : one.label;
}

export const spelled = (letter) => words.get(letter) ?? letter;

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
