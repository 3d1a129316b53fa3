# SPDX-License-Identifier: Apache-2.0
# Milagro's flows as an app plays them through the library (Tests/Conformance/Flows), over HTTP and over TLS.
import os
import re
import subprocess

import pytest

from support import equal, read

PLAIN = ["setup", "confirmation", "code", "order", "login", "lock", "revoke", "password", "authorization",
         "damage", "block", "block-password", "block-authorization", "block-session", "console",
         "console-refusal"]
BROWSERS = ["number", "qr-code", "refusal", "moved"]
PARTY = ["party", "party-browser", "party-data", "party-statuses"]
PRESENTED = {"service_name": "The example", "logo_url": "https://static.example.org/logo.png",
             "icon_url": "/icon.png", "rps_prefix": "login", "set_device_name": "yes", "request_otp": "yes"}
# Tests/System/Login plays this flow at a console and Tests/System/Page at a page, as root.
ELSEWHERE = {"approve": {"n", "c"}}
COMPAT = "under profile = compat"
CASE = re.compile(r"(?m)^    case (\w+)( = 0)?$")
SAID = re.compile(r"(?m)^(ok   |FAIL )")


def plays(mpind, flow, *options):
    """Plays a flow to its end: it has at least one sentence, and none fails."""
    words = [os.path.join(os.path.dirname(mpind.program), "mpin-flows"), flow, "--backend", mpind.public,
             "--mpind", mpind.program, "--config", mpind.conf, *options]
    if mpind.authorities:
        words += ["--authorities", mpind.authorities]
    if mpind.party:
        words += ["--party", mpind.party.url]
    if mpind.authority:
        words += ["--authority", mpind.authority_socket]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    said = [line for line in done.stdout.splitlines() if SAID.match(line)]
    failed = [line for line in said if line.startswith("FAIL")]
    assert done.returncode == 0 and said and not failed, f"{done.returncode} {failed} {done.stderr[-900:]}"


def flows_at(where, flows, *options, **settings):
    """Each of these flows at a server with these settings, over HTTP and over TLS. Both differ only below the
    library's requests, so over HTTP `make test` plays one flow of each server."""
    for flow in flows:
        for scheme in "HTTP", "TLS":
            marks = [pytest.mark.mpind(registration="confirm", tcp=True, tls=scheme == "TLS", **settings)]
            if scheme == "HTTP" and flow != flows[0]:
                marks.append(pytest.mark.long(f"plays {flow} {where}, over TLS"))
            what = f"plays {flow} {where}, over {scheme}"
            yield pytest.param(flow, options, what, marks=marks, id=what.replace(" ", "-"))


FLOWS = [
    *flows_at("at mpind", PLAIN),
    *flows_at(COMPAT, PLAIN + BROWSERS, "--compat", profile="compat"),
    *flows_at("at mpind", ["presentation"], **PRESENTED),
    *flows_at(COMPAT, ["presentation"], "--compat", profile="compat", access_number_checksum="no",
              **PRESENTED),
    pytest.param("setup", (), "plays setup at a server without a name for itself, over a socket",
                 marks=pytest.mark.mpind(registration="confirm"), id="setup-over-a-socket"),
    *flows_at("at mpind", ["away"], apart=True),
    *flows_at(COMPAT, ["away"], "--compat", apart=True, profile="compat"),
    *flows_at("at an application of its own", PARTY, "--compat", profile="compat", party=True),
]


@pytest.mark.parametrize("flow, options, what", FLOWS)
def test_library(mpind, flow, options, what):
    """The library {what}."""
    plays(mpind, flow, *options)


@pytest.mark.mpind(tcp=True, tap=True, registration="confirm")
def test_headers_arrive(mpind):
    """Every request of the library has the app's own header, and the Content-Type of its body."""
    plays(mpind, "code", "--app", "flows")
    heard = mpind.tap.requests()
    equal({method for method, _, _ in heard}, {"GET", "PUT", "POST"})
    steps = "clientSettings", "user", "signature", "clientSecret", "pass1", "pass2", "mpinAuthenticate"
    for step in steps:
        assert any(re.search(rf"/{step}\b", path) for _, path, _ in heard), (step, heard)
    for method, path, headers in heard:
        equal(headers.get("x-of-app"), "flows", path)
        equal(headers.get("content-type"),
              None if method == "GET" else "application/json; charset=UTF-8", path)


def cases(kind):
    """The names in an enumeration of Status.swift, as Milagro writes them."""
    body = re.search(rf"enum {kind}\b.*?\n}}", read("Sources/Client/MPinClient/Status.swift"), re.S).group()
    return {re.sub("(?<=[a-z])(?=[A-Z])", "_", name).upper() for name, _ in CASE.findall(body)}


def test_table():
    """The table of flows names each flow, status and state, as it is played."""
    said = read("Tests/Conformance/Flows/README.md")
    rows = re.findall(r"(?m)^\| ([^|]*[^-| ]) \| (`[^|]*`) \| ([bcn]) \|$", said)
    lines = re.findall(r"(?m)^\|.*$", said)
    equal(len(rows), len(lines) - 2, "rows with the right columns")
    played = dict(ELSEWHERE)
    for flow, options, _ in (entry.values for entry in FLOWS):
        played.setdefault(flow, set()).add("c" if options else "n")
    named = set()
    for text, flows, profile in rows:
        flows = re.findall("`([^`]*)`", flows)
        for flow in flows:
            there = played.get(flow, set())
            wanted = {"c", "n"} if profile == "b" else {profile}
            assert wanted <= there, f"{flow} is not played as `{text}` says"
        named.update(flows)
    equal(named, set(played))
    statuses, states = cases("Status"), cases("UserState")
    equal((len(statuses), len(states)), (17, 5))
    words = {word for text, _, _ in rows for word in re.findall(r"\w+", text)}
    equal((statuses | states) - words, set())
