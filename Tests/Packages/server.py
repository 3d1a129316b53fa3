# SPDX-License-Identifier: Apache-2.0
# The server alone under a real systemd: its sandbox holds, its sockets outlive it, and it says what is wrong.
import glob
import grp
import os
import pwd
import signal
import socket
import threading
import time

from machine import apt
import host
from host import equal, run, within

PUBLIC, ADMIN, SETTINGS = "/run/mpind/mpind.sock", "/run/mpind/admin.sock", "/etc/mpin/mpind.conf"
UNITS = "mpind.socket", "mpind-admin.socket", "mpind.service"


def ask(path="/status", address=PUBLIC):
    """The status of one request on a connection of its own."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    name = "localhost" if isinstance(address, str) else "%s:%d" % address
    with socket.socket(family) as client:
        client.settimeout(60)
        client.connect(address)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
        return client.makefile("rb").readline().split()[1].decode()


def active():
    return run("systemctl", "is-active", *UNITS, status=None).split()


def main_process():
    return int(run("systemctl", "show", "--property=MainPID", "--value", "mpind"))


def journal(*but):
    """What mpind and its manager have said, without lines that begin with one of some words."""
    run("journalctl", "--sync")
    lines = run("journalctl", "--unit=mpind", "--output=cat", "--no-pager").splitlines()
    return [line for line in lines if not line.startswith(but)]


def status_of(process):
    with open(f"/proc/{process}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def reaches(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def before_init():
    """before there is a server nothing starts, and nothing waits for callers"""
    apt("install", *glob.glob("/debs/now/mpin-server_*.deb"))
    run("systemctl", "start", *UNITS)
    equal(active(), ["inactive"] * 3)
    assert not os.path.exists(PUBLIC)


def begins():
    """two commands make it and start it; all that it has is its own user's"""
    run("mpind", "init")
    run("systemctl", "enable", "--now", "mpind")
    equal(active(), ["active"] * 3)
    equal(ask(), "200")
    owner = pwd.getpwnam("_mpind").pw_uid
    for path in glob.glob("/var/lib/mpind*") + glob.glob("/var/lib/mpind*/*"):
        status = os.stat(path)
        equal((path, status.st_uid, status.st_mode & 0o077), (path, owner, 0))


def sockets():
    """its sockets are root's, and their folder too; the administrators' one is for their group"""
    modes = {path: (os.stat(path).st_uid, grp.getgrgid(os.stat(path).st_gid).gr_name,
                    oct(os.stat(path).st_mode & 0o7777)) for path in (PUBLIC, ADMIN, "/run/mpind")}
    equal(modes, {PUBLIC: (0, "root", "0o666"), ADMIN: (0, "mpin-admin", "0o660"),
                  "/run/mpind": (0, "root", "0o755")})


def confined():
    """it has no privilege, a filter of system calls, no core and no file of people"""
    process = main_process()
    status = status_of(process)
    equal([status[key] for key in ("NoNewPrivs", "Seccomp", "CapEff", "CapBnd", "Groups")],
          ["1", "2", "0" * 16, "0" * 16, str(pwd.getpwnam("_mpind").pw_gid) + " "])
    equal(set(status["Uid"].split()), {str(pwd.getpwnam("_mpind").pw_uid)})
    with open(f"/proc/{process}/limits") as file:
        limits = {line[:26].strip(): line[26:].split()[:2] for line in file}
    equal(limits["Max core file size"], ["0", "0"])
    with open("/proc/1/limits") as file:
        most = int(next(line for line in file if line.startswith("Max locked memory")).split()[4])
    equal(limits["Max locked memory"], [str(min(64 << 20, most))] * 2)
    inside = "nsenter", f"--target={process}", "--mount", "--"
    for folder in "/home", "/root":
        equal(run(*inside, "find", folder, "-mindepth", "1", status=None), "")
    for file in "/etc/x", "/usr/x", "/run/mpind/x", "/var/lib/x":
        within(run(*inside, "touch", file, status=None), "Read-only file system")
    assert int(status["VmLck"].split()[0]) > 0, "the master secret is not locked"
    equal([line for line in journal("request", "ready") if "mpind" not in line], [])


def administers():
    """root and the group administer, and the trail has their numbers; others may not"""
    host.accounts()
    run("usermod", "--append", "--groups", "mpin-admin", "alice")
    run("mpind", "user", "add", "alice@example.org")
    run("runuser", "-u", "alice", "--", "mpind", "user", "list")
    run("runuser", "-u", "bob", "--", "mpind", "user", "list", status=3)
    for name in "root", "alice":
        said = f'source="local:{pwd.getpwnam(name).pw_uid}"'
        reaches(lambda said=said: said in "\n".join(journal()), "the journal does not say who asked")


def restarts():
    """restarted again and again, it loses nobody who connects meanwhile"""
    answers, enough = [], threading.Event()

    def client():
        while not enough.is_set():
            try:
                answers.append(ask())
            except (OSError, IndexError) as error:
                answers.append(repr(error))
    clients = [threading.Thread(target=client) for _ in range(4)]
    for one in clients:
        one.start()
    for _ in range(4):
        count = len(answers)
        reaches(lambda count=count: len(answers) > count + 50, "nobody is served")
        run("systemctl", "restart", "mpind")
    enough.set()
    for one in clients:
        one.join()
    equal(set(answers), {"200"})


def crashes():
    """killed, it comes back by itself, and who asks meanwhile waits"""
    before = main_process()
    os.kill(before, signal.SIGKILL)
    equal(ask(), "200")
    reaches(lambda: active() == ["active"] * 3, "it stays away")
    assert main_process() != before


def listens():
    """by TCP too, where its settings say so"""
    with open(SETTINGS, "w") as file:
        file.write(f"listen = unix:{PUBLIC}\nlisten = 127.0.0.1:8011\npublic-url = http://127.0.0.1:8011\n")
    run("systemctl", "restart", "mpind")
    equal((ask(), ask(address=("127.0.0.1", 8011))), ("200", "200"))


def mistaken():
    """settings that forget a socket are named in the journal, and nobody starts it again and again"""
    with open(SETTINGS, "w") as file:
        file.write("listen = 127.0.0.1:8011\npublic-url = http://127.0.0.1:8011\n")
    run("systemctl", "restart", "mpind", status=1)
    said = f'The socket unix:{PUBLIC} ("public", descriptor '
    reaches(lambda: said in "\n".join(journal("request")), "the journal does not say what is wrong")
    equal(run("systemctl", "show", "--property=NRestarts", "--value", "mpind").strip(), "0")
    os.unlink(SETTINGS)
    run("systemctl", "restart", "mpind")
    equal(ask(), "200")


def stops():
    """stopped with its sockets, nothing is left where callers ask"""
    run("systemctl", "stop", *UNITS)
    equal(os.listdir("/run/mpind"), [])
    equal(active(), ["inactive"] * 3)
    run("systemctl", "start", "mpind")
    equal((ask(), active()), ("200", ["active"] * 3))


host.main(before_init, begins, sockets, confined, administers, restarts, crashes, listens, mistaken, stops)
