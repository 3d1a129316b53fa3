# SPDX-License-Identifier: Apache-2.0
# `mpin approve` and `mpin session` without a number: what waits for the user's own tokens, with a real mpind.
import re

from console import Console
from device import PIN, Device, another_device
from house import PUBLIC, as_user, finish, plain, run, site, spawn
from phones import ORIGIN, front, pamtester, phone_settings, phones, sudo, unasked_front
from proxy import Changes, Proxy
from support import equal, within
from test_faults import PROXY
from test_own import posted

REFUSED, BROKEN, UNREACHABLE, CANCELLED = 1, 2, 3, 4
GRANTED, NOT_APPROVED = 0, (408, 5)
NEXT = "PIN, if that is you: "


def grouped(number):
    return f"{number[:3]} {number[3:]}"


def approving(device, *options):
    return spawn(*as_user(device.user), "mpin", "approve", *options)


def shows(child, prompt):
    """What the command shows up to this prompt."""
    child.expect_exact(prompt)
    return plain(child.before)


def ends(child, status):
    """The rest of the screen of a command that ends with this status."""
    screen, ended = finish(child)
    equal(ended, status, screen)
    return " ".join(plain(screen).split())


def types_pin(child, prompt=NEXT, pin=PIN):
    """Types the PIN; the screen before it."""
    screen = shows(child, prompt)
    child.waitnoecho()
    child.sendline(pin)
    return screen


def code_of(child):
    return re.search(r"Type this approval code at the console: (\S+)", ends(child, 0))[1]


def test_alone():
    """a login that waits alone is shown at once with its number, and its code lets sudo in"""
    dora = phones().dora
    with front(), phone_settings():
        login = sudo("dora")
        child = approving(dora)
        screen = types_pin(child)
        within(screen, "as             dora", "by             sudo",
               f"with number    {grouped(login.number)}: your console must show the same")
        assert "Which one" not in screen, screen
        equal(login.types(code_of(child)).ends(), ("root", 0))


def test_beside_a_strangers():
    """of two logins the owner finds hers by its number; the code of the other one opens nothing at hers"""
    dora = phones().dora
    with front(), phone_settings():
        login, strangers = sudo("dora"), pamtester("dora", rhost="198.51.100.7")
        rows = shows(child := approving(dora), "Which one (1 to 2, or its number)? ")
        within(rows, "Yours has your console's number", grouped(login.number), grouped(strangers.number))
        row = next(line for line in rows.splitlines() if grouped(strangers.number) in line)
        within(row, "dora", "mpin", "198.51.100.7")
        child.sendline(grouped(login.number))
        within(types_pin(child), "by             sudo", grouped(login.number))
        equal(login.types(code_of(child)).ends(), ("root", 0))
        # She approves the stranger's: its code fits no console of hers, and she tells nobody.
        login = sudo("dora")
        shows(child := approving(dora), "Which one (1 to 2, or its number)? ")
        child.sendline(strangers.number)
        within(types_pin(child), "198.51.100.7")
        within(login.types(code_of(child)).ends()[0], "Wrong approval code.")
        strangers.closes()


def test_several():
    """the list has the newest first; a place in it, or a number, chooses; anything else is asked again"""
    phone = another_device()
    # Of one source the list has two at most.
    consoles = [Console([phone.id], account=account, source=f"203.0.113.{place}")
                for place, account in enumerate(("ann", "ben", "cem"))]
    newest = [console.number for console in reversed(consoles)]
    equal([login["number"] for login in phone.mpin("session")["waiting"]], newest)
    child = approving(phone)
    prompt = "Which one (1 to 3, or its number)? "
    rows = re.findall(r"(?m)^(\d) +(\d{3} \d{4}) +sandbox +(\w+) +sshd +203.0.113.\d ", shows(child, prompt))
    equal(rows, [(str(place + 1), grouped(number), account)
                 for place, (number, account) in enumerate(zip(newest, ("cem", "ben", "ann")))])
    for wrong in "0", "4", "3232213", "x":
        child.sendline(wrong)
        within(shows(child, prompt), "That is none of them.")
    child.sendline("2")
    within(types_pin(child), "as             ben")
    equal(code_of(child), consoles[1].approval_code)
    equal([console.verdict()[:2] for console in consoles], [NOT_APPROVED, (200, GRANTED), NOT_APPROVED])
    # Enter alone approves nothing.
    shows(child := approving(phone), "? ")
    child.sendline("")
    within(ends(child, CANCELLED), "Nothing was approved.")


def test_denied_from_the_list():
    """a login that was chosen from the list can be refused, as one that was scanned"""
    phone = another_device()
    kept, refused = Console([phone.id], account="ann"), Console([phone.id], account="ben")
    shows(child := approving(phone, "--deny"), "? ")
    child.sendline(refused.number)
    within(types_pin(child, "PIN, to refuse this: "), "as             ben")
    within(ends(child, 0), "Refused: that login is over.")
    equal([login["account"] for login in phone.mpin("session")["waiting"]], ["ann"])
    equal(phone.approve(kept.number)["approved"], True)


def test_none():
    """where nothing waits, approve says what to do; another identity's login is not listed"""
    phone, stranger = another_device(), another_device()
    console = Console([stranger.id])
    within(ends(approving(phone), REFUSED), "mpin: No login waits for you. Begin it first")
    equal(phone.mpin("session"), {"waiting": []})
    within(run(*as_user(phone.user), "mpin", "session"), "No login waits for you.")
    equal([login["number"] for login in stranger.mpin("session")["waiting"]], [console.number])
    stranger.approve(console.number)
    equal(console.verdict(), (200, GRANTED, stranger.id))
    equal(stranger.mpin("session"), {"waiting": []})


def test_in_a_program():
    """a program lists what waits as JSON, and must name what it approves"""
    phone = another_device()
    console = Console([phone.id])
    login, = phone.mpin("session")["waiting"]
    equal([login[key] for key in ("number", "host", "account", "service", "source", "attempt", "identity")],
          [console.number, "sandbox", "alice", "sshd", "203.0.113.9", console.attempt, phone.id])
    equal(login["life"], console.life)
    error = phone.mpin("approve", pin=PIN, status=BROKEN)["error"]
    equal(error["kind"], "settings")
    within(error["message"], "mpin approve NUMBER")
    equal(console.verdict()[:2], NOT_APPROVED)
    equal(phone.approve(login["number"])["approved"], True)


def test_changed_on_the_way():
    """an attacker between device and server who changes the list gets nothing shown"""
    with Proxy(PROXY, PUBLIC) as proxy:
        phone = another_device(backend=f"unix:{PROXY}")
        console = Console([phone.id])
        for old, new in ((b"\0\4unix".hex(), b"\0\4unit".hex()), (console.number, "3232213"),
                         (f'"{console.wid}"', '"' + "0" * 32 + '"')):
            old, new = old.encode(), new.encode()
            proxy.faults = [Changes("waiting", lambda body, o=old, n=new: body.replace(o, n))]
            message = phone.mpin("session", status=BROKEN)["error"]["message"]
            within(message, "The server lists logins that are not its own.")
        proxy.faults = []
        equal(len(phone.mpin("session")["waiting"]), 1)


def test_two_servers():
    """a server that is away hides no login of another one, and is named"""
    phone = another_device()
    console = Console([phone.id])
    with Proxy(PROXY, PUBLIC):
        Device(phone.user, "second@phone.example.org", backend=f"unix:{PROXY}")
        equal(len(phone.mpin("session")["waiting"]), 1)
    equal(len(phone.mpin("session", status=UNREACHABLE)["waiting"]), 1)
    child = approving(phone)
    within(types_pin(child), "mpin: warning: ", grouped(console.number))
    equal(code_of(child), console.approval_code)


def test_application():
    """an application's QR code is named before the PIN, with the command that serves it"""
    dora = phones().dora
    with unasked_front() as server:
        site().mpind.admin("app", "add", "Wiki", "--redirect", "https://wiki.example.org/back")
        url = posted(server, "/authzurl", {})["authorizeURL"]
        address = posted(server, url.removeprefix(ORIGIN), {})["qrURL"]
        for options in [], ["--deny"]:
            screen = ends(approving(dora, address, *options), REFUSED)
            within(screen, "This is a login to the application Wiki", "Use 'mpin authcode --app ID URL'")
            assert "PIN," not in screen, screen
        site().mpind.admin("app", "remove", "Wiki")


def test_limit():
    """a device that asks more than 60 times a minute is told to wait"""
    phone = another_device()
    for _ in range(60):
        phone.mpin("session")
    within(phone.mpin("session", status=REFUSED)["error"]["message"], "Try again in a minute.")
