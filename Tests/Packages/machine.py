# SPDX-License-Identifier: Apache-2.0
# The machine that a scenario runs on: its files, its packages, and a disk that is full.
import contextlib
import hashlib
import os
import stat
import sys

sys.path.insert(0, "/tests")
from host import run  # noqa: E402

NAMES = "libpam-mpin", "mpin", "mpin-server", "mpin-page"
MODULE = f"/usr/lib/{os.uname().machine}-linux-gnu/security/pam_mpin.so"
# Caches, logs, people's own, and what the package tools note down for themselves.
FLEETING = ("/proc", "/sys", "/dev", "/run", "/tmp", "/results", "/debs", "/scenarios", "/tests", "/root",
            "/home", "/var/log", "/var/cache", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/systemd",
            "/var/tmp", "/var/backups", "/var/lib/pam", "/var/lib/sudo", "/etc/ld.so.cache")


def tree(*roots):
    """Every file and folder below some folders, with its mode, owner and contents."""
    found = {}
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if os.path.join(folder, name) not in FLEETING]
            for path in [folder] + [os.path.join(folder, name) for name in files]:
                if path not in FLEETING:
                    found[path] = described(path)
    return found


def described(path):
    status = os.lstat(path)
    text = b""
    if stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            text = hashlib.sha256(file.read()).digest()
    return oct(status.st_mode), status.st_uid, status.st_gid, text


def different(before, after):
    """The paths that are not in both alike."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def apt(*words, **options):
    return run("apt-get", "--yes", "--no-install-recommends", *words, **options)


def packages(release):
    folder = f"/debs/{release}"
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def may_destroy():
    """Answers beforehand what a purge of the server asks."""
    run("debconf-set-selections", typed="mpin-server mpin-server/destroy-secrets boolean true\n")


DISK = "/run/disk"


@contextlib.contextmanager
def full_disk(folder="/usr", left=2 << 20):
    """As long as the block runs, `folder` takes no more than so many octets; what it took stays."""
    if not os.path.ismount(DISK):
        os.mkdir(DISK)
        run("mount", "-t", "tmpfs", "disk", DISK)
        layers = {"lowerdir": folder, "upperdir": f"{DISK}/upper", "workdir": f"{DISK}/work"}
        for half in "upper", "work":
            os.mkdir(f"{DISK}/{half}")
        options = ",".join("=".join(pair) for pair in layers.items())
        run("mount", "-t", "overlay", "-o", options, "disk", folder)
    disk = os.statvfs(DISK)
    resize((disk.f_blocks - disk.f_bfree) * disk.f_frsize + left)
    try:
        yield
    finally:
        resize(1 << 30)


def resize(octets):
    run("mount", "-o", f"remount,size={octets}", DISK)
