# SPDX-License-Identifier: Apache-2.0
# What programs that use the module keep of a PIN, and what the relay inherits from them.
import os
import re
import subprocess

from house import PUBLIC, Login, as_user, finish, run, settings, site, spawn
from pamhost import secret_pages
from proxy import Hangs, Proxy
from standin import STANDIN, StandIn
from support import equal, eventually, within
from test_faults import PATIENT, PROXY
from test_sshd import KEY_AND_PIN, Sshd, ssh


def memory(process, needle):
    """Where an octet string occurs in a process outside of the pages that are excluded from dumps."""
    found = []
    with open(f"/proc/{process}/mem", "rb", 0) as octets:
        area = None
        for line in open(f"/proc/{process}/smaps"):
            begin = re.match(r"([0-9a-f]+)-([0-9a-f]+) (r)", line)
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                area = begin and (int(begin[1], 16), int(begin[2], 16))
            elif line.startswith("VmFlags:") and area and "dd" not in line.split():
                octets.seek(area[0])
                try:
                    content = octets.read(area[1] - area[0])
                except OSError:
                    continue
                found += [hex(area[0] + match.start()) for match in re.finditer(re.escape(needle), content)]
    return found


def test_core_of_the_host():
    """during a request to the server neither memory nor core of sudo has the PIN; pages of secrets are
    locked"""
    pin = site().alice.encode()
    with Proxy(PROXY, PUBLIC, Hangs("pass1")) as proxy, settings(PATIENT, backend=f"unix:{PROXY}"):
        child = spawn(*as_user("alice"), "sudo", "-k", "id", "-un")
        child.expect("PIN for .*: ")
        child.waitnoecho()
        child.sendline(site().alice)
        eventually(lambda: "/rps/pass1" in proxy.calls, "pass 1")
        host = subprocess.run(["pgrep", "-x", "sudo"], capture_output=True, text=True).stdout.split()[0]
        subprocess.run(["gcore", "-o", "/tmp/core", host], capture_output=True, check=True)
        pages, locked = secret_pages(host)
        # The key of wrong answers, that of the host, the token, and what pass 1 keeps for pass 2.
        assert 0 < locked == pages < 10, f"{pages} pages of secrets, {locked} of them locked"
        equal(memory(host, pin), [])
        assert memory(host, b"pam_mpin"), "the memory was not read"
        child.close(force=True)
    with open(f"/tmp/core.{host}", "rb") as core:
        content = core.read()
    assert b"pam_mpin" in content and pin not in content
    os.unlink(f"/tmp/core.{host}")


def test_relay_of_every_host():
    """the relay inherits nothing from its host, whichever program that is"""
    uid, gid = run("id", "-u", "_mpin").strip(), run("id", "-g", "_mpin").strip()
    with StandIn() as standin, settings(f"relay = {STANDIN}"):
        child = spawn(*as_user("alice"), "bash", "-c", "ulimit -n 24 -f 0; exec sudo -k id -un")
        child.expect("PIN for .*: ")
        child.sendline(site().alice)
        within(finish(child)[0], "root")
        with Sshd(*KEY_AND_PIN):
            within(ssh("alice", site().alice)[0], "alice\n")
        equal(Login("mpin", "alice", site().alice, closed=1).code, "SUCCESS")
    equal(len(standin.processes), 3)
    for process in standin.processes:
        wanted = {"Uid": [uid] * 4, "Gid": [gid] * 4, "Groups": [], "NoNewPrivs": ["1"],
                  "SigBlk": ["0" * 16], "CapEff": ["0" * 16]}
        equal({key: process.status[key].split() for key in wanted}, wanted)
        equal(sorted(process.descriptors), [0, 1, 2, 3, 4], process.descriptors)
        equal([process.descriptors[number] for number in range(3)], ["/dev/null"] * 3)
        equal((process.environment, process.folder), (b"", "/"))
        equal(process.session[1], "0", "the relay has the terminal of its host")
        wanted = {"Max core file size": ["0", "0"], "Max file size": ["0", "0"],
                  "Max address space": ["536870912", "536870912"]}
        equal({name: process.limits[name] for name in wanted}, wanted)
