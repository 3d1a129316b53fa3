# SPDX-License-Identifier: Apache-2.0
# What an app on Milagro's core has kept, taken over by `mpin`.
import json
import os
import subprocess

import curve
from sentences import equal, matching, sentence
from test_codes import SIX
from test_registration import PIN, registered


def mpin(mpind, *words, status=0, pin=""):
    """What `mpin` says as JSON; the PIN goes to a descriptor of its own."""
    reading, writing = os.pipe()
    os.write(writing, (pin + "\n").encode())
    os.close(writing)
    typed = ["--pin-fd", str(reading)] if pin else []
    command = [os.path.join(os.path.dirname(mpind.program), "mpin"), *words, *typed, "--json",
               "--store", f"{mpind.home}/tokens"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, pass_fds=[reading])
    os.close(reading)
    equal(done.returncode, status, done.stdout + done.stderr)
    return json.loads(done.stdout)


def stored(mpind, users, token=None):
    """The two files of the core, in its own layout."""
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


@sentence("import", request_otp="yes")
def imported(mpind):
    """Tokens of the core's two files log in by `mpin`, with their own PINs; who was blocked is left out."""
    heidi, ivan = registered(mpind, "heidi"), registered(mpind, "ivan")
    files = stored(mpind, {heidi: "REGISTERED", ivan: "BLOCKED"})
    words = ["import", *files, "--backend", mpind.addresses[0], "--identity"]
    said = mpin(mpind, *words, "heidi@example.org")
    equal([(one["label"], one["id"]) for one in said["imported"]], [("heidi@example.org", heidi.hash)])
    mpin(mpind, *words, "ivan@example.org", status=1)
    # A second token of one mpinId there never is.
    equal(mpin(mpind, *words, "heidi@example.org", status=1)["error"]["kind"], "refused")
    matching(mpin(mpind, "otp", pin=PIN)["otp"], SIX)
    mpin(mpind, "otp", pin="1235", status=1)


@sentence("import", request_otp="yes")
def damaged(mpind):
    """Files that are none, or hold no token where one should be, are refused and import nobody."""
    judy = registered(mpind, "judy")
    files = stored(mpind, {judy: "REGISTERED"}, token="04" + "00" * 64)
    words = ["import", *files, "--backend", mpind.addresses[0]]
    equal(mpin(mpind, *words, status=2)["error"]["kind"], "store")
    equal(mpin(mpind, "import", files[0] + ".none", *words[2:], status=2)["error"]["kind"], "settings")
    with open(files[0], "w", encoding="utf-8") as file:
        file.write("{")
    equal(mpin(mpind, *words, status=2)["error"]["kind"], "settings")
