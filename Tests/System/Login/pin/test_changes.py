# SPDX-License-Identifier: Apache-2.0
# Changing a PIN at the real server: the old PIN becomes invalid, and a killed change leaves one of the two.
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from house import STORE, Login, run, settings, site
from support import equal, within

OLD, NEW = "Kestrel-4711", "Plover-8824"


def account(name):
    """Creates an account with a PIN on this host, if it does not exist; its uid."""
    if subprocess.run(["getent", "passwd", name], capture_output=True).returncode:
        run("useradd", "--create-home", name)
        site().mpind.enrol(name, f"{name}@example.org", OLD)
    return run("id", "-u", name).strip()


def change(user, old, new, status=0):
    """Runs `mpin change-pin`; what it prints."""
    return json.loads(run("mpin", "change-pin", user, "--json", status=status,
                          fds={"--pin-fd": old + "\n", "--new-pin-fd": new + "\n"}))


def works(user, pin):
    return Login("mpin", user, pin).code == "SUCCESS"


def test_changed():
    """after a change the old PIN is invalid, the new one lets in, and a restored token file is useless"""
    with settings("tries = 1"), tempfile.TemporaryDirectory() as backup:
        uid = account("fred")
        path, kept = f"{STORE}/users/{uid}", f"{backup}/kept"
        shutil.copy2(path, kept)
        before = json.loads(run("mpin", "show", "fred", "--json"))["identities"][0]
        told = change("fred", OLD, NEW)
        after = json.loads(run("mpin", "show", "fred", "--json"))["identities"]
        equal([one["id"] for one in after], [told["identity"]["id"]])
        equal((told["proved"], told["replaced"]), (True, [before["id"]]))
        assert before["mpinId"] != after[0]["mpinId"]
        assert works("fred", NEW) and not works("fred", OLD)
        site().mpind.unlock("fred@example.org")
        shutil.copy2(kept, path)
        done = Login("mpin", "fred", OLD)
        equal(done.code, "PERM_DENIED", done.screen)


def test_refused():
    """a wrong old PIN, an easy new one, or the same one again changes nothing"""
    with settings("tries = 1"):
        uid = account("rhea")
        before = open(f"{STORE}/users/{uid}").read()
        for old, new in ("Kestrel-0000", NEW), (OLD, "1234"), (OLD, OLD):
            equal(change("rhea", old, new, status=1)["error"]["kind"], "refused")
            equal(open(f"{STORE}/users/{uid}").read(), before)
        # A text that cannot be a PIN is not sent, so it does not count as a try.
        for old in "", "ünï-4711", "JQKKMG":
            within(change("rhea", old, NEW, status=1)["error"]["message"], "Nothing was sent.")
        assert works("rhea", OLD)
        told = json.loads(run("mpin", "change-pin", "--json", status=1))
        within(told["error"]["message"], "mpin enroll --personal")


def test_killed():
    """a change that is killed at any moment leaves exactly one of the two PINs, and another run completes
    it"""
    with settings("tries = 1"):
        account("sven")
        old, new = OLD, NEW
        for moment in range(0, 400, 25):
            reading, writing = os.pipe()
            os.write(writing, f"{old}\n{new}\n".encode())
            os.close(writing)
            child = subprocess.Popen(
                ["mpin", "change-pin", "sven", "--pin-fd", str(reading), "--new-pin-fd", str(reading)],
                pass_fds=[reading], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment / 1000)
            child.send_signal(signal.SIGKILL)
            child.wait()
            os.close(reading)
            good = [pin for pin in (old, new) if works("sven", pin)]
            site().mpind.unlock("sven@example.org")
            equal(len(good), 1, f"after {moment} ms")
            both = len(json.loads(run("mpin", "show", "sven", "--json"))["identities"]) > 1
            if both or good == [old]:
                change("sven", good[0], new)
            old, new = new, old
