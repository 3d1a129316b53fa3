# SPDX-License-Identifier: Apache-2.0
# Milagro's flows as an app plays them through the library (Tests/Flows), over HTTP and over TLS.
import os
import re
import subprocess

from sentences import sentence

PLAIN = ["setup", "confirmation", "code", "login", "block", "lock", "revoke", "password", "authorization",
         "damage"]
BROWSERS = ["number", "picture", "refusal"]
PARTY = ["party", "party-browser", "party-statuses"]
SAID = re.compile(r"(?m)^(ok   |FAIL )")


def plays(mpind, flow, *options):
    """Plays it to its end: every sentence of it holds, and there is one at least."""
    address = f"https://{mpind.addresses[-1]}" if mpind.authorities else f"http://{mpind.addresses[-1]}"
    words = [os.path.join(os.path.dirname(mpind.program), "mpin-flows"), flow, "--backend", address,
             "--mpind", mpind.program, "--config", mpind.conf, *options]
    if mpind.authorities:
        words += ["--authorities", mpind.authorities]
    if mpind.party:
        words += ["--party", mpind.party.url]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    said = [line for line in done.stdout.splitlines() if SAID.match(line)]
    failed = [line for line in said if line.startswith("FAIL")]
    assert done.returncode == 0 and said and not failed, f"{done.returncode} {failed} {done.stderr[-900:]}"


def played(flow, options, text):
    def play(mpind):
        plays(mpind, flow, *options)
    play.__doc__ = text
    return play


def sentences_of(kind, flows, options, **settings):
    for flow in flows:
        for scheme in ("HTTP", "TLS"):
            register = sentence("flows", registration="confirm", tcp=True, tls=scheme == "TLS", **settings)
            register(played(flow, options, f"The library plays {flow} {kind}, over {scheme}."))


sentences_of("at mpind", PLAIN, [])
sentences_of("under profile = compat", PLAIN + BROWSERS, ["--compat"], profile="compat")
sentences_of("at an application of its own", PARTY, ["--compat"], profile="compat", party=True)
