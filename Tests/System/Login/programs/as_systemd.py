# SPDX-License-Identifier: Apache-2.0
# Starts the server as systemd does, in a place where systemd does not run.
import os
import shutil
import subprocess

from house import ADMIN, PUBLIC
from support import eventually

AUTHORITY = "/run/mpind-ta/authority.sock"


class AsSystemd:
    """mpind as systemd starts it: root's sockets, processes of _mpind and _mpind-ta; used by `with`."""
    def __enter__(self):
        sockets = [word for path in (PUBLIC, ADMIN) for word in ("-l", path)]
        os.makedirs(os.path.dirname(AUTHORITY), exist_ok=True)
        self.processes = [self.started("_mpind-ta", ["-l", AUTHORITY], "authority", "--front", "_mpind"),
                          self.started("_mpind", sockets, "serve")]
        for path in AUTHORITY, PUBLIC, ADMIN:
            eventually(lambda path=path: os.path.exists(path), "the sockets")
        os.chmod(PUBLIC, 0o666)
        os.chmod(AUTHORITY, 0o660)
        shutil.chown(AUTHORITY, "_mpind-ta", "_mpind")

    def started(self, user, sockets, *words):
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--", "/usr/bin/mpind"]
        return subprocess.Popen(
            ["systemd-socket-activate", *sockets, *command, *words], stdin=subprocess.DEVNULL,
            stdout=open("/var/log/mpind.log", "ab"), stderr=subprocess.STDOUT)

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(60)
        for path in AUTHORITY, PUBLIC, ADMIN:
            os.unlink(path)
