// SPDX-License-Identifier: Apache-2.0
// Random and changed messages at the module's entries: none may trap. `node fuzz.mjs MODULE COUNT`. The
// sentence names the seed with which a run is repeated (MPIN_SEED).
import { createHash } from "node:crypto";
import { Machine, compiled, ended, equal, octets, row, sentence, text } from "./module.mjs";

const [path, count] = [process.argv[2], Number(process.argv[3])];
const module = compiled(path);
let state = BigInt(process.env.MPIN_SEED ?? Date.now());
const seed = state;

/** SplitMix64. */
function next(below) {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = state;
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) % BigInt(below));
}

const some = (list) => list[next(list.length)];
const noise = (most) => Uint8Array.from({ length: next(most) }, () => next(256));
const order = 0x2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6dn;
const ORIGIN = "https://login.example.org";
const numbers = ["", "0", "1", "-1", "200", "401", "2147483647", "2147483648", "4294967295", "4294967296",
  "9223372036854775807", "18446744073709551616", "999999999999", "1e9", "0x10", "٣", "true", "null"];
const verbs = ["read", "check", "enrol", "approve", "chosen", "pin", "declined", "stored", "notStored", "answer",
  "timedOut", "closed", "demand", "waiting", "again", "", "broken"];
const names = ["seen", "attempt", "asked", "usePermits", "appID", "date", "timePermit", "signature", "storageId",
  "y", "n", "authOTT", "OTP", "mpinId", "regOTT", "active", "bound", "params", "clientSecretShare", "deviceKey",
  "clientSecret", "code", "triesLeft", "retryAfter", "notice", "noticeTag", "deviceKeyTag", "pinLength", "pinKinds",
  "life", "waiting.seen", "waiting.wid", "waiting.number", "waiting.life", "waiting.attempt"];
const generator = "04"
  + "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b2"
  + "0000000000000000000000000000000000000000000000000000000000000001";
const seen = (service, origin = ORIGIN, wid = "ab".repeat(16)) => {
  const field = (value) => [value.length >> 8, value.length & 255, ...Buffer.from(value)];
  const texts = [origin, wid, "prod-db1", service, "alice", "203.0.113.9"].flatMap(field);
  return Buffer.from([...Buffer.from("mpin seen 1\0"), ...texts, 0, 0, 0, 0, 0x69, 0, 0, 0]).toString("hex");
};
const values = ["", "00", "ff".repeat(32), "00".repeat(32), generator, seen("sshd"), seen("browser"), seen("bind"),
  "7b7d", "x", "ab".repeat(16), "1", "true", "false", "ab".repeat(300), ...numbers];

const written = (...fields) => Buffer.concat(fields.flatMap((field) => {
  const length = Buffer.alloc(4);
  const value = Buffer.from(field);
  length.writeUInt32LE(value.length);
  return [length, value];
}));
const TIME = "2026-11-23T12:00:00Z";
const kinds = ["", "no-dates", "x"];
const record = () => written(
  "mpin device 1", "kim", TIME, '{"userID":"kim"}', ORIGIN, some(["number 10000", "milagro-string", "number 1000000"]),
  octets(generator), octets("11".repeat(32)));
const pending = () => written("mpin pending 1", "kim", '{"userID":"kim"}', "00112233", ORIGIN, some(["", "BCDF"]));

/** A message that the page might send at this step. */
function likely(step) {
  const verb = step ? text(step[0]) : "";
  if (verb === "http" || next(12) === 0) {
    const members = Array.from({ length: next(6) }, () => [some(names), some(values)]).flat();
    const status = next(16) ? "200" : some(numbers);
    return next(8) ? ["answer", status, ...answers(step), ...members] : ["answer", status, ...members];
  }
  if (verb === "show") return next(4) ? ["pin", some(["2718", "1", "", "x".repeat(200)])] : ["declined"];
  if (verb === "waiting") return [some(["again", "again", "declined"])];
  if (verb === "choose") return ["chosen", next(2) ? step[1] : noise(70)];
  if (["save", "store", "remove"].includes(verb)) return [some(["stored", "stored", "notStored"])];
  return began();
}

/** The real server's answer, except for values that need its secrets. */
function answers(step) {
  switch (step && text(step[0]) === "http" ? text(step[1]) : "") {
    case "look": return ["seen", seen(some(["sshd", "browser", "bind"])), "attempt", "0011223344556677"];
    case "waiting": return Array.from({ length: next(4) }, () => {
      const wid = some(["ab", "cd"]).repeat(16);
      const shown = seen(some(["sshd", "sshd", "sshd", "bind"]), ORIGIN, some([wid, wid, wid, "ab".repeat(16)]));
      return ["seen", shown, "wid", wid, "number", "2654318", "life", some(["90", "90", ...numbers]),
        "attempt", "0011223344556677"].map((word, at) => (at % 2 ? word : `waiting.${word}`));
    }).flat();
    case "settings": return ["usePermits", some(["true", "false"]), "appID", "00"];
    case "permit": return ["date", some(["20000", ...numbers]), "timePermit", generator, "signature", "00", "storageId", "00"];
    case "permit2": return ["timePermit", generator];
    case "register": return ["mpinId", "7b7d", "regOTT", "00", "active", "true", "bound", "true"];
    case "share1": return ["clientSecretShare", generator, "params", "a=b", "deviceKey", "22".repeat(32)];
    case "share2": return ["clientSecret", generator];
    case "pass1": return ["y", challenge(step.map(text)), "n", "02".repeat(32)];
    case "pass2": return ["authOTT", "00112233"];
    case "approve": return ["code", some(["BCDFGH", "BCDFGH", "BCDFG", ""]), "triesLeft", some(numbers)];
    default: return [];
  }
}

/** y as mpind computes it for this pass 1 (docs/protocol/seal.md, section 4). */
function challenge(words) {
  const sent = (name) => octets(words[words.indexOf(name) + 1]);
  const field = (value) => Buffer.concat([Buffer.from([value.length >> 8, value.length & 255]), value]);
  const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const y = hash(
    Buffer.from("mpin y 1\0"), octets("02".repeat(32)), hash(sent("mpin_id")), field(sent("U")), field(sent("UT")),
    hash(sent("seen")));
  return (BigInt(`0x${y.toString("hex")}`) % order).toString(16).padStart(64, "0");
}

function began() {
  switch (next(10)) {
    case 0: return ["read", ...row({
      origin: some([ORIGIN, ...numbers]), text: some([...values, "enrol?user=%41&code=%zz", `${ORIGIN}/#1`]),
    })];
    case 5: return ["prove", ...row({ origin: ORIGIN, pin: some(["1", "", noise(140)]), record: record() })];
    case 1: return next(2) ? ["demand"] : ["check", ...row({
      name: noise(20), pin: noise(140), length: some(["4", "8", "13"]), kinds: some(kinds),
    })];
    case 2: return enrolment({
      name: "kim", code: "BCDF", salt: noise(20), pin: some(["1", "1111"]), pending: some(["", pending()]),
      length: some(["4", "8", ""]), kinds: some(kinds),
    });
    // scrypt runs in this case, so it is rare.
    case 3: if (next(8)) return ["closed"];
      return enrolment({
        name: "", code: "", salt: new Uint8Array(16), pin: "271828", pending: pending(), length: "6", kinds: "",
      });
    case 4: return ["waiting", ...row({
      origin: ORIGIN, time: some(["1790000000", "1790000000", ...numbers]),
      record: Array.from({ length: 1 + next(3) }, record),
    })];
    default: return ["approve", ...row({
      origin: ORIGIN, scanned: some(["ab".repeat(16), `${ORIGIN}/#${"ab".repeat(16)}`, ...numbers]),
      denies: some(["0", "0", "1", "2"]), record: Array.from({ length: 1 + next(3) }, record),
    })];
  }
}

const enrolment = (values) => ["enrol", ...row({ origin: ORIGIN, device: "phone", time: TIME, ...values })];

function message(step) {
  switch (next(24)) {
    case 0: return Buffer.from(noise(60));
    case 1: return written(some(verbs), ...Array.from({ length: next(9) }, () => some([...values, noise(80)])));
    case 2: {
      const changed = written(...likely(step));
      for (let times = 1 + next(4); times > 0; times--) changed[next(changed.length)] = some([0, 255, next(256)]);
      return next(3) ? changed : changed.subarray(0, next(changed.length));
    }
    default: return written(...likely(step));
  }
}

await sentence(`${count} foreign messages cause no trap (seed ${seed})`, () => {
  const reached = new Map();
  let machine = new Machine(module);
  let step = null;
  for (let at = 0; at < count; at++) {
    if (at % 5000 === 0) machine = new Machine(module);
    step = machine.raw(message(step));
    const words = text(step[0]) === "http" || text(step[0]) === "done" ? 2 : 1;
    const name = step.slice(0, words).map(text).join(" ");
    reached.set(name, (reached.get(name) ?? 0) + 1);
    equal(machine.memory.buffer.byteLength <= 80 << 20, true, "memory");
  }
  console.log(`     steps and how often: ${[...reached].map(([name, times]) => `${name} ${times}`).sort().join(", ")}`);
  for (const wanted of ["http choose", "http share2", "choose", "store", "waiting"]) {
    equal(reached.has(wanted), true, wanted);
  }
});

await sentence("wrong lengths and invalid rooms cause no trap", () => {
  const { exports, memory } = new Machine(module);
  for (const length of [0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 20, (1 << 20) + 1]) {
    const room = exports.mpin_room(length) >>> 0;
    equal(room === 0, length > 1 << 20, `room for ${length}`);
    for (const count of [0, 3, length, length + 1, 0x80000000, 0xffffffff]) {
      equal(exports.mpin_resume(count) >>> 0 < memory.buffer.byteLength, true);
    }
  }
  const machine = new Machine(module);
  for (const claim of ["ffffffff", "00000080", "ffffff7f", "05000000"]) {
    equal(machine.raw(octets(`${claim}61626364`)).map(text), ["done", "broken"]);
  }
});
ended();
