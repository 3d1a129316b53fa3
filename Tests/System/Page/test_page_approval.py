# SPDX-License-Identifier: Apache-2.0
# Approving logins of real programs by a phone: by QR code, by number, with a wrong PIN, and denying them.
import functools

from consoles import Console, allowed, sudo
from house import site
from phone import ORIGIN, PIN, Phone, world
from support import absent, equal, within
from test_page_enrolment import REFUSED
from test_sshd import KEY, KEY_AND_PIN, SSH, Sshd, key_for

FIELD = """
const field = document.getElementById('passphrase');
return [field.type, getComputedStyle(field).webkitTextSecurity, field.form];"""
IDENTITY = "holly-phone@example.org"


@functools.cache
def profile():
    """A profile that is enrolled, and whose identity may approve holly's logins."""
    with Phone("holly") as phone:
        allowed("holly", IDENTITY, phone.enrolled(IDENTITY))
    return "holly"


def holly(*expected, **options):
    name = profile()
    site().mpind.unlock(IDENTITY)
    return Phone(name, *expected, **options)


def test_by_qr_code():
    """the QR code on the terminal opens the page's question; the code lets in by sudo and by sshd"""
    with holly() as phone, Sshd(*KEY_AND_PIN):
        console = sudo("holly")
        phone.open(console.scanned, "asked")
        phone.screenshot("approve-1-asked")
        equal(phone.title, "Log in to sandbox as holly?")
        within(phone.text, "Asked by sudo", "from the machine itself")
        phone.press("Details")
        phone.screenshot("approve-2-details")
        phone.types()
        code = phone.approval_code()
        phone.screenshot("approve-3-code")
        equal(console.given(code), ("root", 0))
        key_for("holly")
        console = Console(*SSH, *KEY, "holly@127.0.0.1", "id", "-un")
        phone.open(console.scanned, "asked")
        within(phone.text, "Asked by sshd", "from 127.0.0.1")
        equal(console.given(phone.types().approval_code()), ("holly", 0))


def test_by_number():
    """the seven digits on the terminal, typed by keys, do the same; no other number does"""
    with holly(REFUSED) as phone:
        console = sudo("holly")
        phone.open(screen="home").screenshot("home")
        phone.browser.type("#number", "123\n")
        phone.browser.wait("a refusal", "return document.getElementById('number-hint').textContent")
        # Its last digit is a checksum of the others.
        wrong = console.number[:6] + str((int(console.number[6]) + 1) % 10)
        phone.open(screen="home").browser.type("#number", wrong + "\n")
        phone.browser.wait("a refusal", "return document.getElementById('number-hint').textContent")
        phone.open(screen="home").browser.type("#number", console.number + "\n")
        phone.on("asked")
        phone.browser.type("body", PIN + "\n")
        equal(console.given(phone.approval_code()), ("root", 0))


def test_wrong_pins():
    """a wrong PIN is reported with the tries that are left and approves nothing; the third one locks, and the
    page says for how long"""
    with holly(REFUSED) as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked").types("999999").on("end wrongPIN")
        phone.screenshot("wrong-pin")
        within(phone.text, "2 tries left")
        phone.press("Try again").on("asked").types("999998").on("end wrongPIN")
        within(phone.text, "one try left")
        phone.press("Try again").on("asked").types("999997").on("end wrongPIN", "end locked")
        if phone.screen == "end wrongPIN":
            phone.press("Try again").on("asked").types("999996").on("end locked")
        phone.screenshot("locked")
        within(phone.text, "minute")
        console.closes()
        site().mpind.unlock(IDENTITY)
        console = sudo("holly")
        phone.open(console.scanned, "asked").types().on("approval-code")
        within(phone.text, "wrong PINs")
        console.closes()


def test_cancels():
    """cancelling approves nothing, and the console continues to wait; a QR code that is scanned while the
    page is open starts a new approval"""
    with holly() as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked").press("Cancel").on("end declined")
        phone.browser.value("location.hash = arguments[0]", console.scanned.partition("#")[2])
        phone.on("asked")
        equal(phone.browser.value("return location.href"), ORIGIN + "/")
        equal(console.given(phone.types().approval_code()), ("root", 0))


def test_not_me():
    """"This was not me" asks for the PIN and ends the login; the phone gets no more requests from that
    source, until an administrator unlocks it"""
    with holly(REFUSED) as phone:
        console = sudo("holly")
        phone.open(console.scanned, "asked").press("This was not me").on("deny")
        phone.screenshot("not-me")
        phone.types().on("end denied")
        within(phone.text, "audit trail")
        console.closes()
        console = sudo("holly")
        phone.open(console.scanned).on("end noSession", "end otherIdentity")
        site().mpind.unlock(IDENTITY)
        equal(console.given(phone.approves(console.scanned)), ("root", 0))


def test_chooses_the_identity():
    """of two identities on one phone the one that the login requests approves; the other's PIN is not asked
    for"""
    with Phone("two", REFUSED) as phone:
        for name in "iris", "jade":
            identity = f"{name}-phone@example.org"
            allowed(name, identity, phone.enrolled(identity, PIN if name == "iris" else "314159"))
        for name, pin in ("jade", "314159"), ("iris", PIN):
            console = sudo(name)
            phone.open(console.scanned, "asked")
            within(phone.title, name)
            phone.press("Details")
            within(phone.text, f"{name}-phone@example.org")
            equal(console.given(phone.types(pin).approval_code()), ("root", 0))
        phone.open(screen="home")
        phone.screenshot("two-identities")
        phone.press("Remove iris-phone@example.org").on("remove").press("Remove").on("home")
        absent(phone.text, "iris-phone")


def test_passphrase():
    """a passphrase is chosen and typed in a text field, and approves"""
    with Phone("words") as phone:
        phone.open(world().invited("kim-phone@example.org"), "invited").press("Continue").on("pin")
        phone.press("Use a passphrase")
        equal(phone.browser.value(FIELD), ["text", "disc", None], "browsers offer to save this field")
        for screen in "pin", "repeat":
            phone.on(screen).browser.type("#passphrase", "slow otter 9 lanterns\n")
        phone.on("end enrolled").press("Details")
        id = phone.browser.value("return document.querySelectorAll('dd')[1].textContent").replace(" ", "")
        allowed("kim", "kim-phone@example.org", id)
        console = sudo("kim")
        phone.open(console.scanned, "asked").browser.type("#passphrase", "slow otter 9 lanterns\n")
        equal(console.given(phone.approval_code()), ("root", 0))
