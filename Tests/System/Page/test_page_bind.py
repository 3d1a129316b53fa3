# SPDX-License-Identifier: Apache-2.0
# `mpin enroll --phone` and `--bind` with phones in a browser: two QR codes, and the code at root's terminal.
from consoles import account, sudo
from house import bound
from phone import Phone
from qr_codes import codes
from support import equal, eventually, within
from terminal import Terminal
from test_page_enrolment import REFUSED

CODE_PROMPT = "Approval code from the phone:"


def enroll(*words):
    return Terminal("mpin", "enroll", *words, size=(100, 60))


def scanned(terminal, before=""):
    """The address that a camera reads from the terminal."""
    return eventually(lambda: [one for one in codes(terminal.lines(), 100) if one != before], "a QR code")[0]


def test_enrolled_and_bound():
    """root's first QR code enrols the phone, the second binds it by its code, and then its approval lets the
    user in"""
    account("quinn")
    with Phone("quinn", REFUSED) as phone, enroll("quinn", "--phone") as terminal:
        phone.enrols(scanned(terminal.shows("says that it is enrolled:"))).on("end enrolled")
        within(phone.text, "second QR code", "sudo mpin enroll USER --bind")
        phone.press("Details")
        id = phone.browser.value("return document.querySelectorAll('dd')[1].textContent")
        terminal.types("").shows(CODE_PROMPT)
        phone.open(scanned(terminal), "asked")
        equal(phone.title, "Allow this device to approve logins of quinn on sandbox?")
        phone.screenshot("bind-1-asked")
        code = phone.types().approval_code()
        within(phone.text, "telephone protects nothing", f"Compare {id[:8]} with the terminal")
        phone.screenshot("bind-2-code")
        terminal.types(code).shows("Bind it? [y/N]")
        equal(bound("quinn"), [])
        equal(terminal.types("y").ends(), 0)
        equal(len(bound("quinn")), 1)
        console = sudo("quinn")
        equal(console.given(phone.approves(console.scanned)), ("root", 0))


def test_a_stranger_first():
    """a stranger's phone that scans root's binding QR code first gains nothing: its code differs, and root is
    told whose phone it was"""
    account("rosa")
    with Phone("passer-by", REFUSED) as stranger, Phone("rosa", REFUSED) as phone:
        stranger.enrolled("passer-by@example.org")
        phone.enrolled("rosa@example.org", "271829")
        with enroll("rosa", "--bind") as terminal:
            shown = scanned(terminal.shows(CODE_PROMPT))
            stolen = stranger.approves(shown)
            # The second phone is told that the login has ended, and does not get root's code.
            phone.open(shown).on("end noSession", "end otherIdentity")
            terminal.types("").shows("passer-by@example.org").shows(CODE_PROMPT)
            code = phone.approves(scanned(terminal, shown), "271829")
            assert code != stolen
            terminal.types(stolen).shows("Wrong approval code")
            terminal.types(code).shows("Bind it? [y/N]")
            within(terminal.text(), "rosa@example.org")
            equal(terminal.types("y").ends(), 0)
    equal(len(bound("rosa")), 1)
