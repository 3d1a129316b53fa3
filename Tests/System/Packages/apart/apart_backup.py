# SPDX-License-Identifier: Apache-2.0
# The server's backup, its removal, and the server on a machine that has only the backup, by the commands of
# the installed mpind(8).
import re

from apart_postgres import logs_in
from apart_wire import assert_closed, shell, shown, status, there
from host import equal

BACKUP = {}


def manual():
    """The commands in the section BACKUP of the installed mpind(8), as scripts: secrets, the rest, a new
    machine."""
    section = there("zcat", "/usr/share/man/man8/mpind.8.gz").split("\n.Sh BACKUP\n")[1].split("\n.Sh ")[0]
    scripts = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", section, re.MULTILINE | re.DOTALL)
    return [re.sub("^# ", "", script, flags=re.MULTILINE).replace("\\e\n", "\\\n") for script in scripts]


def backed_up():
    """mpind(8)'s commands copy all that a server needs, the two secrets apart from the rest, and the server
    goes on"""
    shell("mkdir -p /media/first /media/second /media/daily")
    secrets, rest, BACKUP["restore"] = manual()
    there("bash", "-euc", secrets + rest)
    BACKUP["certificate"] = shown()
    names = there("tar", "-tf", "/media/daily/mpind.tar").split()
    equal([name for name in names if name.endswith(("mpind/server", "mpind-ta/authority"))], [])
    equal(there("stat", "-c", "%a", "/media/daily/mpind.tar", "/media/first/server").split(), ["600"] * 2)


def restored():
    """on a machine that has nothing else mpind(8)'s commands bring the server back: alice logs in with the
    same PIN at the same host, and the CA signs a new certificate"""
    removed()
    shell("rm -f /var/lib/systemd/credential.secret")
    there("bash", "-euc", "cd /srv\n" + BACKUP["restore"])
    equal((status(), shown()), ("200", BACKUP["certificate"]))
    assert_sealed()
    logs_in()
    there("mpind", "tls", "renew")
    there("systemctl", "restart", "mpind")
    assert shown() != BACKUP["certificate"], "the old certificate is still in use"
    logs_in()


def assert_sealed():
    for folder, name in ("mpind", "server"), ("mpind-ta", "authority"):
        equal(there("cat", f"/var/lib/{folder}/{name}"), f"mpin-{name} = 1\nsealed = systemd\n")
        equal(there("stat", "-c", "%U %a", f"/var/lib/{folder}"), f"_{folder} 700\n")


def removed():
    """after its removal the server has no ports and sockets; a purge that may destroy secrets leaves no
    files"""
    there("apt-get", "remove", "mpin-server")
    assert_closed()
    equal(shell("ls /run/mpind 2>/dev/null || true"), "")
    shell("echo mpin-server mpin-server/destroy-secrets boolean true | debconf-set-selections")
    there("apt-get", "purge", "mpin-server")
    # The administrator's own files stay.
    shell("rm -rf /etc/systemd/system/mpind*.d /etc/mpin/database* /etc/mpin/book*")
    others = "/var/lib/dpkg/*", "/etc/nginx/*", "/run/systemd/*"
    without = [word for path in others for word in ("-not", "-path", path)]
    equal(there("find", "/etc", "/var/lib", "/run", "-name", "*mpin*", *without), "")
