// SPDX-License-Identifier: Apache-2.0
// Complete flows of the delivered module with a real mpind: `node flows.mjs MODULE MPIND`.
import { Machine, compiled, ended, equal, hex, octets, row, sentence, text } from "./module.mjs";
import { Mpind, label, mac } from "./mpind.mjs";
import { PIN, Phone, changed, secretsOf } from "./phone.mjs";

const [path, program] = process.argv.slice(2);
const module = compiled(path);
const mpind = await Mpind.started(program);
let phones = 0;
const after = [];
const offline = (stage) => ([name]) => (name === stage ? ["answer", "0"] : null);
const late = (stage) => ([name]) => (name === stage ? ["timedOut"] : null);
const refused = (stage, status) => ([name]) => (name === stage ? ["answer", String(status)] : null);

await sentence("the delivered module has two entries, a memory and one import, and no export for tests", () => {
  const exports = WebAssembly.Module.exports(module).map(({ name }) => name).sort();
  equal(exports, ["memory", "mpin_resume", "mpin_room"]);
  equal(WebAssembly.Module.imports(module).map(({ module, name }) => [module, name]), [["page", "random"]]);
});

try {
  const host = await mpind.host("prod-db1");

  await sentence("a phone enrols, and one login proves that it works", async () => {
    const phone = new Phone(module, mpind);
    const [word, id, label] = await phone.enrol("ada", mpind.invited("ada"));
    equal([word, label], ["enrolled", "ada"]);
    equal(phone.ids, [id]);
    equal(phone.asked.slice(0, 5), ["register", "save", "share1", "share2", "store"]);
  });

  await sentence("an enrolment with a PIN that is too easy is refused", async () => {
    const phone = new Phone(module, mpind);
    equal(await phone.enrol("bea", "BCDFGHJKLMNPQRST", { newPIN: "7777" }), ["pinRefused", "repeated"]);
    equal(await phone.enrol("beatrix@example.org", "B", { newPIN: "Beatrix" }), ["pinRefused", "name"]);
    equal(phone.asked, []);
  });

  await sentence("an enrolment with a PIN that breaks the server's rules is refused", async () => {
    equal(await new Phone(module, mpind).demand(), ["demand", "4", ""]);
    const strict = await Mpind.started(program, "pin-length = 8", "pin-kinds = no-dates");
    after.push(() => strict.close());
    const phone = new Phone(module, strict);
    const [word, ...demand] = await phone.demand();
    equal([word, demand, phone.asked], ["demand", ["8", "no-dates"], ["settings"]]);
    equal(phone.said, { length: "8", kinds: "no-dates" });
    const check = (pin) =>
      new Machine(module).call("check", ...row({ name: "bob", pin, ...phone.said })).map(text);
    equal([check("314159"), check("31121999")], [["pin", "asked", "length", "8"], ["pin", "date"]]);
    equal([check("31415926"), check("12121212")], [["pin", "good"], ["pin", "repeated"]]);
    equal(await phone.enrol("bob", "B", { newPIN: "314159", demand }), ["pinRefused", "asked", "8"]);
    equal(await phone.enrol("bob", "B", { newPIN: "31.12.99", demand }), ["pinRefused", "date"]);
    equal(phone.asked, []);
    equal((await phone.enrol("bob", strict.invited("bob"), { newPIN: "31415926", demand }))[0], "enrolled");
    const odd = (...members) => phone.demand(() => ["answer", "200", ...members]);
    equal(await odd("pinLength", "1", "pinKinds", "all"), ["demand", "4", ""]);
    equal(await odd("pinLength", "4000"), ["demand", "12", ""]);
    equal(await phone.demand(() => ["answer", "0"]), ["unavailable"]);
    equal(await phone.demand(() => ["timedOut"]), ["unavailable"]);
    equal(await phone.demand(() => ["answer", "404"]), ["failed", "answer"]);
    for (const other of [["3", ""], ["13", ""], ["", ""], ["8", "x"]]) {
      equal(await phone.enrol("bea", "B", { demand: other }), ["failed", "enrol"]);
    }
  });

  await sentence("an enrolment with a wrong code is refused", async () => {
    const phone = new Phone(module, mpind);
    mpind.invited("cleo");
    equal((await phone.enrol("cleo", "BCDFGHJKLMNPQRST"))[0], "notVerified");
    equal(phone.ids, []);
  });

  await sentence("an enrolment in a closed tab continues without the code", async () => {
    const phone = new Phone(module, mpind);
    const end = await phone.enrol("dora", mpind.invited("dora"), {
      request: ([at]) => (at === "share1" ? "closed tab" : null),
    });
    equal([end, phone.ids, phone.pending !== null], [["closed tab"], [], true]);
    equal((await phone.enrol("", ""))[0], "enrolled");
    equal([phone.ids.length, phone.pending], [1, null]);
  });

  await sentence("an enrolment whose share was lost starts again with the stored code, until a login", async () => {
    const phone = new Phone(module, mpind);
    const code = mpind.invited("dina");
    await phone.enrol("dina", code, { request: ([at]) => (at === "share2" ? "closed tab" : null) });
    equal((await phone.enrol("", ""))[0], "enrolled");
    equal(await new Phone(module, mpind).enrol("dina", code), ["notVerified"]);
  });

  await sentence("the record of an interrupted enrolment is not used for another name or server", async () => {
    const phone = new Phone(module, mpind);
    await phone.enrol("eve", mpind.invited("eve"), { request: ([at]) => (at === "share1" ? "closed tab" : null) });
    const kept = phone.pending;
    equal((await phone.enrol("ewa", mpind.invited("ewa")))[0], "enrolled");
    phone.pending = kept;
    const machine = new Machine(module);
    const answer = machine.call("enrol", ...row({
      origin: "https://other.example.org", name: "", code: "", device: "a phone", time: "2026-11-23T12:00:00Z",
      salt: new Uint8Array(16), pin: PIN, pending: kept, length: "4", kinds: "",
    }));
    equal(answer.map(text), ["done", "failed", "why", "record"]);
  });

  await sentence("a phone that cannot store a record reports that, and keeps nothing", async () => {
    const phone = new Phone(module, mpind);
    equal(await phone.enrol("flo", mpind.invited("flo"), { keeps: false }), ["notStored"]);
    equal(phone.ids, []);
  });

  await sentence("an enrolment that loses its connection continues later", async () => {
    for (const request of [offline("share1"), late("share1")]) {
      const phone = new Phone(module, mpind);
      const name = `gil-${phones++}`;
      equal(await phone.enrol(name, mpind.invited(name), { request }), ["unavailable"]);
      equal((await phone.enrol("", ""))[0], "enrolled");
    }
  });

  await sentence("a secret that no login could prove is kept, and reported as unproved", async () => {
    const phone = new Phone(module, mpind);
    const [word, id, label, why] = await phone.enrol("hal", mpind.invited("hal"), { request: offline("pass1") });
    equal([word, label, why, phone.ids], ["unproved", "hal", "unavailable", [id]]);
  });

  await sentence("a PIN is proved without a session: nothing is stored, and a wrong one counts", async () => {
    const phone = await Phone.enrolled(module, mpind, "ivy");
    const [id] = phone.ids;
    equal(await phone.prove(), ["enrolled", id, "ivy"]);
    equal(phone.asked, ["settings", "pass1", "pass2", "verdict"]);
    equal(await phone.prove(PIN, { request: offline("pass1") }), ["unproved", id, "ivy", "unavailable"]);
    equal(await phone.prove(PIN, { values: { record: "" } }), ["failed", "record"]);
    for (let tries = 0; tries < 2; tries++) equal(await phone.prove("999999"), ["withdrawn", "wrongPIN"]);
    for (const pin of ["999999", PIN]) equal(await phone.prove(pin), ["locked", "60"]);
    equal(phone.asked, ["settings", "pass1", "pass2", "verdict"]);
    equal(phone.ids, [id]);
  });

  await sentence("a secret with which no login succeeds is removed again", async () => {
    const phone = new Phone(module, mpind);
    const [word] = await phone.enrol("ida", mpind.invited("ida"), { request: refused("verdict", 401) });
    equal([word, phone.ids], ["withdrawn", []]);
  });

  await sentence("an unexpected answer to the proving login does not remove the identity", async () => {
    for (const [stage, status] of [["pass2", 404], ["verdict", 429]]) {
      const phone = new Phone(module, mpind);
      const name = `ike-${status}`;
      const [word, id] = await phone.enrol(name, mpind.invited(name), { request: refused(stage, status) });
      equal([word, phone.ids], ["unproved", [id]]);
    }
  });

  await sentence("a registration beyond the limit is refused, with the seconds until the next try", async () => {
    const phone = new Phone(module, mpind);
    const request = ([at]) => (at === "register" ? ["answer", "429", "retryAfter", "90"] : null);
    equal(await phone.enrol("jo", "BCDFGHJKLMNPQRST", { request }), ["full", "90"]);
  });

  await approvals(host);
} finally {
  for (const close of [() => mpind.close(), ...after]) await close();
}
ended();

async function approvals(host) {
  const phone = await Phone.enrolled(module, mpind, "kim");

  await sentence("an approval shows details of the login and gives the code that the host expects", async () => {
    for (const by of ["wid", "number"]) {
      const session = await host.session(phone.ids);
      equal((await phone.approve(session[by])).slice(0, 2), ["approved", session.code]);
      const { seconds, attempt, ...shown } = phone.shown;
      equal(shown, {
        kind: "console", host: "prod-db1", service: "sshd", account: "alice", source: session.source, page: "",
        id: phone.ids[0], label: "kim", life: "90",
      });
      equal([Math.abs(Number(seconds) - Date.now() / 1000) < 60, attempt.length], [true, 16]);
    }
  });

  await sentence("a wrong PIN approves nothing, and is in the notice of the next login", async () => {
    const wrong = await host.session(phone.ids);
    equal((await phone.approve(wrong.wid, { pin: "314159" }))[0], "wrongPIN");
    const [word] = await phone.approve((await host.session(phone.ids)).wid);
    const { wrong: count, time, source } = phone.said;
    equal([word, count, source.length > 0], ["approved", "1", true]);
    equal(Math.abs(Number(time) - Date.now() / 1000) < 60, true);
  });

  await sentence("a changed notice is reported as unknown", async () => {
    const request = async (words) => {
      if (words[0] !== "approve") return null;
      const answer = await mpind.request(words);
      const at = answer.indexOf("noticeTag");
      answer[at + 1] = "00".repeat(32);
      return answer;
    };
    const session = await host.session(phone.ids);
    const [word] = await phone.approve(session.wid, { request });
    equal([word, phone.said.wrong], ["approved", "unknown"]);
  });

  await sentence("a new device key is stored only if the old key's tag authenticates it", async () => {
    const [id] = phone.ids;
    const record = phone.records.get(id);
    const key = Buffer.alloc(32, 0x5a);
    const tag = mac(secretsOf(record)[1], label("mpin device key 1"), octets(id), key);
    for (const [given, keeps, kept] of [["00".repeat(32), true, false], [hex(tag), false, false], [hex(tag), true, true]]) {
      const request = async (words) => (words[0] === "approve"
        ? [...await mpind.request(words), "deviceKey", hex(key), "deviceKeyTag", given] : null);
      const session = await host.session(phone.ids);
      equal((await phone.approve(session.wid, { request, keeps })).slice(0, 2), ["approved", session.code]);
      equal(phone.asked.at(-1) === "store", given === hex(tag));
      equal(secretsOf(phone.records.get(id))[1].equals(key), kept);
    }
    phone.records.set(id, record);
  });

  await sentence("a denial needs a proof, and ends the session", async () => {
    const session = await host.session(phone.ids);
    equal(await phone.approve(session.wid, { denies: true }), ["denied"]);
    equal(await phone.approve(session.wid), ["noSession"]);
  });

  await sentence("after a user declines nothing more is sent", async () => {
    const session = await host.session(phone.ids);
    equal(await phone.approve(session.wid, { pin: null }), ["declined"]);
    equal(phone.asked, ["look", "show"]);
  });

  await sentence("text that cannot be a PIN is not sent", async () => {
    const session = await host.session(phone.ids);
    equal(await phone.approve(session.wid, { pin: "27 18\n28" }), ["noPIN"]);
    equal(phone.asked, ["look", "show"]);
  });

  await sentence("a session that does not exist, or is of another server, is reported", async () => {
    equal(await phone.approve("00".repeat(16)), ["noSession"]);
    equal(await phone.approve(`https://evil.example.org/#${"00".repeat(16)}`), ["otherOrigin"]);
    equal(await phone.approve("1234567"), ["failed", "scanned"]);
  });

  await sentence("approval details of another session or server are refused before the PIN", async () => {
    const [one, two] = [await host.session(phone.ids), await host.session(phone.ids)];
    const request = async (words) => (words[0] === "look"
      ? mpind.request(words.map((word) => (word === one.wid ? two.wid : word))) : null);
    equal([(await phone.approve(one.wid, { request }))[0], phone.asked], ["otherSession", ["look"]]);
    const seen = async (words) => {
      if (words[0] !== "look") return null;
      const answer = await mpind.request(words);
      const at = answer.indexOf("seen") + 1;
      const origin = Buffer.from("http://").toString("hex");
      answer[at] = answer[at].replace(origin, Buffer.from("hTtp://").toString("hex"));
      return answer;
    };
    equal(await phone.approve(one.wid, { request: seen }), ["otherOrigin"]);
  });

  await sentence("an application's session is reported before the PIN", async () => {
    const request = async (words) => {
      if (words[0] !== "look") return null;
      const answer = await mpind.request(words);
      const at = answer.indexOf("seen") + 1;
      const sshd = "0004" + hex(Buffer.from("sshd"));
      equal(answer[at].includes(sshd), true);
      answer[at] = answer[at].replace(sshd, "000b" + hex(Buffer.from("application")));
      return answer;
    };
    const session = await host.session(phone.ids);
    equal([await phone.approve(session.wid, { request }), phone.asked], [["application"], ["look"]]);
  });

  await sentence("without a connection, or without an answer in time, nothing is approved", async () => {
    for (const stage of ["look", "choose", "settings", "pass1", "pass2", "approve"]) {
      for (const request of [offline(stage), late(stage), refused(stage, 503)]) {
        const session = await host.session(phone.ids);
        equal(await phone.approve(session.wid, { request }), ["unavailable"], stage);
      }
    }
  });

  await sentence("a challenge made for another purpose gets no answer", async () => {
    const request = async (words) => {
      if (words[0] !== "pass1") return null;
      const answer = await mpind.request(words);
      const at = answer.indexOf("y") + 1;
      answer[at] = answer[at].replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
      return answer;
    };
    const session = await host.session(phone.ids);
    equal(await phone.approve(session.wid, { request }), ["failed", "seal"]);
    equal(phone.asked.includes("pass2"), false);
  });

  await sentence("a changed record proves nothing", async () => {
    const session = await host.session(phone.ids);
    const other = new Phone(module, mpind);
    other.records.set(phone.ids[0], changed([...phone.records.values()][0]));
    const [word] = await other.approve(session.wid);
    equal(["approved", "enrolled"].includes(word), false, word);
    const short = [...phone.records.values()][0].slice(0, -1);
    const answer = new Machine(module).call(
      "approve", ...row({ origin: mpind.origin, scanned: session.wid, denies: "0", record: short }));
    equal(answer.map(text), ["done", "failed", "why", "record"]);
  });

  await severalIdentities(host);
  await locked(host);
}

async function severalIdentities(host) {
  await sentence("of two identities the one that a session lists approves; a stranger's session lists none", async () => {
    const phone = await Phone.enrolled(module, mpind, "lea");
    equal((await phone.enrol("leo", mpind.invited("leo")))[0], "enrolled");
    equal(phone.ids.length, 2);
    for (const [at, label] of ["lea", "leo"].entries()) {
      const session = await host.session([phone.ids[at]]);
      const [word, code] = await phone.approve(session.wid);
      equal([word, code, phone.shown.label], ["approved", session.code, label]);
      equal(phone.asked.filter((at) => at === "pass1").length, 1);
    }
    equal(await phone.approve((await host.session(["ab".repeat(32)])).wid), ["otherIdentity"]);
    equal(phone.asked, ["look", "look"]);
  });

  await sentence("a browser's session lists no identity, so the user chooses one", async () => {
    const compatible = await Mpind.started(program, "profile = compat");
    after.push(() => compatible.close());
    const phone = await Phone.enrolled(module, compatible, "mia");
    equal((await phone.enrol("max", compatible.invited("max")))[0], "enrolled");
    const wid = await compatible.browser("Pay 1 euro\u202e");
    const [word, code] = await phone.approve(wid, { choose: (list) => list[list.indexOf("max") - 1] });
    equal([word, code, phone.shown.kind, phone.shown.label], ["approved", "", "browser", "max"]);
    equal(/^Pay 1 euro\?+$/.test(phone.shown.page), true);
  });
}

async function locked(host) {
  await sentence("wrong PINs in a row lock, and the tries left and the seconds are reported", async () => {
    const phone = await Phone.enrolled(module, mpind, "nora");
    const ends = [];
    for (let tries = 0; tries < 3; tries++) {
      ends.push(await phone.approve((await host.session(phone.ids)).wid, { pin: "314159" }));
    }
    equal(ends.slice(0, 2).map(([word]) => word), ["wrongPIN", "wrongPIN"]);
    const left = ends.slice(0, 2).map(([, count]) => Number(count));
    equal(left[0] > left[1] && left[1] > 0, true, `${left}`);
    const [word, seconds] = await phone.approve((await host.session(phone.ids)).wid);
    equal([word, Number(seconds) > 0], ["locked", true]);
    mpind.user("unlock", "nora");
    equal((await phone.approve((await host.session(phone.ids)).wid))[0], "approved");
    mpind.user("revoke", "nora");
    equal(["revoked", "noSession", "otherIdentity"].includes((await phone.approve((await host.session(phone.ids)).wid))[0]), true);
  });
}
