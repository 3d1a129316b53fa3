# SPDX-License-Identifier: Apache-2.0
# What a user's own device does besides approving: shows sessions, logs out, gets codes for applications.
import json
import os
import subprocess
import tempfile

from house import CONF, PUBLIC, replaced, run, site
from phones import NAME, ORIGIN, phone_settings, phones, sudo, unasked_front
from support import equal, within
from test_changes import account


def posted(server, path, message, status="200", *more):
    """mpind's answer to this JSON at its public address."""
    told = run("curl", "-s", "--cacert", server.certificate, "-w", "\n%{http_code}", "-X", "POST",
               "-H", "Content-Type: application/json", *more, "-d", json.dumps(message), ORIGIN + path)
    body, code = told.rsplit("\n", 1)
    equal(code, status, body)
    return json.loads(body or "{}")


def test_session():
    """`mpin session` shows a session without answering it; it can be approved afterwards"""
    dora = phones().dora
    with unasked_front(), phone_settings():
        console = sudo("dora")
        for what in console.number, console.address:
            seen = dora.mpin("session", what)
            equal((seen["account"], seen["service"]), ("dora", "sudo"))
        console.types(dora.approves(console.address))
        equal(console.ends(), ("root", 0))
        equal(dora.mpin("session", console.address, status=1)["error"]["kind"], "refused")


def test_logout():
    """a device can end the logins that it approved, once, and its record of them is readable only by its
    user"""
    dora = phones().dora
    with unasked_front(), phone_settings():
        dora.mpin("logout")
        console = sudo("dora")
        console.types(dora.approves(console.address)).ends()
        uid = run("id", "-u", dora.user).strip()
        equal(run("stat", "-c", "%a %U", f"{dora.tokens}/users/{uid}.approved").strip(),
              f"600 {dora.user}")
        told = dora.mpin("logout")["logins"]
        equal([(one["account"], one["ended"]) for one in told], [("dora", True)])
        equal(told[0]["attempt"], dora.attempt)
        equal(dora.mpin("logout")["logins"], [])


def test_backend():
    """any account can test a server by its address or its socket, and a missing one is reported"""
    with unasked_front() as server:
        for address, options in (ORIGIN, ["--ca-file", server.certificate]), (f"unix:{PUBLIC}", []):
            told = json.loads(run("mpin", "backend", "test", address, *options, "--json"))
            equal((told["address"], told["permits"]), (address, False))
    run("mpin", "backend", "test", "unix:/run/nowhere", status=3)


def test_application():
    """an application accepts the code that a device got, once; a wrong client id or redirect URL gets none"""
    dora = phones().dora
    with unasked_front() as server:
        app = site().mpind.admin("app", "add", "shop", "--redirect", "https://shop.example.org/back")
        url = posted(server, "/authzurl", {})["authorizeURL"]
        within(url, app["clientId"], NAME)
        told = dora.mpin("authcode", "--app", app["clientId"], url, pin=dora.pin)
        answer = {"code": told["code"], "userID": dora.identity}
        posted(server, "/authtoken", answer)
        posted(server, "/authtoken", answer, "401")
        wrong = dora.mpin("authcode", "--app", app["clientId"], url, pin="Osprey-28", status=1)
        equal(wrong["error"]["kind"], "refused")
        for other, where in ("f" * 32, url), (app["clientId"], url.replace("shop.example", "evil.example")):
            told = dora.mpin("authcode", "--app", other, where, pin=dora.pin, status=1)
            equal(told["error"]["kind"], "refused")
        site().mpind.admin("app", "remove", "shop")
    phones().unlock()


def test_imported_for_an_account():
    """a token is not imported for an account that it would lock out, or that already has a PIN"""
    account("tess")
    mpin_id = json.dumps({"mobile": 1, "issued": "2026-11-21", "userID": "tess", "salt": "0"}).encode().hex()
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/tokens", f"{folder}/users"]
        for path, content in zip(files, ({mpin_id: {"token": "04" + "11" * 64}},
                                         {"login.example.org": {mpin_id: {"state": "REGISTERED"}}})):
            with open(path, "w", encoding="ascii") as file:
                json.dump(content, file)
        unsealed = "answer = unsealed\nmethod = pin\nbackend = https://login.example.org\n"
        sealed = f"backend = unix:{PUBLIC}\n"
        for conf, reason in (sealed, "answer = unsealed"), (unsealed, "mpin remove tess"):
            with replaced(CONF, conf):
                before = run("mpin", "show", "tess", "--json")
                told = json.loads(run("mpin", "import", *files, "tess", "--json", status=1))
                within(told["error"]["message"], reason)
                equal(run("mpin", "show", "tess", "--json"), before)


def test_unseen():
    """output that cannot be written is an error, and an enrolment that fails does not create a store"""
    with open("/dev/full", "w", encoding="ascii") as full:
        for command in ("mpin", "users"), ("mpin", "users", "--json"), ("mpind", "user", "list"):
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            equal(done.returncode, 2, done.stderr)
            within(done.stderr, "cannot be written")
    with replaced(CONF, f"backend = unix:{PUBLIC}\n"), tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        run("mpin", "enroll", "alice", "--identity", "x", "--store", store, status=2,
            fds={"--pin-fd": "Falcon-22\n", "--code-fd": "BBBB-BBBB-BBBB-BBBB\n"})
        assert not os.path.exists(store)
