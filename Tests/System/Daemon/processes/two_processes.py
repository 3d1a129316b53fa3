# SPDX-License-Identifier: Apache-2.0
# A front and its authority, each a real process with a separate user, and the frames between them.
import json
import os
import pwd
import shutil
import socket
import struct
import subprocess
import tempfile

from support.process import PATIENCE, Process
from support.wire import Wire

DONE, REFUSED, BUSY, MALFORMED = 1, 2, 3, 4
LONG = int(os.environ.get("MPIN_FUZZ", "1"))
ROOT = os.geteuid() == 0


def frame(command, half=0, epoch=1, date=0, identity=bytes(32)):
    return struct.pack(">BBBBII", 1, command, half, 0, epoch, date) + identity


class Server:
    def __init__(self, programs, *settings):
        """`settings` are further lines of mpind.conf."""
        self.program = os.path.join(programs, "mpind")
        self.home = tempfile.mkdtemp(prefix="mpin-authority-")
        os.chmod(self.home, 0o755)
        self.fronts, self.authoritys = ("_mpind", "_mpind-ta") if ROOT else (None, None)
        self.socket, self.public = self.folder("ta", self.authoritys) + "/sock", "unix:" + self.folder(
            "run", self.fronts) + "/mpind.sock"
        self.data, self.master = f"{self.home}/data", f"{self.home}/master"
        self.conf = f"{self.home}/mpind.conf"
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(f"listen = {self.public}\nadmin-socket = {self.home}/run/admin.sock\n"
                       f"data = {self.data}\nauthority-data = {self.master}\n"
                       f"authority-socket = {self.socket}\n" + "".join(f"{line}\n" for line in settings))
        more = ["--user", "_mpind"] if ROOT else []
        subprocess.run([self.program, "init", "--config", self.conf, *more], check=True,
                       stdout=subprocess.DEVNULL)
        named = ["--front", "_mpind"] if ROOT else []
        self.authority = Process(f"{self.home}/authority.log", self.program, "authority", "--data",
                                 self.master, "--listen", self.socket, *named, user=self.authoritys)
        self.front = Process(f"{self.home}/front.log", self.program, "serve", "--config", self.conf,
                             user=self.fronts)

    def folder(self, name, user):
        path = f"{self.home}/{name}"
        os.mkdir(path, 0o755)
        if user:
            os.chown(path, pwd.getpwnam(user).pw_uid, -1)
        return path

    def wire(self):
        return Wire(self.public)

    def code(self, user):
        """An activation code for a user."""
        done = subprocess.run([self.program, "user", "add", user, "--config", self.conf, "--json"],
                              capture_output=True, text=True, check=True, timeout=PATIENCE)
        return json.loads(done.stdout)["activationCode"]

    def run(self, *words):
        """An administrator's command: its exit code."""
        return subprocess.run([self.program, *words, "--config", self.conf], capture_output=True, check=False,
                              timeout=PATIENCE).returncode

    def ask(self, octets, patience=PATIENCE):
        """The authority's answer; empty if it hangs up."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(patience)
            caller.connect(self.socket)
            caller.sendall(octets)
            said = b""
            while more := caller.recv(200):
                said += more
            return said

    def close(self):
        for process in self.front, self.authority:
            process.kill()
        shutil.rmtree(self.home, ignore_errors=True)


class ActingAs:
    """Acts with another effective user id, which the kernel reports at the socket."""

    def __init__(self, user):
        known = pwd.getpwnam(user) if isinstance(user, str) else None
        self.uid, self.gid = (known.pw_uid, known.pw_gid) if known else (user, 65534)

    def __enter__(self):
        if ROOT and self.uid is not None:
            os.setegid(self.gid)
            os.seteuid(self.uid)

    def __exit__(self, *_):
        if ROOT:
            os.seteuid(0)
            os.setegid(0)
