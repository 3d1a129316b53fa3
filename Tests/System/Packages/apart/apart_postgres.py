# SPDX-License-Identifier: Apache-2.0
# The server moves to PostgreSQL under the units of the packages, over the network too, and back, by the
# commands of postgresql.md.
import re

from apart_wire import SERVER, shell, there
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
    query = f"SELECT count(*) FROM {table}"
    return int(there("runuser", "-u", "postgres", "--", "psql", "-XAtd", "mpind", "-c", query))


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


# Files with the names that postgresql.md gives them, as its blocks and sentences say.
NETWORK = r"""
install -m 644 /var/lib/postgresql/db.crt /etc/mpin/database.pem
printf %s "$1" >>"$(runuser -u postgres -- psql -XAtc 'SHOW hba_file')"
systemctl reload postgresql
runuser -u postgres -- psql -c "ALTER ROLE \"_mpind\" PASSWORD 'one'" \
    -c "ALTER ROLE \"_mpind-ta\" PASSWORD 'two'"
echo one | install -m 640 -g _mpind /dev/stdin /etc/mpin/database-password
echo two | install -m 640 -g _mpind-ta /dev/stdin /etc/mpin/book-password
sed -i '/^database =/d' /etc/mpin/mpind.conf
printf %s "$2" >>/etc/mpin/mpind.conf
mkdir -p /etc/systemd/system/mpind.service.d
printf %s "$3" >/etc/systemd/system/mpind.service.d/database.conf
printf %s "$4" >/etc/systemd/system/mpind-authority.service.d/book.conf
systemctl daemon-reload
systemctl restart mpind-authority mpind
"""


def distant():
    """by postgresql.md's commands both reach it over TLS with a certificate of its own, and the log has the
    whole address of the book"""
    certificate, *files = [block.replace("192.0.2.7", SERVER).replace("192.0.2.10/31", f"{SERVER}/32")
                           for block in blocks(1)[3:]]
    there("bash", "-euc", certificate)
    there("bash", "-euc", NETWORK, "bash", *files)
    over_tls()


def over_tls():
    """Logs in, and checks that the server is connected to the database over TLS, and that the authority has
    opened its book there, which it keeps no connection to."""
    logs_in()
    assert rows("pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = '_mpind' AND ssl") > 0
    book = f"postgresql://_mpind-ta@db.example.org/mpind?hostaddr={SERVER}&sslrootcert=/etc/mpin/database.pem"
    there("journalctl", "--sync")
    within(there("journalctl", "--unit=mpind-authority", "--output=cat", "--lines=20"), f'book="{book}"')


def returned():
    """and the same way back, with what happened meanwhile"""
    count = rows('"_mpind".audit')
    there("systemctl", "stop", "mpind*")
    for name in COPIES:
        shell(f"rm -f /var/lib/{name}*")
    there("bash", "-euc", "\n".join(blocks(7)[0].replace("--to", "--from").splitlines()[1:]))
    there("sh", "-euc", f"sed -i '/^database/d' {SETTINGS}; rm -r {DROP_IN}; systemctl daemon-reload;"
          " systemctl start mpind; apt-get purge 'postgresql*'")
    logs_in()
    equal(there("mpind", "audit", "--json").count("\n") >= count, True)
