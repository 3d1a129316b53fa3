# SPDX-License-Identifier: Apache-2.0
# Attacks on a phone: each must fail (docs/THREATS.md).
import json
import re

from consoles import sudo
from phone import ORIGIN, Phone, front, invitation
from proxy import Changes, Fault
from support import absent, equal, seal, within
from test_page_approval import holly
from test_page_enrolment import REFUSED

EVIL = "https://evil.example.com"
MARKUP = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>"
INSIDE = "return document.querySelectorAll('main img, main script, main a, main iframe').length"


class Bare(Fault):
    """The answer without the headers that forbid frames, as after a proxy that drops headers."""

    def instead(self, handler, body):
        status, answer, headers = handler.forward(body)
        kept = [one for one in headers if one[0].lower() not in ("content-security-policy", "x-frame-options",
                "cross-origin-embedder-policy", "cross-origin-resource-policy", "cross-origin-opener-policy")]
        handler.answer(status, answer, kept)
        return True


class Evil(Fault):
    """A page of another site."""

    def __init__(self, markup):
        super().__init__("/evil")
        self.markup = markup

    def instead(self, handler, body):
        handler.answer(200, self.markup.encode(), [("Content-Type", "text/html")])
        return True


def framed(phone):
    """Opens a page that has ours in a frame, and switches to the frame."""
    phone.browser.command("POST", "/url", {"url": f"{EVIL}/evil"})
    frame = phone.browser.command("POST", "/element", {"using": "css selector", "value": "iframe"})
    phone.browser.command("POST", "/frame", {"id": frame})


def test_frames():
    """a page of another site that puts this one into a frame gets nothing to click on; even without the
    headers that forbid it, the page refuses to run"""
    evil = Evil(f"<!doctype html><iframe src='{ORIGIN}/#{'5a' * 16}' width=390 height=844></iframe>")
    forbidden = r"frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE"
    with front(evil) as server, holly(forbidden, r"/favicon.ico", by=server) as phone:
        framed(phone)
        equal(phone.browser.value("return document.querySelectorAll('main, button').length"), 0)
    # A new browser: another one would have cached the page with its headers.
    with front(evil, Bare("/")) as server, Phone("framed", r"/favicon.ico", by=server) as phone:
        framed(phone)
        phone.on("end framed")
        equal(phone.browser.value("return document.querySelectorAll('button').length"), 0)
        equal([path for path in server.calls if path.startswith("/rps")], [])


def test_begins_whole():
    """if the first script did not complete, the page shows nothing to type into"""
    broken = {
        "Object.defineProperty(window, 'isFramed', {value: undefined})": "framed",
        "history.replaceState = () => { throw new Error('forbidden'); }": "failed",
    }
    for source, word in broken.items():
        with Phone(f"broken-{word}", r"isFramed|forbidden") as phone:
            phone.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=source)
            phone.open(f"{ORIGIN}/#{'5a' * 16}").on(f"end {word}")
            equal(phone.browser.value("return document.querySelectorAll('button, input').length"), 0)


def told(host, service, account, source):
    """Changes the server's approval details: host, service, account and source."""
    def change(body):
        answer = json.loads(body)
        if "seen" not in answer:
            return body
        texts, time = seal.texts_of(bytes.fromhex(answer["seen"]))
        texts[2:6] = [host, service, account, source]
        answer["seen"] = seal.seen(texts, time).hex()
        return json.dumps(answer).encode()
    return Changes("/rps/codeStatus", change)


def test_markup_in_fields():
    """texts in host, account, service and source are shown literally and never become markup; nor does the
    name in an invitation"""
    texts = [(word + MARKUP).encode() for word in ("host", "service", "account", "source")]
    with front(told(*texts)) as server, holly(REFUSED, by=server) as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked").press("Details")
        shown = phone.text
        for word in "host", "service", "account", "source":
            within(shown, word + "<img")
        equal(phone.browser.value(INSIDE), 0)
        phone.screenshot("attack-markup")
        assert phone.browser.value("return document.title") != "taken"
        console.closes()
        phone.open(invitation(MARKUP, "BCDFGHJK")).on("invited")
        within(phone.text, MARKUP)
        equal(phone.browser.value(INSIDE), 0)


def test_lies_about_the_login():
    """a server, or a proxy, that shows another login than the one to prove gets no approval"""
    lie = told(b"printer", b"cups", b"guest", b"10.0.0.9")
    with front(lie) as server, holly(REFUSED, by=server) as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked")
        equal(phone.title, "Log in to printer as guest?")
        phone.types().on("end wrongPIN", "end failed", "end otherSession", "end noSession")
        _, status = console.given("BCDFGH")
        assert status != 0


def test_web_pages():
    """the page says that a login to a web page has no code, and promises no hour for its denial; an
    application's login ends before the PIN"""
    for service, screen in (b"browser", "asked"), (b"application", "end application"):
        with front(told(b"shop", service, b"Pay", b"10.0.0.9")) as server, holly(by=server) as phone:
            console = sudo("holly")
            phone.open(console.scanned, screen).screenshot(f"web-{service.decode()}")
            if screen == "asked":
                within(phone.text,
                       "There is no approval code: whoever shows this QR code is logged in as you.")
                phone.press("This was not me").on("deny")
                absent(phone.text, "one hour")
            else:
                within(phone.text, "mpin authcode")
            console.closes()


def test_another_site():
    """a script of another site can neither read an answer of the server nor use what this phone stores"""
    refused = r"blocked by CORS policy|Failed to load resource|Cross-Origin"
    with front(Evil("<!doctype html><h1>evil</h1>")) as server, holly(refused, by=server) as phone:
        phone.browser.command("POST", "/url", {"url": f"{EVIL}/evil"})
        script = f"""
const headers = {{'Content-Type': 'application/json'}};
const options = {{method: 'POST', headers, body: '{{"status":"wid"}}'}};
Promise.all(['/', '/rps/codeStatus', '/mpin.wasm'].map((path) =>
  fetch('{ORIGIN}' + path, path === '/rps/codeStatus' ? options : {{}}).then(() => 'read', () => 'refused')))
  .then((all) => done(all.join()));"""
        equal(phone.browser.result(script), "refused,refused,refused")
        absent(server.record.decode("latin-1"), "POST /rps/codeStatus")
        # This request needs no preflight, so the browser sends it; the server refuses requests of other
        # sites.
        simple = f"fetch('{ORIGIN}/rps/codeStatus', {{method: 'POST', mode: 'no-cors', body: '{{}}'}})"
        phone.browser.result(simple + ".then(() => done(1), () => done(0))")
        within(server.record.decode("latin-1"), "POST /rps/codeStatus", f"Origin: {EVIL}")


def test_no_referer():
    """neither session nor code leave the phone in a Referer or in the address of a request"""
    wid = "5a" * 16
    with front() as server, holly(REFUSED, by=server) as phone:
        phone.open(f"{ORIGIN}/#{wid}").on("end noSession")
        heads = re.sub(r"\{.*\}", "", server.record.decode("latin-1"))
        absent(heads.lower(), "\nreferer:", wid)
        equal(phone.browser.value("return [location.href, document.referrer, history.state]"),
              [ORIGIN + "/", "", None])
        # Going back does not lead to an address that contains the session.
        phone.browser.command("POST", "/url", {"url": "about:blank"})
        phone.browser.command("POST", "/back", {})
        equal(phone.browser.value("return location.href"), ORIGIN + "/")


def test_preview():
    """a program that previews links runs the page's scripts, which does not use up the code"""
    with front() as server, Phone("preview", by=server) as phone:
        phone.open(invitation("olga@example.org", "BCDFGHJKLMNPQRST"), "invited")
        equal([path for path in server.calls if path.startswith(("/rps", "/rpa", "/dta"))], [])
