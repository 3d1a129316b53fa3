// SPDX-License-Identifier: Apache-2.0
// The browser's storage: identities, at most one registration that was begun, wrapped PINs (unlock.js), and a
// history. IndexedDB has the records, each encrypted with AES-256-GCM under a key of this origin that no
// script can export.
const marker = "mpin.enrolled";
const current = "current";
// The number of records that the module accepts.
const most = 16;

function opened() {
  return new Promise((resolve, reject) => {
    // If a newer version of this page has raised the number, this fails with VersionError.
    const request = indexedDB.open("mpin", 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      const first = oldVersion < 1 ? ["keys", "records", "pending"] : [];
      for (const name of [...first, "unlock"]) request.result.createObjectStore(name);
      request.result.createObjectStore("history", { autoIncrement: true });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    // While another tab is in a transaction of the older version, this waits.
  });
}

/** Runs one transaction. `act` gets its stores by name and may return a request whose result is returned. */
export async function transact(names, mode, act) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(names, mode, { durability: "strict" });
      const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
      const request = act(stores);
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  } finally {
    database.close();
  }
}

const one = (name, key) => transact([name], "readonly", (stores) => stores[name].get(key));

async function wrappingKey() {
  const kept = await one("keys", "wrap");
  if (kept) return kept;
  const kind = { name: "AES-GCM", length: 256 };
  const made = await crypto.subtle.generateKey(kind, false, ["encrypt", "decrypt"]);
  // Two tabs may come here at once: the first key stays.
  await transact(["keys"], "readwrite", ({ keys }) => {
    const before = keys.get("wrap");
    before.onsuccess = () => before.result || keys.put(made, "wrap");
  });
  return one("keys", "wrap");
}

// The additional data of the encryption: what a record belongs to, so that no record can replace another.
export const belonging = (...words) =>
  new TextEncoder().encode(["mpin vault 1", location.origin, ...words].join("\0"));

/** Encrypts and wipes octets. */
export async function encrypted(key, plain, data) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const octets = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: data }, key, plain);
  // Chromium frees its copy without wiping it: zeros of the same length take that place.
  const other = { name: "AES-GCM", iv: crypto.getRandomValues(new Uint8Array(12)) };
  await crypto.subtle.encrypt(other, key, plain.fill(0));
  return { iv, octets };
}

const sealed = async (record, data) => encrypted(await wrappingKey(), record, data);

// A row of a later format, which a newer version of this page wrote: it stays as it is.
const isNewer = (row) => row?.version > 1;

async function unsealed(row, data) {
  if (isNewer(row)) throw new DOMException("written by a newer version of this page", "VersionError");
  const { iv, octets } = row;
  const key = await one("keys", "wrap");
  if (!key) throw new Error("the key is gone");
  const parameters = { name: "AES-GCM", iv, additionalData: data };
  return new Uint8Array(await crypto.subtle.decrypt(parameters, key, octets));
}

/** Stores an identity. `kind`: `digits` or `text`, how the PIN is typed; a known identity keeps its own. */
export async function keep(id, label, record, kind) {
  const { iv, octets } = await sealed(record, belonging("record", id, label));
  await transact(["records", "pending"], "readwrite", ({ records, pending }) => {
    const before = records.get(id);
    before.onsuccess = () => {
      if (isNewer(before.result)) return records.transaction.abort();
      records.put({ label, iv, octets, kind: kind ?? before.result?.kind ?? "digits" }, id);
    };
    if (kind) pending.delete(current);
  });
  unreadable.delete(id);
  remember(true);
  // Not awaited: some browsers ask the user first.
  navigator.storage?.persist?.().catch(() => false);
}

async function rows() {
  let ids;
  const all = await transact(["records"], "readonly", ({ records }) => {
    ids = records.getAllKeys();
    return records.getAll();
  });
  return ids.result.map((id, at) => ({ id, ...all[at] }));
}

// The identities whose records could not be decrypted since the page was opened.
const unreadable = new Set();

function state(row) {
  if (isNewer(row)) return "newer";
  const isWhole = row.iv instanceof Uint8Array && row.octets instanceof ArrayBuffer;
  return isWhole && !unreadable.has(row.id) ? "good" : "spoilt";
}

/**
 * All identities, without their encrypted records. `state`: `good`; `spoilt` if its record cannot be read;
 * `newer` if a newer version of this page wrote it.
 */
export const list = async () => (await rows()).map((row) => ({
  id: row.id, label: row.label ?? row.id.slice(0, 8), kind: row.kind, state: state(row),
}));

/** The decrypted records, at most as many as the module accepts; throws if none can be decrypted. */
export async function records() {
  const all = await rows();
  const opening = all.map((row) => unsealed(row, belonging("record", row.id, row.label)));
  const results = await Promise.allSettled(opening);
  results.forEach(({ reason }, at) => reason && unreadable.add(all[at].id));
  const good = results.flatMap(({ value }) => value ?? []);
  if (all.length && !good.length) throw results[0].reason;
  for (const record of good.slice(most)) record.fill(0);
  return good.slice(0, most);
}

/** The decrypted record of one identity. */
export async function record(id) {
  const row = await one("records", id);
  return unsealed(row, belonging("record", id, row.label));
}

/** Removes an identity and its wrapped PIN. */
export async function forget(id) {
  await transact(["records", "unlock"], "readwrite", ({ records, unlock }) => {
    records.delete(id);
    unlock.delete(id);
  });
  if ((await list()).length === 0) remember(false);
}

export async function keepPending(name, record) {
  const { iv, octets } = await sealed(record, belonging("pending", name));
  await transact(["pending"], "readwrite", ({ pending }) => pending.put({ name, iv, octets }, current));
}

/** The registration that was begun: its name, and a function that decrypts it; null if there is none. */
export async function pending() {
  const kept = await one("pending", current);
  return kept ? { name: kept.name, open: () => unsealed(kept, belonging("pending", kept.name)) } : null;
}

export const dropPending = () => transact(["pending"], "readwrite", ({ pending }) => pending.delete(current));

// Outside the database, so that the page can notice that the browser has emptied the database.
function remember(isEnrolled) {
  try {
    if (isEnrolled) localStorage.setItem(marker, new Date().toISOString().slice(0, 10));
    else localStorage.removeItem(marker);
  } catch { /* Without it only the explanation is missing. */ }
}

/** Whether this browser had an identity, even if the database is empty now. */
export function wasEnrolled() {
  try {
    return localStorage.getItem(marker) !== null;
  } catch {
    return false;
  }
}

export const admitLoss = () => remember(false);
