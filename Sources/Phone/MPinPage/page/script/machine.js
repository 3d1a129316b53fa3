// SPDX-License-Identifier: Apache-2.0
// Runs the module and passes its messages (docs/protocol/page.md): writes and reads fields in its memory, and
// makes the requests that it asks for. Nothing here depends on what a field means in the protocol.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text of a field. */
export const text = (octets) => decoder.decode(octets);

let compiled;

/** Fetches and compiles the module once; every flow gets its own instance with its own memory. */
export function prepare() {
  compiled ??= fetched().catch((error) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

async function fetched() {
  const response = await fetch("/mpin.wasm", { redirect: "error" });
  if (!response.ok) throw new TypeError(`mpin.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The fields for names and their values; an array has one name for all its values. */
export const row = (values) => Object.entries(values).flatMap(([name, value]) =>
  [value].flat().flatMap((one) => [name, one]));

/** The values in a row of fields by their names: octets, and the same as texts. */
const members = (fields) => Object.fromEntries(pairs(fields).map(([name, value]) => [text(name), value]));
const named = (fields) => Object.fromEntries(pairs(fields.map(text)));

/** The meaning of an answer to `read` or `check`, or of `done`: its word, and its values by their names. */
export const said = ([, word, ...fields]) => ({ word: text(word), ...named(fields) });

/** A function that takes the fields of one message and returns those of the answer. */
export async function machine() {
  let memory;
  const random = (address, count) => {
    for (let done = 0; done < count; done += 65_536) {
      const some = Math.min(65_536, count - done);
      crypto.getRandomValues(new Uint8Array(memory.buffer, address + done, some));
    }
  };
  const { exports } = await WebAssembly.instantiate(await prepare(), { page: { random } });
  memory = exports.memory;
  return (...fields) => {
    const octets = fields.map((field) => (typeof field === "string" ? encoder.encode(field) : field));
    const count = octets.reduce((sum, field) => sum + 4 + field.length, 0);
    const address = exports.mpin_room(count) >>> 0;
    if (address === 0) throw new RangeError("no memory");
    write(memory, address, octets);
    octets.forEach((copy, at) => typeof fields[at] === "string" && copy.fill(0));
    return fieldsAt(memory, exports.mpin_resume(count) >>> 0);
  };
}

function write(memory, address, fields) {
  const view = new DataView(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  let at = address;
  for (const field of fields) {
    view.setUint32(at, field.length, true);
    bytes.set(field, at + 4);
    at += 4 + field.length;
  }
}

// The memory may have grown, which invalidates every view of it; so views are made anew, and fields are
// copies.
function fieldsAt(memory, address) {
  if (address === 0) throw new RangeError("no answer");
  const view = new DataView(memory.buffer);
  const end = address + 4 + view.getUint32(address, true);
  const fields = [];
  for (let at = address + 4; at < end;) {
    const count = view.getUint32(at, true);
    fields.push(new Uint8Array(memory.buffer.slice(at + 4, at + 4 + count)));
    at += 4 + count;
  }
  return fields;
}

function wipe(fields) {
  for (const field of fields) if (typeof field !== "string") field.fill(0);
}

/**
 * Runs one flow to its end and returns what `done` says. Octets in `values` are wiped. `person` has a
 * function for each of `show`, `choose`, `stage`, `waiting`, `save`, `store` and `remove`.
 */
export async function run(verb, values, person) {
  const first = [verb, ...row(values)];
  let resume, step;
  try {
    resume = await machine();
    step = resume(...first);
  } finally {
    wipe(first);
  }
  for (;;) {
    const [verb, ...rest] = step;
    switch (text(verb)) {
      case "http": {
        person.stage?.(text(rest[0]));
        const answer = await request(rest.slice(1).map(text));
        try {
          step = resume(...answer);
        } finally {
          wipe(answer);
        }
        break;
      }
      case "show": {
        const pin = await person.show(named(rest));
        try {
          step = pin ? resume("pin", pin) : resume("declined");
        } finally {
          pin?.fill(0);
        }
        break;
      }
      case "choose": {
        const id = await person.choose(pairs(rest.map(text)));
        step = id ? resume("chosen", id) : resume("declined");
        break;
      }
      case "waiting": {
        const goesOn = await person.waiting(logins(rest.map(text)));
        step = resume(goesOn ? "again" : "declined");
        break;
      }
      case "save": step = resume(await kept(person.save(rest[0]), rest[0])); break;
      case "store": {
        const { id, label, record } = members(rest);
        step = resume(await kept(person.store(text(id), text(label), record), record));
        break;
      }
      case "remove": step = resume(await kept(person.remove(text(rest[0])))); break;
      case "done": return said(step);
      default: return { word: "broken" };
    }
  }
}

/** What waits: one object for each login, which begins with `kind`. */
function logins(fields) {
  const starts = fields.flatMap((name, at) => (at % 2 === 0 && name === "kind" ? [at] : []));
  return starts.map((start, at) => Object.fromEntries(pairs(fields.slice(start, starts[at + 1]))));
}

async function kept(promise, record) {
  try {
    await promise;
    return "stored";
  } catch {
    return "notStored";
  } finally {
    record?.fill(0);
  }
}

/** What the text means that the user scanned, opened or typed. */
export async function read(typed) {
  const resume = await machine();
  return said(resume("read", ...row({ origin: location.origin, text: typed })));
}

export const pairs = (row) => row.flatMap((name, at) => (at % 2 ? [] : [[name, row[at + 1]]]));

/** Makes a request at this origin; the answer is that to `http`. */
export async function request([method, path, ...members]) {
  const options = {
    method, redirect: "error", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(10_000),
  };
  if (method !== "GET") {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(nested(pairs(members)));
  }
  try {
    const response = await fetch(path, options);
    const answer = await body(response);
    const wait = response.headers.get("Retry-After");
    if (/^\d+$/.test(wait)) answer.retryAfter ??= wait;
    return ["answer", String(response.status), ...flat(answer).flat()];
  } catch (error) {
    return error?.name === "TimeoutError" ? ["timedOut"] : ["answer", "0"];
  }
}

// Some responses have no body. A body that is not a JSON object does not come from this server, whatever the
// status is.
async function body(response) {
  const said = await octets(response);
  try {
    const answer = said.length ? parsed(said) : {};
    if (answer === null || typeof answer !== "object" || Array.isArray(answer)) throw new TypeError();
    return answer;
  } finally {
    said.fill(0);
  }
}

// Read in pieces, because a browser keeps copies of what it gives as a whole.
async function octets(response) {
  const reader = response.body?.getReader();
  let said = new Uint8Array();
  for (let piece = await reader?.read(); piece?.value; piece = await reader.read()) {
    const longer = new Uint8Array(said.length + piece.value.length);
    longer.set(said);
    longer.set(piece.value, said.length);
    wipe([said, piece.value]);
    said = longer;
  }
  return said;
}

// A text of 32 or more hexadecimal digits may be a secret. It stays octets, which can be wiped, while strings
// cannot: what JSON.parse gets has its number, after an octet 0, in its place.
function parsed(said) {
  const rows = [];
  let json = "", from = 0;
  for (let at = 0; at < said.length; at++) {
    if (said[at] !== quote) continue;
    let end = at + 1;
    while (isHexDigit(said[end])) end++;
    if (said[end] !== quote || end - at <= 32) continue;
    json += `${text(said.subarray(from, at + 1))}\\u0000${rows.length}`;
    rows.push(said.slice(at + 1, end));
    from = at = end;
  }
  return JSON.parse(json + text(said.subarray(from)), (_, value) =>
    (typeof value === "string" && value[0] === "\0" ? rows[value.slice(1)] ?? value : value));
}

const quote = 0x22;
const isHexDigit = (octet) =>
  (octet >= 0x30 && octet <= 0x39) || ((octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x66);

function nested(members) {
  const object = Object.create(null);
  for (const [name, value] of members) {
    const [outer, inner] = name.split(".");
    if (inner === undefined) object[outer] = value;
    else (object[outer] ??= Object.create(null))[inner] = value;
  }
  return object;
}

const isObject = (value) => typeof value === "object" && !(value instanceof Uint8Array);

function flat(object, before = "") {
  return Object.entries(object ?? {}).flatMap(([name, value]) => {
    if (value === null) return [];
    if (value instanceof Uint8Array) return [[before + name, value]];
    if (typeof value !== "object") return [[before + name, String(value)]];
    return before ? [] : [value].flat().filter(isObject).flatMap((one) => flat(one, `${name}.`));
  });
}
