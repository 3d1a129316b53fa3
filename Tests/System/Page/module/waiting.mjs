// SPDX-License-Identifier: Apache-2.0
// What waits for a phone, from the delivered module and a real mpind: `node waiting.mjs MODULE MPIND`.
import { Machine, compiled, ended, equal, hex, row, sentence, text } from "./module.mjs";
import { Mpind } from "./mpind.mjs";
import { Phone } from "./phone.mjs";

const [path, program] = process.argv.slice(2);
const module = compiled(path);
const mpind = await Mpind.started(program);

try {
  const host = await mpind.host("prod-db1");
  const phone = await Phone.enrolled(module, mpind, "kim");
  const session = await host.session(phone.ids);
  await lists(host, phone, session);
  await foreign(phone);
  await ends(phone);
} finally {
  await mpind.close();
}
ended();

/** The true answer, changed: `change` gets the values of its first login by their names. */
function changed(change) {
  return async (words) => {
    const members = (await mpind.request(words)).slice(2, 12);
    const login = {};
    for (let at = 0; at < members.length; at += 2) login[members[at].split(".")[1]] = members[at + 1];
    const others = change(login) ?? [login];
    return ["answer", "200", ...others.flatMap((one) =>
      Object.entries(one).flatMap(([name, value]) => [`waiting.${name}`, value]))];
  };
}

async function lists(host, phone, session) {
  await sentence("a phone hears what waits, in the words of a scan and with the console's number", async () => {
    equal(await phone.waiting(), ["declined"]);
    const [{ number, wid, ...words }, ...others] = phone.lists[0];
    equal([number, wid, others], [session.number, session.wid, []]);
    equal(phone.asked, ["waiting", "waiting"]);
    equal((await phone.approve(wid)).slice(0, 2), ["approved", session.code]);
    equal(words, phone.shown);
  });

  await sentence("it asks again until it is enough; what is approved or denied waits no more", async () => {
    const { wid } = await host.session(phone.ids);
    let times = 3;
    equal(await phone.waiting({ again: () => (times -= 1) > 0 }), ["declined"]);
    equal(phone.lists.map((list) => list.some((one) => one.wid === wid)), [true, true, true]);
    equal(await phone.approve(wid, { denies: true }), ["denied"]);
    equal(await phone.waiting(), ["declined"]);
    equal(phone.lists[0].some((one) => one.wid === wid), false);
  });

  await sentence("of two identities each gets its own logins, and one that asks for both is listed once", async () => {
    const two = await Phone.enrolled(module, mpind, "lea");
    equal((await two.enrol("leo", mpind.invited("leo")))[0], "enrolled");
    const asked = [[two.ids[0]], [two.ids[1]], two.ids, ["ab".repeat(32)]];
    const wids = [];
    for (const ids of asked) wids.push((await host.session(ids)).wid);
    equal(await two.waiting(), ["declined"]);
    const label = (wid) => two.lists[0].filter((one) => one.wid === wid).map((one) => one.label);
    equal(wids.map(label), [["lea"], ["leo"], ["lea"], []]);
    equal(two.asked, ["waiting", "waiting", "waiting"]);
  });
}

async function foreign(phone) {
  const host = await mpind.host("prod-db2");
  await host.session(phone.ids);
  const listed = async (change) => {
    const [word, why] = await phone.waiting({ request: changed(change) });
    return word === "declined" ? phone.lists[0].length : why;
  };
  const put = (from, to) => (login) => {
    const [old, other] = [from, to].map((one) => hex(Buffer.from(one)));
    equal(login.seen.includes(old), true, from);
    login.seen = login.seen.replace(old, other);
  };

  await sentence("a login of another server or session, or not of a console, ends the flow", async () => {
    equal(await listed(() => {}), 1);
    equal(await listed(put("http://", "hTtp://")), "answer");
    equal(await listed((login) => { login.wid = "ab".repeat(16); }), "answer");
    equal(await listed((login) => { login.wid = login.wid.toUpperCase(); }), "answer");
    for (const service of ["bind", "browser", "application"]) {
      equal(await listed((login) => {
        const written = (name) => `00${hex([name.length])}${hex(Buffer.from(name))}`;
        login.seen = login.seen.replace(written("sshd"), written(service));
      }), "answer", service);
    }
  });

  await sentence("a login without one of its values, or with a wrong one, ends the flow", async () => {
    for (const name of ["seen", "wid", "number", "life", "attempt"]) {
      equal(await listed((login) => { login[name] = "0"; }), "answer", name);
      equal(await listed((login) => { delete login[name]; }), "answer", name);
      equal(await listed((login) => [login, { [name]: login[name] }]), "answer", name);
    }
    equal(await listed((login) => { login.life = "3601"; }), "answer");
    equal(await listed((login) => [login, login]), 1);
    equal(await listed(() => []), 0);
  });
}

async function ends(phone) {
  await sentence("an older server, a limit and a lost connection each have their word", async () => {
    const answer = async (...answer) => phone.waiting({ request: () => answer });
    equal(await answer("answer", "404"), ["notOffered"]);
    equal(await answer("answer", "405"), ["notOffered"]);
    equal(await answer("answer", "429", "retryAfter", "17"), ["tooOften", "17"]);
    equal(await answer("answer", "429"), ["tooOften", ""]);
    for (const lost of [["answer", "0"], ["answer", "503"], ["timedOut"], ["closed"]]) {
      equal(await answer(...lost), ["unavailable"]);
    }
    equal(await answer("answer", "400"), ["failed", "answer"]);
    equal(phone.asked, ["waiting"]);
  });

  await sentence("a message out of turn, or with a wrong field, ends the flow", async () => {
    const [record] = phone.records.values();
    const values = { origin: mpind.origin, time: "1790000000", record };
    const began = (other) => new Machine(module).call("waiting", ...row({ ...values, ...other })).map(text);
    equal(began({}).slice(0, 4), ["http", "waiting", "POST", "/rps/waiting"]);
    equal(began({ origin: "https://other.example.org" }), ["done", "failed", "why", "record"]);
    equal(began({ origin: "ftp://example.org" }), ["done", "failed", "why", "origin"]);
    for (const time of ["", "-1", "1e9", "4294967296"]) {
      equal(began({ time }), ["done", "failed", "why", "record"], time);
    }
    equal(began({ record: [] }), ["done", "failed", "why", "record"]);
    equal(began({ record: Array(17).fill(record) }), ["done", "failed", "why", "record"]);
    const machine = new Machine(module);
    const broken = (...words) => equal(machine.call(...words).map(text), ["done", "broken"], words[0]);
    broken("again");
    machine.call("waiting", ...row(values));
    broken("again");
    machine.call("waiting", ...row(values));
    equal(machine.call("answer", "200").map(text), ["waiting"]);
    broken("pin", "1234");
    broken("again");
  });
}
