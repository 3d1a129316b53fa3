# SPDX-License-Identifier: Apache-2.0
# The machine that a scenario runs on: its files, its packages, and a full disk.
import contextlib
import hashlib
import os
import shutil
import stat
import sys

sys.path.insert(0, "/tests")
from host import run  # noqa: E402

NAMES = "libpam-mpin", "mpin", "mpin-server", "mpin-page"
# Whether this is the long run, and whether the files of Screens are recorded, as set by `boot`.
LONG, RECORDS = os.path.exists("/results/long"), os.path.exists("/results/record")
MODULE = f"/usr/lib/{os.uname().machine}-linux-gnu/security/pam_mpin.so"
# Caches, logs, users' own files, and records of the package tools.
FLEETING = ("/proc", "/sys", "/dev", "/run", "/tmp", "/results", "/debs", "/scenarios", "/tests", "/root",
            "/home", "/var/log", "/var/cache", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/systemd",
            "/var/tmp", "/var/backups", "/var/lib/pam", "/var/lib/sudo", "/etc/ld.so.cache")
# Changed by the accounts of these tests.
OURS = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid",
        "/etc/.pwd.lock", "/etc/sudoers.d", "/var/mail", "/var/spool/mail")


def tree(*roots):
    """Every file and folder below some folders, with its mode, owner and a hash of its contents."""
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
    """The paths that differ between the two trees."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def left_behind(before):
    """What remains of the packages, compared with an earlier tree of the whole machine: files, users,
    groups."""
    left = [path for path in different(before, tree("/")) if path != "/etc" and not path.startswith(OURS)]
    return left + left_accounts()


def left_accounts():
    lines = run("getent", "passwd").splitlines() + run("getent", "group").splitlines()
    return [line for line in lines if "mpin" in line]


def apt(*words, **options):
    return run("apt-get", "--yes", "--no-install-recommends", *words, **options)


def packages(release):
    folder = f"/debs/{release}"
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def quiet_apt():
    """Makes apt ask nothing and draw nothing, for all users."""
    with open("/etc/apt/apt.conf.d/tests", "w") as file:
        file.write('APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n'
                   'Binary::apt::DPkg::Progress-Fancy "false";\nDPkg::Use-Pty "false";\n')


def carried(folder):
    """Copies the packages to a folder that all users may write, as an administrator does before installing
    them."""
    quiet_apt()
    os.makedirs(folder, exist_ok=True)
    for package in packages("now"):
        shutil.copy(package, folder)
    os.chmod(folder, 0o777)


def may_destroy():
    """Answers the question of a server's purge in advance."""
    run("debconf-set-selections", typed="mpin-server mpin-server/destroy-secrets boolean true\n")


DISK = "/run/disk"


@contextlib.contextmanager
def full_disk(folder="/usr", left=2 << 20):
    """While the block runs, `folder` accepts only this many more octets; what was written remains."""
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
