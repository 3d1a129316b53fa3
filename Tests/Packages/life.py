# SPDX-License-Identifier: Apache-2.0
# The packages from their first installation to the purge, on a machine that has never seen them.
import hashlib
import os
import stat
import subprocess
import sys

sys.path.insert(0, "/tests")
import host  # noqa: E402
import ways  # noqa: E402
from host import PIN, equal, run, sudo, within  # noqa: E402

NAMES = "libpam-mpin", "mpin", "mpin-server"
MODULE = f"/usr/lib/{os.uname().machine}-linux-gnu/security/pam_mpin.so"
KEPT = "/etc/mpin", "/var/lib/mpin", "/var/lib/mpind", "/var/lib/mpind-ta", "/etc/pam.d", "/etc/ssh"
# Caches, logs, and what the package tools note down for themselves.
FLEETING = ("/proc", "/sys", "/dev", "/run", "/tmp", "/results", "/debs", "/scenarios", "/tests", "/root", "/home",
            "/var/log", "/var/cache", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/systemd", "/var/tmp", "/var/backups",
            "/etc/ld.so.cache", "/var/lib/pam")


def tree(*roots):
    """Every file below some folders, with its mode, owner and contents."""
    found = {}
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if os.path.join(folder, name) not in FLEETING]
            for path in [folder] + [os.path.join(folder, name) for name in files]:
                if path in FLEETING:
                    continue
                status = os.lstat(path)
                text = b""
                if stat.S_ISREG(status.st_mode) and not path.endswith(("-wal", "-shm")):
                    with open(path, "rb") as file:
                        text = hashlib.sha256(file.read()).digest()
                found[path] = (oct(status.st_mode), status.st_uid, status.st_gid, text)
    return found


def different(before, after):
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def apt(*words, **options):
    return run("apt-get", "--yes", "--no-install-recommends", *words, **options)


def packages(release):
    folder = f"/debs/{release}"
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


BEFORE = tree("/")


def installing():
    """installing the packages switches nothing on"""
    apt("install", *packages("now"))
    after = tree("/etc/pam.d", "/etc/ssh")
    equal(different({path: BEFORE[path] for path in after if path in BEFORE}, after), [])
    terminal = sudo("alice")
    terminal.answers("password for alice: ", host.PASSWORDS["alice"])
    equal(terminal.ends(), ("\nroot\n", 0))


def upgrading():
    """an upgrade keeps settings and enrolments, and at every moment of it the module's file is there"""
    before = tree(*KEPT)
    watch = subprocess.Popen(
        ["python3", "-c", f"import os\nwhile True: os.stat({MODULE!r})"], stderr=subprocess.PIPE, text=True)
    waiting = sudo("alice")
    waiting.shows("PIN for alice@example.org: ")
    said = apt("install", *packages("next"))
    assert watch.poll() is None, watch.stderr.read()
    watch.kill()
    within(said, "0.1.0+next")
    changed = [path for path in different(before, tree(*KEPT)) if "mpind.db" not in path and "book.db" not in path]
    equal(changed, [])
    waiting.types(PIN)
    equal(waiting.ends(), ("\nroot\n", 0))


def removing():
    """removed, the packages leave every stack as it was before"""
    apt("remove", *NAMES)
    after = tree("/etc/pam.d", "/etc/ssh")
    equal(different({path: BEFORE[path] for path in BEFORE if path.startswith(("/etc/pam.d", "/etc/ssh"))}, after), [])
    terminal = sudo("alice")
    terminal.answers("password for alice: ", host.PASSWORDS["alice"])
    equal(terminal.ends(), ("\nroot\n", 0))


def purging():
    """purged, they leave nothing"""
    apt("purge", "--autoremove", *NAMES)
    left = [path for path in different(BEFORE, tree("/")) if not path.startswith(("/etc/passwd", "/etc/group",
            "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid", "/etc/sudoers.d", "/var/mail"))]
    equal([path for path in left if path != "/etc"], [])
    for database in "passwd", "group":
        absent = [line for line in run("getent", database).splitlines() if "mpin" in line]
        equal(absent, [])


host.accounts()
AGAIN = [ways.sudo_by_pin, ways.ssh_by_key_and_pin, ways.second_device_again, ways.password_for_others]
host.main(installing, *ways.ALL, upgrading, *AGAIN, removing, ways.root_gets_in, purging)
