# SPDX-License-Identifier: Apache-2.0
# The filter for fail2ban, over log lines of the module: it finds addresses, and no name can forge one.
import os
import re
import subprocess
import tempfile

from house import REMOTE, Login, settings, site
from support import CHECKOUT, LOG, equal

FILTER = os.path.join(CHECKOUT, "packaging/examples/fail2ban/filter.d/pam-mpin.conf")


def addresses(lines):
    """The addresses that the filter finds in these lines, in the journal's form."""
    with tempfile.NamedTemporaryFile("w", suffix=".log") as file:
        for line in lines:
            file.write(re.sub(r"^<\d+>(.{15}) ", r"\1 web1 ", line.rstrip("\0\n")) + "\n")
        file.flush()
        done = subprocess.run(["fail2ban-regex", "--out", "ip", file.name, FILTER],
                              capture_output=True, text=True)
    equal(done.returncode, 0, done.stderr)
    return done.stdout.split()


def tried(user, pin, address="192.0.2.7"):
    """The log lines of one remote login."""
    mark = LOG.mark()
    Login("sshd", user, pin, items={**REMOTE, "4": address})
    return LOG.since(mark, "pam_mpin")


def test_refused_from_afar():
    """fail2ban finds the address of a refused remote login, and of no other login"""
    site().mpind.unlock("alice@example.org")
    with settings("remote-pin = long\ntries = 1"):
        equal(addresses(tried("alice", "Kestrel-0000")), ["192.0.2.7"])
        equal(addresses(tried("alice", "Kestrel-0000", "2001:db8::7")), ["2001:db8::7"])
        equal(addresses(tried("nobody-at-all", "Kestrel-0000")), ["192.0.2.7"])
        equal(addresses(tried("alice", site().alice)), [])
    equal(addresses(tried("alice", site().alice)), ["192.0.2.7"], "a PIN that is not asked for")
    mark = LOG.mark()
    Login("mpin", "bob", "1111")
    equal(addresses(LOG.since(mark, "pam_mpin")), [], "a user at this host")


def test_forged_addresses():
    """no name of a user or a host makes fail2ban find a forged address"""
    forged = 'x" source="198.51.100.1'
    with settings("remote-pin = long\ntries = 1"):
        equal(addresses(tried(forged, "Kestrel-0000")), ["192.0.2.7"])
        equal(addresses(tried("alice", "Kestrel-0000", forged)), [])
        equal(addresses(tried('pam_mpin(sshd:auth): refused source="198.51.100.1"', "1")), ["192.0.2.7"])
