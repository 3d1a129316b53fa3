# SPDX-License-Identifier: Apache-2.0
# Every other state of a phone has a screen that explains it.
import base64
import hashlib

from consoles import allowed, sudo
from house import site
from phone import ORIGIN, Phone, front, world
from proxy import Answers, Changes, Drops
from support import CHECKOUT, absent, equal, within
from test_page_approval import holly
from test_page_enrolment import OFFLINE, REFUSED

class PlainChanges(Changes):
    """The true answer, changed; it is requested whole and uncompressed."""

    def instead(self, handler, body):
        if handler.path != self.at:
            return False
        for name in "Accept-Encoding", "If-None-Match":
            del handler.headers[name]
        return super().instead(handler, body)


# Advances the clock of this browser by this many seconds.
LATER = "const now = Date.now; Date.now = () => now() + 1000 * arguments[0]"


def test_expired():
    """the page says that a login has ended, by its own clock and by the server's answer; the approval code
    disappears with its login"""
    with holly(REFUSED) as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked").browser.value(LATER, 91)
        phone.on("end noSession")
        phone.open(console.scanned, "asked").types().approval_code()
        left = phone.browser.value("return +/\\b([0-9]+) seconds left/.exec(document.body.innerText)[1]")
        phone.browser.value(LATER, left - 6)
        phone.browser.wait("the last seconds", "return /\\b[1-9] seconds left/.test(document.body.innerText)")
        phone.browser.value(LATER, 7)
        phone.on("end gone")
        equal(phone.browser.value("return document.querySelectorAll('.code').length"), 0)
        console.closes()
        phone.open(f"{ORIGIN}/#{'5a' * 16}").on("end noSession")
        phone.screenshot("expired")


def test_foreign():
    """an address of another server is refused, and nothing is sent; so is text that is not an address"""
    with front() as server, holly(by=server) as phone:
        phone.open(screen="home").browser.type("#number", f"https://evil.example.com/#{'5a' * 16}\n")
        phone.browser.wait("a refusal", "return document.getElementById('number-hint').textContent")
        within(phone.text, "Not from this server")
        phone.open(f"{ORIGIN}/#what?is=this").on("end notUnderstood")
        sent = {path for path in server.calls if path.startswith(("/rps", "/rpa", "/dta"))}
        equal(sent - {"/rps/waiting"}, set())


def test_somebody_elses():
    """a login that requests another user's identity is reported as such, before any PIN"""
    with Phone("stranger", REFUSED) as phone:
        phone.enrolled("liam-phone@example.org")
        console = sudo("holly")
        phone.open(console.scanned).on("end otherIdentity")
        phone.screenshot("other-identity")
        console.closes()


def test_only_an_administrator_helps():
    """an identity that is blocked, expired or revoked is reported as such, without another try"""
    identity = "nell-phone@example.org"
    with front() as server, Phone("nell", REFUSED, by=server) as phone:
        allowed("nell", identity, phone.enrolled(identity))
        console = sudo("nell")
        for status, screen in (410, "blocked"), (409, "expired"), (None, "revoked"):
            server.faults = [Answers("/rps/authenticate", status)] if status else []
            phone.open(console.scanned, "asked")
            if not status:
                site().mpind.admin("user", "revoke", identity)
            phone.types().on(f"end {screen}")
            absent(phone.text, "Try again")
            phone.screenshot(f"end-{screen}")
        console.closes()


def test_emptied():
    """the page explains that the browser deleted its storage, and does not silently enrol again; a phone that
    was never enrolled is told so when it scans a login"""
    with Phone("emptied") as phone:
        phone.open(f"{ORIGIN}/#{'5a' * 16}").on("stranger")
        within(phone.text, "this browser has no identity")
        phone.screenshot("not-enrolled")
        phone.enrolled("mona-phone@example.org")
        phone.browser.result("indexedDB.deleteDatabase('mpin').onsuccess = () => done(true)")
        for address in ORIGIN + "/", f"{ORIGIN}/#{'5a' * 16}":
            phone.open(address).on("end lost")
        phone.screenshot("lost")
        within(phone.text, "Ask your administrator")
        phone.press("Continue").on("stranger")
        # Safari deletes the marker too.
        phone.enrolled("mona-phone@example.org")
        phone.browser.value("localStorage.clear()")
        phone.browser.result("indexedDB.deleteDatabase('mpin').onsuccess = () => done(true)")
        phone.open(screen="stranger")
        within(phone.text, "Enrolled here before? Then the browser has deleted it.")
        phone.screenshot("all-storage-cleared")


def shifted(phone, seconds):
    """Sets the clock of each new page of this browser ahead by this many seconds; the handle that ends it."""
    source = f"{{ const now = Date.now; Date.now = () => now() + 1000 * {seconds}; }}"
    return phone.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=source)


def test_other_clocks():
    """if the clocks of phone and server differ, the page shows no wrong age and no wrong time left"""
    with holly() as phone:
        for seconds in 1000, -1000:
            script = shifted(phone, seconds)
            console = sudo("holly")
            phone.open(console.scanned, "asked")
            if seconds > 0:
                within(phone.text, "16 minutes ago")
            else:
                absent(phone.text, " ago", ", now,")
            code = phone.types().approval_code()
            absent(phone.text, "seconds left")
            phone.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)
            equal(console.given(code), ("root", 0))


def test_no_answer_of_this_server():
    """an answer that is not a JSON object, as from a captive portal, is treated as no answer"""
    for body in b"<html>Welcome</html>", b"[]", b"null":
        portal = Changes("/rps/codeStatus", lambda _, body=body: body)
        with front(portal) as server, holly(by=server) as phone:
            phone.open(f"{ORIGIN}/#{'5a' * 16}").on("end unavailable")


SPOIL = """
const request = indexedDB.open('mpin');
request.onsuccess = () => {
  const records = request.result.transaction('records', 'readwrite').objectStore('records');
  const kept = records.get(arguments[0]);
  kept.onsuccess = () => {
    records.put({...kept.result, octets: new ArrayBuffer(300)}, arguments[0]).onsuccess = () => done(true);
  };
};"""


def test_one_record_is_spoilt():
    """a record that cannot be opened does not keep others from approving, and is named as such"""
    with Phone("spoilt") as phone:
        ids = [phone.enrolled(f"{name}-phone@example.org") for name in ("uma", "vera")]
        allowed("vera", "vera-phone@example.org", ids[1])
        phone.browser.result(SPOIL.replace("arguments[0]", repr(ids[0])))
        console = sudo("vera")
        equal(console.given(phone.approves(console.scanned)), ("root", 0))
        phone.press("Done").on("home")
        within(phone.text, "It cannot be read. Enrol this device again.")


def test_one_name_twice():
    """two identities of one name differ by eight digits, and each keeps its own field for the PIN"""
    identity, phrase = "wren-phone@example.org", "slow otter 9 lanterns\n"
    with Phone("twice") as phone:
        phone.enrolled(identity)
        phone.open(world().invited(identity), "invited").press("Continue").on("pin").press("Use a passphrase")
        for screen in "pin", "repeat":
            phone.on(screen).browser.type("#passphrase", phrase)
        phone.on("end enrolled").press("Details")
        second = phone.browser.value("return document.querySelectorAll('dd')[1].textContent").replace(" ", "")
        phone.open(screen="home")
        within(phone.text, f"{identity} ({second[:8]})")
        phone.screenshot("one-name-twice")
        allowed("wren", identity, second)
        console = sudo("wren")
        phone.open(console.scanned, "asked").browser.type("#passphrase", phrase)
        equal(console.given(phone.approval_code()), ("root", 0))


def test_page_is_turned_off():
    """with `page = no` the page that a browser has cached is removed"""
    with Phone("off", r"404", r"worker\.js|ServiceWorker") as phone:
        phone.open(screen="stranger").browser.result("navigator.serviceWorker.ready.then(() => done(1))")
        phone.open(screen="stranger")
        with world().without_page():
            phone.browser.value("navigator.serviceWorker.getRegistration().then((one) => one.update())")
            phone.browser.wait("the 404", "return document.body.innerText.includes('NOT FOUND')")
            equal(phone.browser.result("caches.keys().then((names) => done(names))"), [])


def test_away():
    """an approval without network says so at any step, and can be tried again"""
    for step in "/rps/codeStatus", "/rps/pass1", "/rps/pass2", "/rps/authenticate":
        with front(Drops(step)) as server, holly(OFFLINE, REFUSED, by=server) as phone:
            console = sudo("holly")
            phone.open(console.scanned).on("asked", "end unavailable")
            if phone.screen == "asked":
                phone.types().on("end unavailable")
            server.faults = []
            phone.press("Try again").on("asked").types()
            equal(console.given(phone.approval_code()), ("root", 0))


def test_starts_from_what_it_kept():
    """a page that was open once starts without network, and says what is missing"""
    with front() as server, holly(OFFLINE, r"worker\.js", by=server) as phone:
        phone.open(screen="home")
        phone.browser.wait("the worker", "return navigator.serviceWorker.controller !== null || "
                           "navigator.serviceWorker.ready.then((one) => one.active.state === 'activated')")
        server.close_listener()
        server.faults = [Drops("/")]
        phone.open(screen="home")
        phone.open(f"{ORIGIN}/#{'5a' * 16}").on("end unavailable")
        phone.screenshot("offline")


def test_new_versions():
    """a new version of the page replaces the cached one; an incomplete deployment is not cached, and the
    earlier version stays in use"""
    update = """navigator.serviceWorker.getRegistration().then((one) => one.update()).then((one) => {
        const worker = one.installing ?? one.waiting;
        if (!worker) return done('same');
        worker.onstatechange = () => ['activated', 'redundant'].includes(worker.state) && done(worker.state);
    }, (error) => done(error.name));"""
    kept = "caches.keys().then((names) => done(names.length))"
    old, new = b"<span>M-Pin</span>", b"<span>M-Pin 2</span>"

    def digests(body):
        with open(f"{CHECKOUT}/build/page/index.html", "rb") as file:
            page = file.read()
        pages = page, page.replace(old, new)
        before, after = (base64.b64encode(hashlib.sha256(one).digest()) for one in pages)
        assert before in body
        return body.replace(before, after)

    worker, page = PlainChanges("/worker.js", digests), PlainChanges("/", lambda body: body.replace(old, new))
    with front() as server, Phone("versions", r"digest in the 'integrity' attribute", by=server) as phone:
        phone.open(screen="stranger").browser.result("navigator.serviceWorker.ready.then(() => done(1))")
        equal(phone.browser.result(update), "same")
        server.faults = [worker]
        equal(phone.browser.result(update), "redundant")
        equal(phone.browser.result(kept), 1)
        phone.open(screen="stranger")
        server.faults = [worker, page]
        equal(phone.browser.result(update), "activated")
        equal(phone.browser.result(kept), 1)
        phone.open(screen="stranger")
        equal(phone.browser.value("return document.querySelector('.bar span').textContent"), "M-Pin 2")


def test_languages():
    """the page speaks the first of the browser's languages that it has texts in, loads no other, and falls
    back to English if those texts cannot be loaded"""
    with front() as server, Phone("german", language="xx,de-AT,en", by=server) as phone:
        phone.open(world().invited("nora@example.org"), "invited")
        equal(phone.browser.value("return document.documentElement.lang"), "de")
        equal(phone.title, "Dieses Gerät einrichten")
        phone.screenshot("german")
        absent(phone.text, "Continue")
        loaded = phone.browser.value("return performance.getEntriesByType('resource').map((one) => one.name)")
        equal([one for one in loaded if "/en" in one and "enrol" not in one], [])
    with front(Answers("/de-endings.js", 503)) as server, Phone("broken-german", r"503", language="de",
                                                                by=server) as phone:
        phone.open(screen="stranger")
        equal(phone.browser.value("return document.documentElement.lang"), "en")
