# SPDX-License-Identifier: Apache-2.0
# Enrolling a phone, also if the tab closes or the network fails during the enrolment.
from house import MPIND_CONF, site
from phone import ORIGIN, Phone, front, world
from proxy import Drops, Hangs
from support import absent, equal, eventually, within

KEY = """
const request = indexedDB.open('mpin');
request.onsuccess = () => {
  const kept = request.result.transaction('keys').objectStore('keys').get('wrap');
  kept.onsuccess = () =>
    crypto.subtle.exportKey('raw', kept.result).then(() => done('exported'), (e) => done(e.name));
};"""
# The requests of an enrolment, in order.
STEPS = ["/rps/user", "/rps/signature", "/dta2/clientSecret", "/rps/pass1", "/rps/pass2"]
OFFLINE = r"Failed to load resource: net::ERR_"
# The browser logs every answer that is an error: a refused code or proof, a login that has ended.
REFUSED = r"Failed to load resource: the server responded with a status of 4(01|03|04|09|10|12) "


def users():
    return site().mpind.admin("user", "list")["users"]


def test_enrols_a_phone():
    """a phone is enrolled by the address in a QR code; code and name leave the address first, and until the
    PIN is typed twice the server is asked only for its settings"""
    with front() as server, Phone("enrolment", by=server) as phone:
        address = world().invited("fern@example.org")
        phone.open(address, "invited")
        equal(phone.browser.value("return location.href"), ORIGIN + "/")
        phone.screenshot("enrol-1-invited")
        within(phone.text, "fern@example.org", "login.example.org")
        phone.press("Continue").on("pin").types("1111").on("pin")
        within(phone.text, "this would be guessed first")
        phone.press(*["Delete the last digit"] * 4).types("271828").on("repeat").types("271829").on("pin")
        within(phone.text, "did not match")
        asked = [path for path in server.calls if path.startswith(("/rps", "/dta", "/rpa"))]
        equal(asked, ["/rps/clientSettings"], "asked before the PIN was typed")
        code = address.split("code=")[1]
        absent(server.record.decode("latin-1"), code, "fern%40example.org", "Referer:")
        phone.types("271828").on("repeat").types("271828").on("end enrolled")
        phone.screenshot("enrol-3-enrolled")
        absent(server.record.decode("latin-1").lower(), "\nreferer:")
        equal(phone.browser.result(KEY), "InvalidAccessError", "export of the key that seals the record")
        phone.press("Done").on("home")
        within(phone.text, "fern@example.org")


def test_keeps_to_what_is_asked():
    """if the server requires eight characters and no dates, the page says so, and enrols with a PIN that
    meets both rules"""
    with open(MPIND_CONF) as file:
        conf = file.read()
    world().restart(conf + "\npin-length = 8\npin-kinds = no-dates\n")
    try:
        with Phone("strict") as phone:
            phone.open(world().invited("gale@example.org"), "invited").press("Continue").on("pin")
            within(phone.text, "8 digits or more")
            phone.types("271828").on("pin")
            within(phone.text, "At least 8 characters")
            phone.press(*["Delete the last digit"] * 6).types("31121999").on("pin")
            within(phone.text, "no date as a PIN")
            phone.press(*["Delete the last digit"] * 8).types("27182845").on("repeat")
            phone.types("27182845").on("end enrolled")
    finally:
        world().restart(conf)


def goes_on(phone, address, identity):
    """After an interrupted enrolment the page offers to continue, which leads to the identity."""
    phone.open().on("stranger", "home")
    if "Go on" in phone.text:
        phone.press("Go on").on("pin").types().on("repeat").types().on("end enrolled")
    elif identity not in phone.text:
        phone.enrols(address).on("end enrolled")
    phone.open().on("home")
    within(phone.text, identity)
    absent(phone.text, "Go on")
    equal(len(live(identity)), 1)


def live(identity):
    """The ids of an identity that are not revoked."""
    return [one["id"] for user in users() if user["userId"] == identity for one in user["identities"]
            if not one.get("revoked")]


# Faults: requests that do not arrive, and answers that are lost.
ASKED = [(step, False) for step in STEPS]
HEARD = [(step, True) for step in STEPS]


def test_goes_on_after_a_closed_tab():
    """after a tab is closed at any step of an enrolment, the page continues without a new code, and leaves
    one identity"""
    with front() as server, Phone("closed", REFUSED, by=server) as phone:
        for number, (step, heard) in enumerate(ASKED[:2] + HEARD[1:3] + ASKED[3:]):
            identity = f"closed-{number}@example.org"
            address = world().invited(identity)
            server.calls.clear()
            server.faults = [Hangs(step, heard)]
            phone.enrols(address)
            eventually(lambda step=step: any(step in path for path in server.calls), step)
            phone.browser.open("about:blank")
            server.faults = []
            goes_on(phone, address, identity)


def test_goes_on_after_the_network():
    """an enrolment whose request or answer is lost at any step says so, and the next try completes it without
    a new code"""
    with front() as server, Phone("offline", OFFLINE, REFUSED, by=server) as phone:
        for number, (step, heard) in enumerate(HEARD + ASKED[1:2]):
            identity = f"offline-{number}@example.org"
            address = world().invited(identity)
            server.faults = [Drops(step, heard)]
            phone.enrols(address).on("end unavailable", "end unproved")
            server.faults = []
            if phone.screen == "end unavailable":
                phone.press("Try again").on("pin").types().on("repeat").types().on("end enrolled")
            goes_on(phone, address, identity)
