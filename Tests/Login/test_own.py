# SPDX-License-Identifier: Apache-2.0
# What a person's own device does beside approving: looks, logs out, takes codes for applications.
import json

from harness import equal, test, within
from house import PUBLIC, run, site
from phones import NAME, ORIGIN, phone_settings, phones, sudo, unasked_front


def posted(server, path, message, status="200", *more):
    """What mpind answers to this JSON at its public address."""
    told = run("curl", "-s", "--cacert", server.certificate, "-w", "\n%{http_code}", "-X", "POST",
               "-H", "Content-Type: application/json", *more, "-d", json.dumps(message), ORIGIN + path)
    body, code = told.rsplit("\n", 1)
    equal(code, status, body)
    return json.loads(body or "{}")


@test
def session():
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


@test
def logout():
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


@test
def backend():
    """a server is looked at by anybody, by its address or its socket, and another is none"""
    with unasked_front() as server:
        for address, options in (ORIGIN, ["--ca-file", server.certificate]), (f"unix:{PUBLIC}", []):
            told = json.loads(run("mpin", "backend", "test", address, *options, "--json"))
            equal((told["address"], told["permits"]), (address, True))
    run("mpin", "backend", "test", "unix:/run/nowhere", status=3)


@test
def application():
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
