// SPDX-License-Identifier: Apache-2.0
// The module as the page loads it, and the sentences of tests.
import { readFileSync } from "node:fs";
import { webcrypto } from "node:crypto";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const octets = (hex) => Uint8Array.from(Buffer.from(hex ?? "", "hex"));
export const hex = (some) => Buffer.from(some ?? []).toString("hex");
export const text = (field) => (typeof field === "string" ? field : decoder.decode(field));

/** The fields for names and their values; an array has one name for all its values. */
export const row = (values) => Object.entries(values).flatMap(([name, value]) =>
  [value].flat().flatMap((one) => [name, one]));

/** The values in a row of fields, by their names. */
export const named = (fields) => Object.fromEntries(
  fields.flatMap((name, at) => (at % 2 ? [] : [[text(name), fields[at + 1]]])));

export const compiled = (path) => new WebAssembly.Module(readFileSync(path));

/** An instance. `call` takes the fields of a message and returns those of the answer. */
export class Machine {
  constructor(module) {
    const random = (address, count) => {
      for (let done = 0; done < count; done += 65536) {
        const some = new Uint8Array(this.memory.buffer, address + done, Math.min(65536, count - done));
        webcrypto.getRandomValues(some);
      }
    };
    this.exports = new WebAssembly.Instance(module, { page: { random } }).exports;
    this.memory = this.exports.memory;
  }

  call(...fields) {
    const written = fields.map((field) => (typeof field === "string" ? encoder.encode(field) : field));
    const message = Buffer.concat(written.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(field.length);
      return [length, field];
    }));
    return this.raw(message);
  }

  /** Sends octets that may be malformed. */
  raw(message, entry = "mpin_resume") {
    const address = this.exports.mpin_room(message.length) >>> 0;
    if (address === 0) throw new RangeError("no room");
    new Uint8Array(this.memory.buffer).set(message, address);
    return this.answer(this.exports[entry](message.length) >>> 0);
  }

  answer(address) {
    if (address === 0) return null;
    const view = new DataView(this.memory.buffer);
    const end = address + 4 + view.getUint32(address, true);
    const fields = [];
    for (let at = address + 4; at < end;) {
      const count = view.getUint32(at, true);
      fields.push(new Uint8Array(this.memory.buffer.slice(at + 4, at + 4 + count)));
      at += 4 + count;
    }
    return fields;
  }

  /** Whether the memory contains these octets. */
  holds(some) { return Buffer.from(this.memory.buffer).includes(Buffer.from(some)); }
}

let passed = 0;
let failed = 0;

/** One test, which passes if its body ends without an error. */
export async function sentence(words, body) {
  const began = performance.now();
  try {
    await body();
    passed += 1;
    console.log(`ok   ${words} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${words}\n    ${String(error.stack ?? error).replaceAll("\n", "\n    ")}`);
  }
}

export function ended() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
}

export function equal(is, wanted, what = "") {
  const [a, b] = [JSON.stringify(is), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: got ${a}, wanted ${b}`);
}
