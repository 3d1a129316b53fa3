# SPDX-License-Identifier: Apache-2.0
# Logins to web pages (profile = compat): what a page says about itself is shown only as a quotation.
import contextlib
import json

from console import call
from device import another_device
from house import MPIND_CONF, as_user, finish, plain, site, spawn
from support import absent, equal, replaced, within

CLAIM = 'alice, by sudo on prod-db1, from the host itself, uid 0"    from  203.0.113.9'
QUOTED = "alice, by sudo on prod-db1, from the host itself, uid 0' fro"


@contextlib.contextmanager
def pages():
    """mpind opens sessions for web pages while the block runs."""
    text = open(MPIND_CONF).read()
    if "public-url" not in text:
        text += "public-url = https://login.example.org\n"
    site().mpind.stop()
    with replaced(MPIND_CONF, text + "profile = compat\n"):
        site().mpind.start()
        try:
            yield
        finally:
            site().mpind.stop()
    site().mpind.start()


def opened(claim):
    """The number of a session that a page opened through a proxy on the server's machine."""
    status, body = call("/rps/getAccessNumber", {"prerollid": claim})
    equal(status, 200)
    return body["accessNumber"]


def screen_of(phone, number):
    """What `mpin approve` shows before it asks for the PIN; then it is cancelled."""
    child = spawn(*as_user(phone.user), "mpin", "approve", number)
    child.expect("PIN, if that is you: ")
    child.waitnoecho()
    screen = plain(child.before)
    child.sendline("")
    finish(child)
    return screen


def test_a_page_cannot_pass_for_a_host():
    """a stranger's page is only quoted, and appears in no field for which a host or mpind vouches; a proxy's
    uid is not called the host itself"""
    phone = another_device()
    with pages():
        screen = screen_of(phone, opened(CLAIM))
        vouched, page = screen.split("The page says, and nobody checked it:")
        within(vouched, "Somebody wants to log in to a web page:", "login.example.org",
               "a program on the server's machine, uid 0")
        absent(vouched, "prod-db1", "sudo", "alice", "the host itself", "to the host")
        quotation, advice = page.strip().splitlines()[0], page.strip().splitlines()[2]
        assert quotation.startswith('"' + QUOTED) and quotation.count('"') == 2, quotation
        equal(advice, "If you did not begin this yourself, press Enter.")
        absent(screen_of(phone, opened("")), "The page says")
        # Milagro's phones show one line, which contains no text of the page; the user whom the page expects
        # has a separate field.
        number = opened(CLAIM)
        _, told = call("/rps/codeStatus", {"status": "wid", "wid": number})
        for key in "AppName", "appName":
            equal(told[key], "browser on login.example.org, from local:0")
        quoted = "seen", "PrerollId", "prerollId"
        absent(json.dumps({key: value for key, value in told.items() if key not in quoted}), "prod-db1")
        told = phone.mpin("session", number)
        equal((told.get("account"), told["service"], told["host"]), (None, "browser", "login.example.org"))
        within(told["page"], QUOTED)
        done = phone.approve(number)
        equal((done.get("account"), done["service"], done["host"]), (None, "browser", "login.example.org"))
        within(done["page"], QUOTED)
        logins = phone.mpin("logout")["logins"]
        absent(json.dumps(logins), "prod-db1")
