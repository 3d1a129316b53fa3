// SPDX-License-Identifier: Apache-2.0
// A phone: runs the module's flows to their end with a real mpind, and keeps what a browser would store.
import { randomBytes } from "node:crypto";
import { Machine, equal, named, octets, row, text } from "./module.mjs";

export const PIN = "271828";

export class Phone {
  constructor(module, mpind) { Object.assign(this, { module, mpind, records: new Map(), pending: null }); }

  /**
   * One flow in a new instance; returns the word after `done` and the values after it, without their names, which
   * stand in `said`. `person` may have `pin`, `choose`, `keeps`
   * (whether a record is stored), `request` (in place of the real one) and `again` (whether to ask again after a
   * list of what waits; `lists` has them all). Afterwards, and while such a list is shown, the module's memory
   * contains neither the PIN nor a share, token or device key.
   */
  async run(verb, values, person = {}) {
    const machine = new Machine(this.module);
    const secrets = [];
    this.shown = null;
    this.asked = [];
    this.lists = [];
    let step = machine.call(verb, ...row(values));
    for (;;) {
      const [verb, ...rest] = step;
      const words = rest.map(text);
      const kind = text(verb);
      if (kind === "done") break;
      this.asked.push(kind === "http" ? words[0] : kind);
      if (kind === "http") {
        const answer = await (person.request ?? (() => null))(words) ?? await this.mpind.request(words);
        if (answer === "closed tab") return ["closed tab"];
        secrets.push(...sharesOf(answer));
        step = machine.call(...answer);
      } else if (kind === "show") {
        this.shown = named(words);
        step = person.pin === null ? machine.call("declined") : machine.call("pin", person.pin ?? PIN);
      } else if (kind === "waiting") {
        this.lists.push(loginsIn(rest));
        for (const record of this.records.values()) {
          for (const secret of secretsOf(record)) equal(machine.holds(secret), false, "a list keeps a secret");
        }
        step = machine.call(person.again?.() ? "again" : "declined");
      } else if (kind === "choose") {
        step = machine.call("chosen", person.choose(words));
      } else {
        if (kind === "store") secrets.push(...secretsOf(named(rest).record));
        step = machine.call(this.keep(kind, rest, person) ? "stored" : "notStored");
      }
    }
    for (const record of this.records.values()) secrets.push(...secretsOf(record));
    const used = [person.pin ?? PIN, person.newPIN ?? PIN];
    for (const secret of used) equal(machine.holds(secret), false, "the PIN is in memory");
    for (const secret of secrets) equal(machine.holds(secret), false, "a share, token or key is in memory");
    const [word, ...fields] = step.slice(1).map(text);
    this.said = named(fields);
    return [word, ...Object.values(this.said)];
  }

  keep(kind, fields, { keeps = true }) {
    if (!keeps) return false;
    if (kind === "save") this.pending = fields[0];
    if (kind === "store") {
      const { id, record } = named(fields);
      this.records.set(text(id), record);
      this.pending = null;
    }
    if (kind === "remove") this.records.delete(text(fields[0]));
    return true;
  }

  /** The server's rules for new PINs. */
  demand(request) { return this.run("demand", {}, { request }); }

  enrol(name, code, person = {}) {
    const pin = person.newPIN ?? PIN;
    const [length, kinds] = person.demand ?? ["4", ""];
    return this.run("enrol", {
      origin: this.mpind.origin, name, code, device: "a phone", time: "2026-11-23T12:00:00Z", salt: randomBytes(16),
      pin, pending: this.pending ?? "", length, kinds,
    }, person);
  }

  /** Proves the PIN of the first identity. */
  prove(pin = PIN, person = {}) {
    const [record] = this.records.values();
    return this.run("prove", { origin: this.mpind.origin, pin, record, ...person.values }, { newPIN: pin, ...person });
  }

  approve(scanned, person = {}) {
    const denies = person.denies ? "1" : "0";
    const record = [...this.records.values()];
    return this.run("approve", { origin: this.mpind.origin, scanned, denies, record }, person);
  }

  /** What waits for this phone: the flow ends after one list, if `person` does not want more. */
  waiting(person = {}) {
    const record = [...this.records.values()];
    const time = String(Math.floor(Date.now() / 1000));
    return this.run("waiting", { origin: this.mpind.origin, time, record }, person);
  }

  get ids() { return [...this.records.keys()]; }

  /** A phone with one identity, which a login has proved. */
  static async enrolled(module, mpind, name) {
    const phone = new Phone(module, mpind);
    const [word, id] = await phone.enrol(name, mpind.invited(name));
    equal([word, phone.ids], ["enrolled", [id]]);
    return phone;
  }
}

/** The logins in a message `waiting`. */
function loginsIn(fields) {
  const logins = [];
  for (let at = 0; at < fields.length; at += 2) {
    if (text(fields[at]) === "kind") logins.push({});
    logins.at(-1)[text(fields[at])] = text(fields[at + 1]);
  }
  return logins;
}

/** The secrets in an answer, as digits and as octets. */
const sharesOf = (answer) => ["clientSecretShare", "clientSecret", "deviceKey"].flatMap((name) => {
  const digits = answer[answer.indexOf(name) + 1];
  return answer.includes(name) ? [digits, octets(digits)] : [];
});

/** Token and device key of a record; only this test reads them. */
export function secretsOf(record) {
  const fields = [];
  const octets = Buffer.from(record);
  for (let at = 0; at < octets.length;) {
    const count = octets.readUInt32LE(at);
    fields.push(octets.subarray(at + 4, at + 4 + count));
    at += 4 + count;
  }
  equal([fields.length, fields[0].toString(), fields[6].length, fields[7].length], [8, "mpin device 1", 65, 32]);
  return fields.slice(6);
}

export const changed = (record) => {
  const other = Uint8Array.from(record);
  other[other.length - 1] ^= 1;
  return other;
};
