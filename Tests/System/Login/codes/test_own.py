# SPDX-License-Identifier: Apache-2.0
# What a person's own device does beside approving: looks, logs out, takes codes for applications.
import json
import os
import subprocess
import tempfile

from house import CONF, PUBLIC, replaced, run, site
from phones import NAME, ORIGIN, phone_settings, phones, sudo, unasked_front
from support import equal, within
from test_changes import account


def posted(server, path, message, status="200", *more):
    """What mpind answers to this JSON at its public address."""
    told = run("curl", "-s", "--cacert", server.certificate, "-w", "\n%{http_code}", "-X", "POST",
               "-H", "Content-Type: application/json", *more, "-d", json.dumps(message), ORIGIN + path)
    body, code = told.rsplit("\n", 1)
    equal(code, status, body)
    return json.loads(body or "{}")


def test_session():
    """a session is shown without an answer to it, and can be approved after that"""
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
    """what a device approved it can end, once, and nobody else reads what it remembers"""
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
    """a server is looked at by anybody, by its address or its socket, and another is none"""
    with unasked_front() as server:
        for address, options in (ORIGIN, ["--ca-file", server.certificate]), (f"unix:{PUBLIC}", []):
            told = json.loads(run("mpin", "backend", "test", address, *options, "--json"))
            equal((told["address"], told["permits"]), (address, False))
    run("mpin", "backend", "test", "unix:/run/nowhere", status=3)


def test_application():
    """an application lets in by a code that a device took, once, and no other application's URL gives one"""
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
    """a token that would shut an account out is not imported for it, nor one beside a PIN that is there"""
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
    """what cannot be written is no success, and a store that a failed enrolment would need is not made"""
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
