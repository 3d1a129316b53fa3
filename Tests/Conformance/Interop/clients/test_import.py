# SPDX-License-Identifier: Apache-2.0
# Importing the storage of an app on Milagro's core with `mpin`.
import glob
import json
import os
import subprocess
import tempfile

import pytest

from support import curve, equal, matching
from test_codes import SIX
from test_registration import PIN, registered
from test_relying import PARTY
from test_sessions import number
from unbound import Unbound

MILAGRO = ("a login waits, but mpin cannot approve logins at a Milagro server. Use the app that the token "
           "came from.")


def mpin(mpind, *words, status=0, pin="", code=None, store="tokens"):
    """The output of `mpin` as JSON; PIN and activation code go to separate descriptors."""
    typed, files = [], []
    for option, text in ("--pin-fd", pin or None), ("--code-fd", code):
        if text is not None:
            files.append(tempfile.TemporaryFile())
            files[-1].write((text + "\n").encode())
            files[-1].seek(0)
            typed += [option, str(files[-1].fileno())]
    command = [os.path.join(os.path.dirname(mpind.program), "mpin"), *words, *typed, "--json",
               "--store", f"{mpind.home}/{store}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                          pass_fds=[file.fileno() for file in files])
    equal(done.returncode, status, done.stdout + done.stderr)
    return json.loads(done.stdout)


def stored(mpind, users, token=None):
    """Writes the two files of the core, in its layout."""
    cache = {"date": 0, "timePermit": "20" * 65}
    plain = {user.mpin_id: {"timePermitCache": cache, "state": state} for user, state in users.items()}
    tokens = {user.mpin_id: {"token": token or curve.encode(user.token)}
              for user, state in users.items() if state == "REGISTERED"}
    files = {"secure": tokens, "plain": {"login.example.org": plain}}
    paths = []
    for name, content in files.items():
        paths.append(f"{mpind.home}/{name}")
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump(content, file, indent="\t", separators=(",", " : "))
        os.chmod(paths[-1], 0o600)
    return paths


@pytest.mark.mpind(request_otp="yes")
def test_imported(mpind):
    """Tokens from the core's two files log in with `mpin` and their own PINs; blocked ones are not
    imported."""
    heidi, ivan = registered(mpind, "heidi"), registered(mpind, "ivan")
    files = stored(mpind, {heidi: "REGISTERED", ivan: "BLOCKED"})
    words = ["import", *files, "--backend", mpind.addresses[0], "--identity"]
    said = mpin(mpind, *words, "heidi@example.org")
    equal([(one["label"], one["id"]) for one in said["imported"]], [("heidi@example.org", heidi.hash)])
    mpin(mpind, *words, "ivan@example.org", status=1)
    # A second token of one mpinId is refused.
    equal(mpin(mpind, *words, "heidi@example.org", status=1)["error"]["kind"], "refused")
    matching(mpin(mpind, "otp", pin=PIN)["otp"], SIX)
    mpin(mpind, "otp", pin="1235", status=1)


@pytest.mark.mpind(request_otp="yes")
def test_damaged(mpind):
    """Files that are missing or invalid, or lack a token where one is needed, are refused and import
    nothing."""
    judy = registered(mpind, "judy")
    files = stored(mpind, {judy: "REGISTERED"}, token="04" + "00" * 64)
    words = ["import", *files, "--backend", mpind.addresses[0]]
    equal(mpin(mpind, *words, status=2)["error"]["kind"], "store")
    equal(mpin(mpind, "import", files[0] + ".none", *words[2:], status=2)["error"]["kind"], "settings")
    with open(files[0], "w", encoding="utf-8") as file:
        file.write("{")
    equal(mpin(mpind, *words, status=2)["error"]["kind"], "settings")


@pytest.mark.mpind(**PARTY)
def test_elsewhere(mpind):
    """`mpin` says that a server directs it to an origin that is not trusted, and tells all but root which
    one."""
    words = ["enroll", "--personal", "--identity", "lena@example.org", "--backend", mpind.addresses[0]]
    said = mpin(mpind, *words, status=2, pin="4711", code="")["error"]["message"]
    named = f"an address at {mpind.party.url}" if os.geteuid() else "an address of another origin"
    assert f"{named}, which is not trusted here" in said, said


@pytest.mark.mpind(**PARTY, authenticate_url="/elsewhere")
def test_out_of_band(mpind):
    """`mpin enroll` waits until the application has verified the user, and continues then."""
    words = ["enroll", "--personal", "--identity", "lena@example.org", "--backend", mpind.addresses[0]]
    for _ in range(2):
        said = mpin(mpind, *words, status=1, pin="4711", code="")["error"]["message"]
        assert said.startswith("The server waits until this registration is confirmed"), said
    wish, _ = mpind.party.asked["lena@example.org"]
    equal(wish["resend"], True)
    mpind.party.asked.clear()
    mpind.party.activate(wish["mpinId"], wish["activateKey"])
    # Its login would go to the application, which does not exist here.
    said = mpin(mpind, *words, status=2, pin="4711", code="")
    equal((said["proved"], mpind.party.asked), (False, {}))


def kept(mpind, store):
    """The certificates and the additional origins that the store has for the only token."""
    [path] = glob.glob(f"{mpind.home}/{store}/users/*")
    with open(path, encoding="utf-8") as file:
        lines = [line.strip().partition(" = ") for line in file]
    return [value for key, _, value in lines if key == "ca-file"], [
        value for key, _, value in lines if key == "also-origin"]


@pytest.mark.mpind(request_otp="yes")
def test_imported_elsewhere(mpind):
    """`mpin import` stores certificates and further origins with a user's own token, but not for an
    account."""
    user = registered(mpind, "karl")
    files = stored(mpind, {user: "REGISTERED"})
    more = ["--ca-file", files[0], "--also-origin", "https://dta.example.org:8443",
            "--also-origin", "https://login.example.org"]
    words = ["import", *files, *more, "--backend", "https://mpin.example.org"]
    mpin(mpind, *words, store="elsewhere")
    equal(kept(mpind, "elsewhere"),
          ([files[0]], ["https://dta.example.org:8443", "https://login.example.org"]))
    for option in more[:2], more[2:4]:
        command = [os.path.join(os.path.dirname(mpind.program), "mpin"), "import", *files, "root", *option,
                   "--store", f"{mpind.home}/nobody's"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        equal((done.returncode, done.stdout), (64, ""))
        assert "--ca-file and --also-origin are for your own tokens;" in done.stderr, done.stderr
    assert not os.path.exists(f"{mpind.home}/nobody's")


@pytest.mark.mpind(request_otp="yes")
def test_no_lifetime(mpind):
    """A one-time password of a server that does not say for how long it is valid is printed without that."""
    user = registered(mpind, "mona")
    with Unbound(mpind) as server:
        mpin(mpind, "import", *stored(mpind, {user: "REGISTERED"}), "--backend", server.address, store="mona")
        said = mpin(mpind, "otp", pin=PIN, store="mona")
        matching(said["otp"], SIX)
        assert "seconds" not in said, said


@pytest.mark.mpind(profile="compat")
def test_personal(mpind):
    """`mpin enroll --personal` refuses a server that is not mpind before it registers anybody there."""
    words = ["enroll", "--personal", "--identity", "nora@example.org", "--backend"]
    with Unbound(mpind) as server:
        said = mpin(mpind, *words, server.address, status=2, pin="4711", code="", store="nora")
        assert "Only mpind can be used with --personal" in said["error"]["message"], said
        equal([path for path in server.asked if "/user" in path], [])


@pytest.mark.mpind(profile="compat")
def test_unbound(mpind):
    """`mpin session` and `mpin approve` refuse a server that does not bind proofs; with its token nothing is
    refused by a proof that would be taken for an approval, at mpind too."""
    user = registered(mpind, "lena")
    with Unbound(mpind) as server:
        mpin(mpind, "import", *stored(mpind, {user: "REGISTERED"}), "--backend", server.address,
             store="unbound")
        page = number(mpind)
        for command in "session", "approve":
            # There is no user to type a PIN.
            said = mpin(mpind, command, page.wid, status=2, store="unbound")["error"]["message"]
            assert MILAGRO in said, said
        equal([path for path in server.asked if "pass" in path or "authenticate" in path], [])
    equal(page.polls()["authOTT"], "")
    # With mpind itself, the same number shows the login.
    mpin(mpind, "import", *stored(mpind, {user: "REGISTERED"}), "--backend", mpind.addresses[0])
    equal(mpin(mpind, "session", page.wid)["service"], "browser")
    said = mpin(mpind, "approve", page.wid, "--deny", status=1, pin=PIN)["error"]["message"]
    assert "With this token a login cannot be refused" in said, said
    equal(page.polls()["authOTT"], "")
