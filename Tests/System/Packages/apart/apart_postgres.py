# SPDX-License-Identifier: Apache-2.0
# The server moves to PostgreSQL under the units of the packages, and back, by the commands of postgresql.md.
import re

from apart_wire import shell, there
from host import PIN, contents, equal, run, sudo, within

SETTINGS = "/etc/mpin/mpind.conf"
DROP_IN = "/etc/systemd/system/mpind-authority.service.d"
COPIES = "mpind/mpind.db", "mpind-ta/book.db"


def blocks(number):
    """The commands and files in a section of postgresql.md."""
    section = contents("/postgresql.md").split(f"\n## {number}. ")[1].split("\n## ")[0]
    return [re.sub("^    ", "", block, flags=re.MULTILINE)
            for block in re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)]


def logs_in():
    terminal = sudo("alice")
    terminal.answers("PIN for alice@web1: ", PIN)
    equal(terminal.ends(), ("\nroot\n", 0))


def rows(table):
    """How many rows a table in PostgreSQL has."""
    return int(shell(f"""runuser -u postgres -- psql -XAtd mpind -c 'SELECT count(*) FROM {table}'"""))


def moved():
    """by postgresql.md's commands the server and the authority move to PostgreSQL, each with its own role,
    and logins go on"""
    there("apt-get", "install", "postgresql")
    roles, setting, drop_in, *_ = blocks(1)
    there("bash", "-euc", roles)
    within(there("bash", "-euc", blocks(7)[0]), "issued: 2", "The copy is complete")
    there("sh", "-euc",
          f'printf %s "$1" >>{SETTINGS}; mkdir -p {DROP_IN}; printf %s "$2" >{DROP_IN}/book.conf;'
          " systemctl daemon-reload; systemctl start mpind", "sh", setting, drop_in)
    within(there("mpind", "database", "check"), "The database is good.")
    before = rows('"_mpind".audit')
    logs_in()
    equal((rows('"_mpind".audit'), rows('"_mpind-ta".issued')), (before + 1, 2))


def reboots():
    """both units start again although PostgreSQL starts after them"""
    there("systemctl", "stop", "mpind*", "postgresql")
    since = shell("journalctl --lines=0 --show-cursor").split("cursor: ")[1].strip()
    there("systemctl", "start", "--no-block", "mpind")
    lines = f"journalctl --unit='mpind*' --output=cat --after-cursor='{since}'"
    shell(f"timeout 60 sh -c \"until {lines} | grep -q ^waiting; do sleep 0.1; journalctl --sync; done\"")
    there("systemctl", "start", "postgresql")
    shell("timeout 60 sh -c 'until systemctl is-active --quiet mpind; do sleep 0.1; done'")
    logs_in()


def returned():
    """and the same way back, with what happened meanwhile"""
    count = rows('"_mpind".audit')
    there("systemctl", "stop", "mpind*")
    for name in COPIES:
        shell(f"rm /var/lib/{name}*")
    there("bash", "-euc", "\n".join(blocks(7)[0].replace("--to", "--from").splitlines()[1:]))
    there("sh", "-euc", f"sed -i '/^database =/d' {SETTINGS}; rm -r {DROP_IN}; systemctl daemon-reload;"
          " systemctl start mpind; apt-get purge 'postgresql*'")
    logs_in()
    equal(there("mpind", "audit", "--json").count("\n") >= count, True)
