# SPDX-License-Identifier: Apache-2.0
# The list of the logins that wait for a phone, on its first screen: without a scan, and beside strangers'.
import json

from consoles import Console, account, allowed, sudo
from house import site, stack
from phone import Phone, front
from proxy import Answers, Changes, Drops
from support import absent, equal, within
from test_page_approval import IDENTITY, holly
from test_page_enrolment import OFFLINE, REFUSED
from test_page_states import LATER

WAITING = "/rps/waiting"
NOTE = "return document.querySelector('.list .hint').textContent"
NUMBERS = "return [...document.querySelectorAll('.waiting b')].map((one) => one.textContent.replace(' ', ''))"
ROW = """
return [...document.querySelectorAll('.waiting li')].find((one) => one.textContent.includes(arguments[0]))"""


def shown(number):
    return f"{number[:3]} {number[3:]}"


def lists(phone, console):
    """Waits until the list has the login of this console."""
    phone.on("home").browser.wait("the login", ROW, shown(console.number))


def row(phone, console):
    """The text of a login in the list."""
    return phone.browser.value(ROW + ".innerText", shown(console.number))


def choose(phone, console):
    """Presses the login in the list: the page goes on as after a scan."""
    lists(phone, console)
    phone.browser.value(ROW + ".querySelector('button').click()", shown(console.number))
    return phone.on("asked")


def says(phone, words):
    phone.browser.wait(words, f"{NOTE}.includes(arguments[0])", words)


class Answered(Changes):
    """The true answers to the question what waits, which are kept: the sessions in each."""

    def __init__(self):
        super().__init__(WAITING, self.keep)
        self.lists = []

    def keep(self, body):
        self.lists.append([one["wid"] for one in json.loads(body)["waiting"]])
        return body


def test_without_a_scan():
    """a login appears on the open page by the next poll, with host, account, service, source and the number
    on the console; it is approved without a scan"""
    answered = Answered()
    with front(answered) as server, holly(by=server) as phone:
        phone.open(screen="home")
        says(phone, "No login waits")
        phone.screenshot("waiting-1-none")
        console = sudo("holly")
        before = len(answered.lists)
        lists(phone, console)
        [first, *_] = [at for at, wids in enumerate(answered.lists) if console.wid in wids]
        # One answer may have been on its way when the login began.
        assert first <= before + 1, (first, before)
        phone.screenshot("waiting-2-login")
        within(row(phone, console), shown(console.number), "Log in to sandbox as holly?", "Asked by sudo",
               "from the machine itself")
        choose(phone, console)
        equal(phone.title, "Log in to sandbox as holly?")
        within(phone.text, shown(console.number))
        equal(console.given(phone.types().approval_code()), ("root", 0))
        phone.press("Done").on("home")
        says(phone, "No login waits")


def test_one_flow_at_a_time():
    """while a login is approved the page asks for no list"""
    with front() as server, holly(by=server) as phone:
        console = sudo("holly")
        choose(phone.open(screen="home"), console)
        asked = server.calls.count(WAITING)
        clock = phone.browser.value("return performance.now()")
        phone.browser.wait("the time of a poll", "return performance.now() > arguments[0] + 2500", clock)
        code = phone.types().approval_code()
        equal(server.calls.count(WAITING), asked)
        equal(console.given(code), ("root", 0))


def test_not_me_from_the_list():
    """"This was not me" in the list asks for the PIN, and ends that login"""
    with holly(REFUSED) as phone:
        console = sudo("holly")
        lists(phone.open(), console)
        phone.press(f"This was not me: {shown(console.number)}").on("deny")
        phone.types().on("end denied").press("Done").on("home")
        says(phone, "No login waits")
        console.closes()
        site().mpind.unlock(IDENTITY)


def test_rows_keep_their_places():
    """a login that ends leaves its row in the list, where nothing can be pressed, so that no other row moves
    under a finger"""
    top = ROW + ".getBoundingClientRect().top"
    with holly(REFUSED) as phone:
        over, stays = sudo("holly"), sudo("holly")
        phone.open()
        for console in over, stays:
            lists(phone, console)
        first, last = sorted((over, stays), key=lambda one: phone.browser.value(top, shown(one.number)))
        place = phone.browser.value(top, shown(last.number))
        first.closes()
        phone.browser.wait("the end", ROW + ".querySelectorAll('button:disabled').length === 2",
                           shown(first.number))
        within(row(phone, first), "This login is over")
        equal(phone.browser.value(top, shown(last.number)), place)
        last.closes()


def strangers(name, count):
    """Logins from afar that wait for the devices of this account: three from each of several addresses."""
    stack("far", "auth required pam_mpin.so")
    return [Console("pamtester", "-I", f"rhost=203.0.113.{7 + at // 3}", "far", name, "authenticate")
            for at in range(count)]


def test_strangers_fill_the_list():
    """ten logins of strangers wait for holly: she finds hers by its number, also if it is not among the five
    of the list; approving a stranger's lets nobody in"""
    with holly(REFUSED) as phone:
        first = sudo("holly")
        others = strangers("holly", 10)
        hers = sudo("holly")
        lists(phone.open(), hers)
        phone.screenshot("waiting-3-strangers")
        numbers = phone.browser.value(NUMBERS)
        equal(len(numbers), 5)
        absent(numbers, first.number)
        equal(by_number(phone, first), ("root", 0))
        lists(phone.open(), hers)
        numbers = phone.browser.value(NUMBERS)
        sources = [row(phone, one).split("from ")[1] for one in others if one.number in numbers]
        assert max(sources.count(one) for one in sources) <= 2, sources
        wrong = next(one for one in others if one.number in numbers)
        code = choose(phone, wrong).types().approval_code()
        # The letters fit the stranger's console alone, and nobody has them there.
        assert hers.given(code)[1] != 0
        wrong.types("BCDFGH" if code != "BCDFGH" else "BCDFGJ").child.expect("M-Pin did not let you in")
        for one in others:
            one.closes()


def by_number(phone, console):
    """Approves the login by the number that its console shows."""
    phone.open(screen="home").browser.type("#number", console.number + "\n")
    return console.given(phone.on("asked").types().approval_code())


def test_stops_after_two_minutes():
    """after two minutes the page stops and says so; a button goes on; a page that is not visible does not
    ask"""
    with front() as server, holly(by=server) as phone:
        phone.open(screen="home")
        says(phone, "No login waits")
        phone.browser.value(LATER, 121)
        says(phone, "Stopped looking after two minutes.")
        phone.screenshot("waiting-4-stopped")
        asked = server.calls.count(WAITING)
        console = sudo("holly")
        equal(server.calls.count(WAITING), asked)
        phone.press("Look again")
        lists(phone, console)
        phone.browser.command("POST", "/window/minimize", {})
        phone.browser.wait("the page is hidden", "return document.hidden")
        asked = server.calls.count(WAITING)
        clock = phone.browser.value("return performance.now()")
        phone.browser.wait("the time of a poll", "return performance.now() > arguments[0] + 2500", clock)
        assert server.calls.count(WAITING) <= asked + 1
        phone.browser.command("POST", "/window/rect", {"width": 390, "height": 844})
        phone.browser.wait("a poll", "return !document.hidden")
        lists(phone, console)
        console.closes()


def test_says_what_is_wrong():
    """an older server, its limit, and a lost connection each have a sentence; the page asks once, and again
    only when the user wants it, or when the limit ends"""
    faults = [(Answers(WAITING, 404), "This server does not say which logins wait."),
              (Answers(WAITING, 429, b'{"retryAfter": 4}'), "asked too often. Look again in 4 seconds."),
              (Answers(WAITING, 503), "No answer from the server"),
              (Answers(WAITING, 200, b'{"waiting": [{"wid": "x"}]}'), "That did not work"),
              (Drops(WAITING), "No answer from the server")]
    with front() as server, holly(OFFLINE, r"status of (404|429|503)", by=server) as phone:
        for fault, words in faults:
            server.faults = [fault]
            phone.open(screen="home")
            says(phone, words)
            asked = server.calls.count(WAITING)
            phone.screenshot(f"waiting-fault-{faults.index((fault, words))}")
            server.faults = []
            if "too often" not in words:
                phone.press("Look again")
            says(phone, "No login waits")
            assert server.calls.count(WAITING) > asked


def test_several_identities():
    """the logins of all identities of a phone are in one list"""
    with Phone("both", REFUSED) as phone:
        for name in "rita", "sara":
            account(name)
            allowed(name, f"{name}-phone@example.org", phone.enrolled(f"{name}-phone@example.org"))
        consoles = [sudo(name) for name in ("rita", "sara")]
        phone.open()
        for name, console in zip(("rita", "sara"), consoles):
            lists(phone, console)
            within(row(phone, console), f"as {name}?", f"{name}-phone@example.org")
        for console in consoles:
            equal(console.given(choose(phone.open(), console).types().approval_code()), ("root", 0))
