# SPDX-License-Identifier: Apache-2.0
# The server alone under a real systemd: its sandbox, its sockets, which outlive it, and its error messages.
import glob
import grp
import os
import pwd
import re
import signal
import threading
import time

from machine import apt
import host
from host import equal, run, within
from served import PUBLIC, ask, journal

ADMIN, SETTINGS = "/run/mpind/admin.sock", "/etc/mpin/mpind.conf"
HOST_SETTINGS = "/etc/mpin/mpin.conf"
UNITS = "mpind.socket", "mpind-admin.socket", "mpind.service"


def active():
    return run("systemctl", "is-active", *UNITS, status=None).split()


def main_process():
    return int(run("systemctl", "show", "--property=MainPID", "--value", "mpind"))


def status_of(process):
    with open(f"/proc/{process}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def reaches(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def before_init():
    """before `mpind init` nothing starts, and no socket waits for callers"""
    apt("install", *glob.glob("/debs/now/mpin-server_*.deb"))
    run("systemctl", "start", *UNITS)
    equal(active(), ["inactive"] * 3)
    assert not os.path.exists(PUBLIC)


def begins():
    """two commands make it and start it; its own user owns all its files"""
    run("mpind", "init")
    run("systemctl", "enable", "--now", "mpind")
    equal(active(), ["active"] * 3)
    equal(ask(), "200")
    owner = pwd.getpwnam("_mpind").pw_uid
    authority = pwd.getpwnam("_mpind-ta").pw_uid
    for path in glob.glob("/var/lib/mpind*") + glob.glob("/var/lib/mpind*/*"):
        status, wanted = os.stat(path), authority if path.startswith("/var/lib/mpind-ta") else owner
        equal((path, status.st_uid, status.st_mode & 0o077), (path, wanted, 0))


def sealed():
    """its secrets are credentials of systemd: no file contains them, and each unit has only its own"""
    for folder, name in ("mpind", "server"), ("mpind-ta", "authority"):
        with open(f"/var/lib/{folder}/{name}") as file:
            equal(file.read(), f"mpin-{name} = 1\nsealed = systemd\n")
        status = os.stat(f"/etc/credstore.encrypted/mpind.{name}")
        equal((status.st_uid, status.st_mode & 0o777), (0, 0o600))
    units = "mpind.service", "mpind-authority.service"
    for unit, own in zip(units, ("mpind.server", "mpind.authority")):
        equal(os.listdir(f"/run/credentials/{unit}"), [own])
    run("mpind", "unseal")
    with open("/var/lib/mpind-ta/authority") as file:
        within(file.read(), "sealed = no", "share-1 = ")
    run("systemctl", "restart", *units)
    equal((ask(), os.listdir("/etc/credstore.encrypted")), ("200", []))
    run("mpind", "seal")
    equal(os.listdir("/run/credentials/mpind.service"), [])
    run("systemctl", "restart", *units)
    equal((ask(), os.listdir("/run/credentials/mpind.service")), ("200", ["mpind.server"]))


def apart():
    """the authority is a separate process without a network, and the server starts it again without root"""
    process = int(run("systemctl", "show", "--property=MainPID", "--value", "mpind-authority"))
    status = status_of(process)
    equal([status[key] for key in ("NoNewPrivs", "Seccomp", "CapEff", "CapBnd")],
          ["1", "2", "0" * 16, "0" * 16])
    equal(set(status["Uid"].split()), {str(pwd.getpwnam("_mpind-ta").pw_uid)})
    for one, other in (process, "mpind"), (main_process(), "mpind-ta"):
        mode = run("nsenter", f"--target={one}", "--mount", "--", "stat", "-c", "%a", f"/var/lib/{other}")
        equal((other, mode.strip()), (other, "0"))
    with open(f"/proc/{process}/net/dev") as devices:
        equal([line.split(":")[0].strip() for line in devices.readlines()[2:]], ["lo"])
    assert os.readlink(f"/proc/{process}/ns/net") != os.readlink("/proc/1/ns/net"), "the host's network"
    status = os.stat("/run/mpind-ta/authority.sock")
    equal((pwd.getpwuid(status.st_uid).pw_name, grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777),
          ("_mpind-ta", "_mpind", 0o660))
    os.kill(process, signal.SIGKILL)
    equal(ask(), "200")
    run("systemctl", "restart", "mpind")
    equal(ask(), "200")
    again = int(run("systemctl", "show", "--property=MainPID", "--value", "mpind-authority"))
    assert again not in (0, process), "it did not start again"


def sockets():
    """its sockets and their folder belong to root; the administrators' socket is for their group"""
    modes = {path: (os.stat(path).st_uid, grp.getgrgid(os.stat(path).st_gid).gr_name,
                    oct(os.stat(path).st_mode & 0o7777)) for path in (PUBLIC, ADMIN, "/run/mpind")}
    equal(modes, {PUBLIC: (0, "root", "0o666"), ADMIN: (0, "mpin-admin", "0o660"),
                  "/run/mpind": (0, "root", "0o755")})


def confined():
    """it has no privilege, a filter of system calls, no core dump and no access to users' files"""
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
    equal([line for line in journal("request", "ready", "stopped") if "mpind" not in line], [])


def page():
    """installing the package of the phone page adds it to the running server, and removing the package
    removes it"""
    process, folder = main_process(), "/usr/share/mpin-page"
    equal(ask("/"), "404")
    apt("install", *glob.glob("/debs/now/mpin-page_*.deb"))
    reaches(lambda: ask("/") == "200", "the server does not read its page")
    equal(main_process(), process)
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=folder)
    for name in os.listdir(folder):
        equal((name, os.stat(f"{folder}/{name}").st_uid, os.stat(f"{folder}/{name}").st_mode & 0o777),
              (name, 0, 0o644))
        wanted = "404" if name == "SHA256SUMS" or name.endswith((".br", ".gz")) else "200"
        equal((name, ask(f"/{name}")), (name, wanted))
    told_by_setup()
    apt("purge", "mpin-page")
    reaches(lambda: ask("/") == "404", "the server still has the removed page")
    equal(os.path.exists(folder), False)


def told_by_setup():
    """Checks that `mpind setup` adds the address of the page to mpin.conf, and keeps its other lines."""
    before = f"# mine\nbackend = unix:{PUBLIC}\n\n[sudo]\nunenrolled = deny\n"
    with open(HOST_SETTINGS, "w") as file:
        file.write(before)
    run("mpind", "setup", "login.example.org")
    page = "phone-address = https://login.example.org/\n"
    with open(HOST_SETTINGS) as file:
        equal(file.read(), before.replace("\n\n", f"\n{page}\n"))
    os.unlink(HOST_SETTINGS)
    # After a purge that kept the settings: the name is that of `public-url`, and nothing is switched on.
    run("systemctl", "disable", "--now", "mpind-tls.socket", "mpind-renew.timer")
    within(run("mpind", "setup"), "The certificate for login.example.org is in use")
    equal(run("systemctl", "is-active", "mpind-tls.socket", "mpind-renew.timer").split(), ["active"] * 2)
    os.unlink(SETTINGS)
    run("systemctl", "disable", "--now", "mpind-tls.socket", "mpind-renew.timer")
    run("systemctl", "restart", "mpind.socket", "mpind-admin.socket", "mpind")


def administers():
    """root administers, and members of README's group, after a new login; others may not; the journal has the
    uid"""
    host.accounts()
    with open("/tests.md", encoding="utf-8") as readme:
        said = re.search(r"`(mpind user list)`\) after `sudo (usermod [^`]*)`", readme.read())
    run(*said[2].split())
    run("mpind", "user", "add", "alice@example.org")
    # With an ordinary user's PATH.
    within(run("su", "--login", "alice", "--command", said[1]), "alice@example.org")
    run("su", "--login", "bob", "--command", said[1], status=2)
    for name in "root", "alice":
        said = f'source="local:{pwd.getpwnam(name).pw_uid}"'
        reaches(lambda said=said: said in "\n".join(journal()), "the journal does not have the uid")


def restarts():
    """restarted repeatedly, it loses no client that connects meanwhile"""
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
        reaches(lambda count=count: len(answers) > count + 50, "no client is served")
        run("systemctl", "restart", "mpind")
    enough.set()
    for one in clients:
        one.join()
    equal(set(answers), {"200"})


def crashes():
    """killed, it starts again by itself, and clients wait meanwhile"""
    before = main_process()
    os.kill(before, signal.SIGKILL)
    equal(ask(), "200")
    reaches(lambda: active() == ["active"] * 3, "it does not start again")
    assert main_process() != before


def listens():
    """it also listens on TCP if its settings say so"""
    with open(SETTINGS, "w") as file:
        file.write(f"listen = unix:{PUBLIC}\nlisten = 127.0.0.1:8011\npublic-url = http://127.0.0.1:8011\n")
    run("systemctl", "restart", "mpind")
    equal((ask(), ask(address=("127.0.0.1", 8011))), ("200", "200"))


def mistaken():
    """settings that omit a socket are named in the journal, and systemd does not restart it repeatedly"""
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
    """stopped with its sockets, it leaves no socket for callers"""
    run("systemctl", "stop", *UNITS)
    equal(os.listdir("/run/mpind"), [])
    equal(active(), ["inactive"] * 3)
    run("systemctl", "start", "mpind")
    equal((ask(), active()), ("200", ["active"] * 3))


host.main(before_init, begins, sealed, apart, sockets, confined, page, administers,
          restarts, crashes, listens, mistaken, stops)
