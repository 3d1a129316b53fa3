// SPDX-License-Identifier: Apache-2.0
// The vectors of the protocol, and scrypt compared with node's own: `node vectors.mjs TEST-MODULE FOLDER`.
import { readFileSync } from "node:fs";
import { randomBytes, scryptSync } from "node:crypto";
import { Machine, compiled, ended, equal, hex, octets, sentence, text } from "./module.mjs";

const [path, folder] = process.argv.slice(2);
const machine = new Machine(compiled(path));
const vectors = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`));
const scalar = (number) => octets(BigInt(number).toString(16).padStart(64, "0"));
const order = 0x2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6dn;

function asked(...fields) {
  const message = Buffer.concat(fields.flatMap((field) => {
    const written = typeof field === "string" ? Buffer.from(field) : Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(written.length);
    return [length, written];
  }));
  return machine.raw(message, "mpin_vector").slice(1);
}

/** U, UT and V of one proof. */
const proof = (id, token, factor, x, y, date, permit) =>
  asked(id, token, factor, x, y, date ? String(date) : "", permit).map(hex);

// Vectors whose answer was changed on its way do not come from a client.
const changed = /replaced|negated|another challenge/;
for (const one of vectors("bn254cx-auth").vectors.filter(({ name }) => !changed.test(name))) {
  await sentence(`U, UT and V: ${one.name}`, () => {
    const made = proof(
      octets(one.id), octets(one.token), scalar(one.pin_entered), octets(one.x), octets(one.y), one.date,
      octets(one.time_permit));
    equal(made, [one.U, one.date ? one.UT : "", one.V]);
  });
}

const login = vectors("milagro-login");
for (const [name, factor, date] of [
  ["login_nopermit_good", 9442, 0], ["login_permit_good", 9442, login.date],
  ["login_permit_wrong_pin_9445", 9445, login.date],
]) {
  await sentence(`a login of Milagro's core: ${name}`, () => {
    const made = proof(
      octets(login.mpin_id_hex), octets(login.token), scalar(factor), octets(login.x), octets(login.y), date,
      octets(login.time_permit));
    equal(made, [login[name].U, date ? login[name].UT : "", login[name].V]);
  });
}

for (const pin of ["1234", "271828", "correct horse battery staple", "x".repeat(128)]) {
  await sentence(`scrypt and the factor of a PIN of ${pin.length} characters are the same as node's`, () => {
    const salt = randomBytes(16);
    const long = BigInt(`0x${scryptSync(pin, salt, 48, { N: 16384, r: 8, p: 1 }).toString("hex")}`);
    const [made] = asked("stretch", `scrypt 16384 8 1 ${salt.toString("hex")}`, pin);
    equal(hex(made), (long % order).toString(16).padStart(64, "0"));
  });
}

// Costs, counts and dates beyond 32 bits arrive as text; an Int has 32 bits here.
for (const rule of [
  "scrypt 4294967296 8 1", "scrypt 16384 8 4294967295", "scrypt 999999999999 8 1", "scrypt 16384 2147483648 1",
]) {
  await sentence(`a rule beyond 32 bits is refused and causes no trap: ${rule}`, () =>
    equal(asked("stretch", `${rule} ${"00".repeat(16)}`, "1234"), []));
}
await sentence("a date beyond 31 bits gives no pass", () => {
  const made = asked(
    octets(login.mpin_id_hex), octets(login.token), scalar(1), octets(login.x), octets(login.y), "2147483648",
    octets(login.time_permit));
  equal(made.map(text), ["refused"]);
});
ended();
