# SPDX-License-Identifier: Apache-2.0
# A real mpind for tests: its folder, which is removed with it, its sockets, and its administrator's commands.
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from relying import RelyingParty
from support import seal
from support.wire import Wire
from tap import Tap

PATIENCE = 60


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Mpind:
    """`settings` are those of mpind.conf(5), with underscores. `tcp`: it also listens on loopback, `tls`:
    over TLS there; `party`: with an RPA; `apart`: the authority is a separate process; `tap`: clients connect
    through a proxy that records their requests."""

    def __init__(self, programs, tcp=False, tls=False, party=False, apart=False, tap=False, **settings):
        self.program = os.path.join(programs, "mpind")
        self.home = tempfile.mkdtemp(prefix="mpin-interop-")
        self.addresses, self.tap = [f"unix:{self.home}/mpind.sock"], None
        self.public = self.addresses[0]
        if tcp:
            self.addresses.append(f"127.0.0.1:{free_port()}")
            self.tap = Tap(self.addresses[1]) if tap else None
            self.public = f"http{'s' if tls else ''}://{self.tap.address if tap else self.addresses[1]}"
            settings["public_url"] = self.public
        self.authorities = self.certified(settings) if tls else None
        self.party = None
        if party:
            self.party = RelyingParty(f"unix:{self.home}/party.sock")
            settings = self.party.settings | settings | {"rpa_listen": self.party.rps.address}
        self.conf, self.log = f"{self.home}/mpind.conf", f"{self.home}/log"
        places = [("data", f"{self.home}/data"), ("authority-data", f"{self.home}/authority"),
                  ("admin-socket", f"{self.home}/admin.sock")]
        if apart:
            self.authority_socket = f"{self.home}/authority.sock"
            places.append(("authority-socket", self.authority_socket))
        lines = [("listen", address) for address in self.addresses] + places + list(settings.items())
        with open(self.conf, "w", encoding="utf-8") as file:
            file.writelines(f"{key.replace('_', '-')} = {value}\n" for key, value in lines)
        self.process = self.authority = None
        try:
            self.command("init")
            if apart:
                self.authority = subprocess.Popen(
                    [self.program, "authority", "--data", f"{self.home}/authority", "--listen",
                     self.authority_socket], stderr=subprocess.DEVNULL)
            self.start()
        except Exception:
            self.close()
            raise

    def certified(self, settings):
        """Gives the server a self-signed certificate, and returns its path."""
        key, certificate = f"{self.home}/server.key", f"{self.home}/server.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        settings |= {"tls_certificate": certificate, "tls_key": key}
        return certificate

    def command(self, *words):
        """What a command prints; raises an error if it fails."""
        done = subprocess.run([self.program, *words, "--config", self.conf], capture_output=True, text=True,
                              timeout=PATIENCE)
        assert done.returncode == 0, f"mpind {' '.join(words)}: {done.returncode} {done.stderr}"
        return done.stdout

    def user(self, *words):
        return json.loads(self.command("user", *words, "--json"))

    def app(self, *words):
        return json.loads(self.command("app", *words, "--json"))

    def host(self, name):
        """The key of a new login host, opened as the host does (docs/protocol/seal.md, section 2)."""
        added = json.loads(self.command("host", "add", name, "--json"))
        code = added["joinCode"].replace("-", "").replace(" ", "").upper().encode()
        said = self.wire().post("/rps/host", {"host": name, "joinId": seal.join_id(code).hex()}).json
        return seal.opened_key(name, code, said["epoch"], bytes.fromhex(said["sealedKey"]))

    def start(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([self.program, "serve", "--config", self.conf], stderr=log)
        end = time.monotonic() + PATIENCE
        while "ready" not in self.said():
            alive = self.process.poll() is None and time.monotonic() < end
            assert alive, f"mpind does not start: {self.said()}"
            time.sleep(0.05)

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read(4096)

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def restart(self):
        assert self.stop() == 0
        self.start()

    def wire(self, **headers):
        return Wire(self.addresses[-1], {name.replace("_", "-"): value for name, value in headers.items()})

    def honest(self):
        """A client whose address is outside the network from which wrong codes come."""
        self.strangers = getattr(self, "strangers", 0) + 1
        address = next(address for address in self.addresses if address.startswith("127."))
        return Wire(address, source=f"127.{1 + self.strangers // 250}.{self.strangers % 250}.7")

    def memory(self, kind="VmRSS"):
        """The resident memory in KiB, or its peak, `VmHWM`; 0 if the process has ended."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) for line in status if line.startswith(kind)), 0)

    def alive(self):
        return self.process.poll() is None

    def close(self):
        """Ends it and removes its folder."""
        for helper in self.party, self.tap:
            if helper:
                helper.close()
        for process in self.process, self.authority:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
