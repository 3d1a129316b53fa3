// SPDX-License-Identifier: Apache-2.0
// The texts of the page in every language: `node languages.mjs PAGE`, where PAGE is the folder of its sources.
import { readFileSync, readdirSync } from "node:fs";
import { ended, equal, sentence } from "./module.mjs";

const [folder] = process.argv.slice(2);
const names = readdirSync(`${folder}/languages`).map((file) => file.replace(".js", ""));
const languages = names.filter((name) => !name.includes("-"));

/** All texts of a language, each under the path that leads to it. */
async function texts(language) {
  const both = await Promise.all([language, `${language}-endings`].map((name) => {
    const source = readFileSync(`${folder}/languages/${name}.js`, "utf8");
    return import(`data:text/javascript,${encodeURIComponent(source)}`);
  }));
  const { counted, spelling, ...others } = { ...both[0], ...both[1] };
  return { counted, spelling, texts: Object.fromEntries(flat(others)) };
}

const flat = (value, path = "") => (typeof value === "string" ? [[path, value]]
  : Object.entries(value).flatMap(([name, one]) => flat(one, `${path} ${name}`)));

const values = (text) => [...new Set(text.match(/\{\w+\}/g))].sort();

const english = await texts("en");
await sentence("the page offers each language that it has texts in", () => {
  const [, list] = /there = (\[.*?\])/.exec(readFileSync(`${folder}/script/first.js`, "utf8"));
  equal(JSON.parse(list).sort(), languages);
});
for (const language of languages) {
  await sentence(`${language} has every text, with the values of the English one`, async () => {
    const { counted, spelling, texts: own } = await texts(language);
    equal(Object.keys(own).sort(), Object.keys(english.texts).sort());
    for (const [path, text] of Object.entries(english.texts)) equal(values(own[path]), values(text), path);
    equal(Object.values(own).filter((text) => !text.trim()), []);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    equal(Object.keys(counted), Object.keys(english.counted));
    for (const forms of Object.values(counted)) {
      // Only millions have the form "many" in Romance languages.
      const needed = pluralCategories.filter((form) => form !== "many" || pluralCategories.length > 3);
      equal(needed.filter((form) => !forms[form]), []);
    }
    const letters = spelling?.split(" ").map(([letter]) => letter).join("");
    equal(letters ?? "BCDFGHJKLMNPQRSTVWXZ", "BCDFGHJKLMNPQRSTVWXZ");
  });
}
ended();
