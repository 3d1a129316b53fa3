# SPDX-License-Identifier: Apache-2.0
# What tests of crowds share: crowds of accounts and addresses, a server that also listens on the loopback,
# and the duration of a login beside them.
import contextlib
import json
import os
import subprocess
import time

from house import HERE, MPIND_CONF, PUBLIC, as_user, replaced, run, site
from support import eventually

TCP, TCP6 = "127.0.0.1:8018", "[::1]:8018"
UNIX = f"unix:{PUBLIC}"
# The limit of open descriptors for the crowd's program.
DESCRIPTORS = "--nofile=20000"


@contextlib.contextmanager
def listening():
    """The server also listens on TCP, and addresses of 2001:db8::/32 belong to this machine."""
    run("ip", "-6", "route", "add", "local", "2001:db8::/32", "dev", "lo", status=None)
    before = open(MPIND_CONF).read()
    more = f"listen = {TCP}\nlisten = {TCP6}\n"
    if "public-url" not in before:
        more += f"public-url = http://{TCP}\n"
    with replaced(MPIND_CONF, before + more):
        restart()
        try:
            yield
        finally:
            site().mpind.stop()
            with open(MPIND_CONF, "w") as conf:
                conf.write(before)
            start()


def start():
    """Starts the server and waits until it answers."""
    site().mpind.start()
    asks = ["mpind", "user", "list"]
    eventually(lambda: not subprocess.run(asks, capture_output=True).returncode, "mpind's answer")


def restart():
    site().mpind.stop()
    start()


class Crowd:
    """Used by `with`; `told` is the crowd's report after it has ended."""

    def __init__(self, kind, count, address=UNIX, *sources, user="bob"):
        self.command = ["prlimit", DESCRIPTORS, "--", *as_user(user), "/usr/bin/python3", "-B",
                        os.path.join(HERE, "network", "crowd.py"), kind, str(count), address, *sources]
        self.told = None

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "here\n", "the crowd did not start"
        return self

    def __exit__(self, *_):
        said, _ = self.process.communicate("\n", timeout=60)
        self.told = json.loads(said)


def sudo_seconds():
    """How long one sudo of alice takes, from its start to its end."""
    begin = time.monotonic()
    done = subprocess.run([*as_user("alice"), "sudo", "-k", "-S", "-p", "", "id", "-un"], text=True,
                          input=site().alice + "\n", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "root\n"), (done.returncode, done.stdout, done.stderr)
    return time.monotonic() - begin


class Server:
    """The running server, as /proc shows it."""

    def __init__(self):
        self.folder = f"/proc/{site().mpind.process.pid}"

    def connections(self):
        return len(os.listdir(f"{self.folder}/fd"))

    def memory(self):
        """Resident, in MiB."""
        with open(f"{self.folder}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
