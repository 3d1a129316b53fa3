# SPDX-License-Identifier: Apache-2.0
# What every screen looks like in each language and colour scheme, whether it fits a small phone, and whether
# everybody can use it.
import os

from consoles import account, allowed, sudo
from house import site
from phone import HAS_FOLDER, ORIGIN, PIN, SCREENS, Phone, front, invitation, world
from pictures import ARGUMENTS, LANGUAGES, SCHEMES, Album
from proxy import Hangs
from support import equal
from terminal import Terminal
from test_page_bind import CODE_PROMPT, scanned
from test_page_enrolment import OFFLINE, REFUSED
from test_page_library import for_browsers
from test_page_people import IPHONE
from test_page_states import LATER
from test_page_waiting import NOTE, lists

NOBODY = f"{ORIGIN}/#{'5a' * 16}"
IDENTITIES = "petra@example.org", "petra-at-work@example.org"
CLICK = "document.querySelectorAll(arguments[0])[arguments[1]].click()"
# Draws the ending of a word, as the page does.
END = "import('/start.js').then(({refused}) => refused(arguments[0], () => {})).then(() => done(null))"
ENDS = "import('/en-endings.js').then(({ends}) => done(Object.keys(ends)))"
IDENTITY = ".rows:not(.waiting) button"
LAST_STAGE = "return document.querySelector('.stages :last-child').className === 'now'"
EMPTY = """
localStorage.clear();
const request = indexedDB.deleteDatabase('mpin');
request.onsuccess = request.onblocked = () => done(null);"""
ASK = """
fetch('/rps/getQrUrl', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})
  .then((answer) => answer.json()).then(({qrUrl}) => done(qrUrl));"""


def speaks(phone, language, agent=None):
    """The language of the screens that this phone loads from now on, and one time zone."""
    phone.browser.devtools("Emulation.setTimezoneOverride", timezoneId="UTC")
    phone.browser.devtools("Emulation.setUserAgentOverride", acceptLanguage=language,
                           userAgent=agent or phone.browser.value("return navigator.userAgent"))


def click(phone, selector, number=0):
    phone.browser.value(CLICK, selector, number)
    return phone


def types(phone, pin=PIN):
    phone.browser.keys(pin, "\n")
    return phone


def newcomer(album, phone, server, language):
    """The screens of a browser without an identity, and of an enrolment that is interrupted."""
    def take(state, **options):
        album.take(phone, language, state, **options)

    agent = phone.browser.value("return navigator.userAgent")
    speaks(phone, language, IPHONE)
    phone.open(invitation("petra@example.org", "BCDFGHJK"), "home-screen")
    take("iphone")
    speaks(phone, language, agent)
    phone.open(screen="stranger")
    take("stranger")
    click(phone, ".actions button").on("by-hand")
    take("by hand")
    click(phone.open(screen="stranger"), ".actions button", 1).on("how")
    take("how")
    phone.open(NOBODY, "stranger")
    take("scanned by a stranger")
    phone.open(world().invited("newcomer@example.org"), "invited")
    take("invited")
    click(phone, "button.go").on("pin")
    take("pin")
    phone.browser.keys("1111")
    take("pin that is refused")
    click(phone, ".actions button", 1).on("pin")
    take("passphrase")
    click(phone, ".actions button", 1).on("pin")
    types(phone).on("repeat")
    take("repeat")
    server.faults = [Hangs("/rps/pass1")]
    types(phone).on("busy").browser.wait("the last stage", LAST_STAGE)
    take("enrolling")
    server.faults = []


def enrolled(album, phone, language):
    """The screens of an enrolment that ends well, and the first screens after it."""
    click(phone.open(world().invited("newcomer@example.org"), "invited"), "button.go").on("pin")
    types(types(phone).on("repeat")).on("end enrolled")
    album.take(phone, language, "enrolled")
    click(phone.open(screen="home"), IDENTITY).on("identity")
    album.take(phone, language, "identity")
    click(phone.open(screen="home"), IDENTITY, 1).on("remove")
    album.take(phone, language, "remove")


def logins(album, phone, language):
    """The screens of approvals and refusals."""
    def take(state, **options):
        album.take(phone, language, state, **options)

    phone.open(screen="home").browser.wait("an answer about what waits", NOTE)
    take("home")
    console = sudo("petra")
    lists(phone.open(screen="home"), console)
    take("waiting", desktop=language in ("en", "ar"))
    phone.open(console.scanned, "asked")
    take("asked", desktop=language in ("en", "ar"))
    click(phone, "summary")
    take("details")
    click(phone, "button.danger").on("deny")
    take("deny")
    types(phone.open(console.scanned, "asked"), "999991").on("end wrongPIN")
    take("wrong pin")
    for pin in "999992", "999993", "999994":
        if phone.screen == "end wrongPIN":
            types(click(phone, "button.go").on("asked"), pin).on("end wrongPIN", "end locked")
    phone.on("end locked")
    take("locked")
    console.closes()
    site().mpind.unlock(IDENTITIES[0])
    console = sudo("petra")
    types(phone.open(console.scanned, "asked")).on("approval-code")
    take("code", desktop=language in ("en", "ar"))
    phone.browser.value(LATER, 200)
    phone.on("end gone")
    take("gone")
    console.closes()


def others(album, phone, language):
    """The screens of a web page's login and of root's terminal."""
    phone.open(phone.open(screen="home").browser.result(ASK), "asked")
    album.take(phone, language, "web page")
    with Terminal("mpin", "enroll", "quentin", "--bind", size=(100, 60)) as terminal:
        phone.open(scanned(terminal.shows(CODE_PROMPT)), "asked")
        album.take(phone, language, "bind")
        types(phone).on("approval-code")
        album.take(phone, language, "code for bind")


def endings(album, phone, language):
    """The endings, which differ in their texts only: a picture of the longest, and all are examined."""
    phone.open(screen="home")
    for word in phone.browser.result(ENDS):
        equal(phone.browser.result(END, word), None)
        album.examine(phone, language, f"end {word}", SCHEMES if language == "en" else ())
    phone.browser.result(END, "lost")
    album.take(phone, language, "lost")


def save(name, image):
    """Saves a sheet that differs, if a folder is given."""
    if HAS_FOLDER:
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644, dir_fd=SCREENS)
        with open(file, "wb") as sheet:
            image.save(sheet, "PNG")


def profile():
    """Enrols a phone that may approve petra's logins, and one with two identities."""
    with Phone("petra") as phone:
        allowed("petra", IDENTITIES[0], phone.enrolled(IDENTITIES[0]))
    with Phone("petra-twice") as phone:
        for identity in IDENTITIES:
            phone.enrolled(identity)


def test_pictures():
    """every screen looks as in its picture, in each language and colour scheme, fits a width of 320 pixels,
    and axe finds nothing wrong with it"""
    album = Album()
    profile()
    account("quentin")
    with for_browsers():
        expected = REFUSED, OFFLINE, r"worker\.js"
        for language in LANGUAGES:
            with front() as server, Phone("newcomer", *expected, by=server, arguments=ARGUMENTS) as phone:
                newcomer(album, phone, server, language)
                phone.browser.result(EMPTY)
                enrolled(album, phone, language)
                phone.browser.result(EMPTY)
            with Phone("petra", REFUSED, arguments=ARGUMENTS) as phone:
                speaks(phone, language)
                logins(album, phone, language)
                others(album, phone, language)
                endings(album, phone, language)
        with Phone("petra-twice", arguments=ARGUMENTS) as phone:
            address = phone.open(screen="home").browser.result(ASK)
            for language in LANGUAGES:
                speaks(phone, language)
                phone.open(address, "choose")
                album.take(phone, language, "choose")
    equal(album.wrong + album.compared(save), [])
