// SPDX-License-Identifier: Apache-2.0
// A real mpind on loopback, a login host that has joined it, and the requests that a module asks for.
import { spawn, execFileSync } from "node:child_process";
import { createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { mkdtempSync, readFileSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { equal, hex, octets } from "./module.mjs";

export const mac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
export const label = (words) => Buffer.from(`${words}\0`);
const number = (value, size) => {
  const written = Buffer.alloc(size);
  written.writeUIntBE(value, Math.max(0, size - 6), Math.min(size, 6));
  return written;
};
const field = (value) => Buffer.concat([number(Buffer.byteLength(value), 2), Buffer.from(value)]);
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

export class Mpind {
  static async started(program, ...settings) {
    const mpind = new Mpind();
    mpind.program = program;
    mpind.home = mkdtempSync(join(tmpdir(), "mpin-page-"));
    const port = await freePort();
    mpind.origin = `http://127.0.0.1:${port}`;
    writeFileSync(`${mpind.home}/conf`, [
      `listen = 127.0.0.1:${port}`, `data = ${mpind.home}/data`, `authority-data = ${mpind.home}/authority`,
      `admin-socket = ${mpind.home}/admin.sock`, `public-url = ${mpind.origin}`, ...settings, "",
    ].join("\n"));
    mpind.command("init");
    await mpind.start();
    return mpind;
  }

  async start() {
    const log = openSync(`${this.home}/log`, "w");
    this.process = spawn(this.program, ["serve", "--config", `${this.home}/conf`], { stdio: ["ignore", log, log] });
    for (let tries = 0; !readFileSync(`${this.home}/log`).includes("ready"); tries++) {
      if (tries > 1200 || this.process.exitCode !== null) throw new Error(readFileSync(`${this.home}/log`, "utf8"));
      await pause(50);
    }
  }

  command(...words) {
    return execFileSync(this.program, [...words, "--config", `${this.home}/conf`], { encoding: "utf8" });
  }

  async stop() {
    const gone = new Promise((done) => this.process.once("exit", done));
    this.process.kill();
    await gone;
  }

  async close() {
    await this.stop();
    rmSync(this.home, { recursive: true });
  }

  user(...words) { return JSON.parse(this.command("user", ...words, "--json")); }
  invited(name) { return this.user("add", name).activationCode; }

  /** Makes the request of `http STAGE METHOD PATH (NAME VALUE)*` and returns the message with its answer. */
  async request([, method, path, ...members]) {
    const options = { method };
    if (method !== "GET") {
      options.headers = { "Content-Type": "application/json" };
      const object = {};
      for (let at = 0; at < members.length; at += 2) {
        const [outer, inner] = members[at].split(".");
        if (inner) (object[outer] ??= {})[inner] = members[at + 1];
        else object[outer] = members[at + 1];
      }
      options.body = JSON.stringify(object);
    }
    const response = await fetch(this.origin + path, options);
    const said = await response.json().catch(() => ({}));
    const flat = Object.entries(said).flatMap(([name, value]) => (typeof value !== "object" || !value
      ? [name, String(value)]
      : [value].flat().flatMap((one) =>
        Object.entries(one).flatMap(([inner, value]) => [`${name}.${inner}`, String(value)]))));
    return ["answer", String(response.status), ...flat];
  }

  /** Joins a login host and opens its key (docs/protocol/seal.md, section 2). */
  async host(name) {
    const code = JSON.parse(this.command("host", "add", name, "--json")).joinCode.replaceAll("-", "");
    const joinId = hash(label("mpin join 1"), Buffer.from(code)).subarray(0, 16);
    const response = await fetch(`${this.origin}/rps/host`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ host: name, joinId: hex(joinId) }),
    });
    const { epoch, sealedKey } = await response.json();
    const opener = createDecipheriv(
      "aes-256-gcm", mac(code, label("mpin key join 1"), field(name)), Buffer.alloc(12));
    const sealed = octets(sealedKey);
    opener.setAAD(number(epoch, 4));
    opener.setAuthTag(sealed.subarray(-16));
    return new Host(this, name, Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]));
  }

  /** A browser's session, which lists no identity. */
  async browser(preroll) { return (await this.post("/rps/getQrUrl", { prerollid: preroll })).qrUrl.split("#")[1]; }

  async post(path, body, status = 200) {
    const response = await fetch(this.origin + path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    equal(response.status, status, path);
    return response.json();
  }
}

class Host {
  constructor(mpind, name, key) { Object.assign(this, { mpind, name, key }); }

  /** A session at this host's console for these identities: its wid, source, access number and approval code. */
  async session(ids, service = "sshd", account = "alice") {
    // A source may have twenty sessions at a time.
    this.sessions = (this.sessions ?? 0) + 1;
    const source = `203.0.113.${this.sessions % 250}`;
    const nonce = Buffer.concat([number(Math.floor(Date.now() / 1000), 8), randomBytes(24)]);
    const ask = Buffer.concat([
      label("mpin ask 1"), field(this.name), nonce, field(service), field(account), field(source),
      field("ssh"), number(0, 1), number(90, 2), number(ids.length, 2), ...ids.map(octets),
    ]);
    const said = await this.mpind.post("/rps/getQrUrl", {
      ask: hex(ask), askTag: hex(mac(mac(this.key, label("mpin key ask 1").subarray(0, -1)), ask)),
    });
    const wid = said.qrUrl.split("#")[1];
    const codeKey = mac(this.key, label("mpin key code 1").subarray(0, -1));
    const code = sixLetters(mac(codeKey, label("mpin code 1"), hash(ask), field(wid)));
    return { wid, source, number: said.accessNumber, code };
  }
}

function sixLetters(octets) {
  let rest = octets.readBigUInt64BE() % 64000000n;
  let word = "";
  for (let place = 0; place < 6; place++) {
    word = "BCDFGHJKLMNPQRSTVWXZ"[Number(rest % 20n)] + word;
    rest /= 20n;
  }
  return word;
}
