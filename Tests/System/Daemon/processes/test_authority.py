# SPDX-License-Identifier: Apache-2.0
# `mpind authority` with the real front: which callers it answers, what the front's memory has, what a kill
# loses.
import os
import pwd
import random
import re
import threading
import time

import pytest

from support import curve, eventually
from support.milagro import Client, good
from two_processes import BUSY, DONE, LONG, REFUSED, ROOT, ActingAs, Server, frame

as_root = pytest.mark.skipif(not ROOT, reason="an ordinary user has only one account")


@pytest.fixture(scope="module")
def stopped(programs):
    """Both processes; neither runs at first."""
    server = Server(programs)
    yield server
    server.close()


@pytest.fixture(scope="module")
def server(stopped):
    """Both processes, running."""
    if not stopped.front.running:
        stopped.authority.start()
        stopped.front.start()
    return stopped


@pytest.fixture(scope="module")
def client(server):
    """A user who has logged in today."""
    client = registered(server, "alice")
    good(client.log_in("1234"))
    return client


def registered(server, name):
    user = f"{name}@example.org"
    return Client(server.wire(), user).register("1234", activateCode=server.code(user))


def test_waits(stopped):
    """the front waits for an authority that starts later, and says so"""
    stopped.front.start(waits=False)
    stopped.front.says("waiting authority=.*Is `mpind authority` running")
    stopped.authority.start()
    stopped.front.says("ready")


def test_folders(server):
    """init gives each of the two users a separate folder that is closed to the other one"""
    for path, user in (server.data, server.fronts), (server.master, server.authoritys):
        for place in [path] + [os.path.join(path, name) for name in os.listdir(path)]:
            status = os.stat(place)
            assert status.st_mode & 0o077 == 0, place
            assert user is None or pwd.getpwuid(status.st_uid).pw_name == user, place


def test_enrols(server, client):
    """a user enrols and logs in through both processes, with permits too"""
    before = server.front.said()
    good(client.log_in("1234"))
    server.front.says(re.escape(before) + r'(?s:.*) verdict="granted"')
    assert 'command="clientSecret" half="1"' in server.authority.said(), server.authority.said()
    assert 'command="timePermit" half="2"' in server.authority.said(), server.authority.said()


def found(pid, *needles):
    """Which of these octets are in the memory of a process, and how much of it could be read."""
    hits, read = set(), 0
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            first, last = (int(number, 16) for number in line.split()[0].split("-"))
            if "r" not in line.split()[1] or line.rstrip().endswith(("[vvar]", "[vsyscall]")):
                continue
            try:
                memory.seek(first)
                octets = memory.read(last - first)
            except (OSError, ValueError, OverflowError):
                continue
            read += len(octets)
            hits |= {needle for needle in needles if needle in octets}
    return hits, read


@as_root
def test_memory(server):
    """the front's memory, read as root, has neither share of the master secret nor their sum"""
    with open(f"{server.master}/authority", encoding="ascii") as file:
        said = dict(line.rstrip().split(" = ", 1) for line in file)
    first, second = (int(said[key], 16) for key in ("share-1", "share-2"))
    needles = {}
    for name, number in ("s1", first), ("s2", second), ("their sum", (first + second) % curve.R):
        big = number.to_bytes(32, "big")
        # As octets, as text, as 64-bit limbs of this machine, and halves of each.
        for form in big, big[::-1], big.hex().encode(), big[16:], big[:16], big[::-1][16:], big[::-1][:16]:
            needles[form] = name
    server.wire().get("/status")
    hits, read = found(server.front.running.pid, *needles)
    assert read > 1 << 20, f"only {read} octets could be read"
    assert not hits, {needles[hit] for hit in hits}
    hits, _ = found(server.authority.running.pid, *needles)
    assert {needles[hit] for hit in hits} == {"s1", "s2"}, "the search fails in the authority"


@as_root
def test_strangers(server):
    """the authority's socket answers only the front's user: not root, not its own user, not the relay's"""
    own = pwd.getpwnam(server.authoritys).pw_uid
    for uid in 0, own, 65534, 1000:
        with ActingAs(uid):
            try:
                assert server.ask(frame(1, 1, 0)) == b"", f"uid {uid} is answered"
            except (BrokenPipeError, ConnectionResetError):
                pass
    assert server.authority.said().count('refused source="local:') == 4, server.authority.said()
    os.chmod(server.socket, 0o660)
    os.chown(server.socket, own, pwd.getpwnam(server.fronts).pw_gid)
    with ActingAs(65534):
        try:
            server.ask(frame(1, 1, 0))
        except PermissionError:
            pass
        else:
            raise AssertionError("the mode of the packaged socket lets a stranger connect")
    with ActingAs(server.fronts):
        assert server.ask(frame(1, 1, 0))[1] == DONE


def test_frames(server):
    """frames that are too short, too long, slow or random do not end the authority"""
    with ActingAs(server.fronts):
        # What is not a whole frame asks only whether the book can be read.
        assert server.ask(b"") == b"\1" and server.ask(bytes(10)) == b"\1"
        octets = random.Random(11)
        for number in range(2000 * LONG * (50 if LONG > 1 else 1)):
            said = server.ask(octets.randbytes(44) if number % 2 else frame(
                octets.randrange(6), octets.randrange(4), octets.randrange(3), octets.randrange(2),
                octets.randbytes(32)))
            assert len(said) == 136 and said[0] == 1, said
            assert said[1] == DONE or not any(said[8:]), said
    assert server.authority.running.poll() is None
    with ActingAs(server.fronts):
        eventually(lambda: server.ask(frame(2, 1, identity=b"after all of it".ljust(32)))[1] == DONE,
                   "an answer after all of it")


def test_away(server, client):
    """while the authority is unreachable logins still work, without permits and with today's; a new permit
    and an enrolment get the status 503"""
    carol = registered(server, "carol")
    server.authority.kill()
    good(client.log_in("1234"))
    good(carol.log_in("1234", permit=False))
    assert carol.settings["usePermits"] is False
    assert server.wire().get("/status").status == 200
    answer = carol.permit()
    assert answer.status == 503 and answer.headers.get("Retry-After") == "1", repr(answer)
    newcomer = Client(server.wire(), "dave@example.org")
    good(newcomer.start(activateCode=server.code("dave@example.org")))
    assert newcomer.confirm().status == 503
    server.authority.start()
    good(carol.log_in("1234"))
    good(newcomer.confirm())
    newcomer.finish("4321")
    good(newcomer.log_in("4321"))


def test_killed(server, client):
    """killed at any moment, the authority remembers every identity that it has answered"""
    octets, given = random.Random(12), []
    for _ in range(8 * LONG):
        identities = [octets.randbytes(32) for _ in range(40)]

        def asks(wanted=identities):
            for identity in wanted:
                try:
                    said = server.ask(frame(2, 1, identity=identity))
                except OSError:
                    return
                if len(said) == 136 and said[1] == DONE:
                    given.append(identity)

        with ActingAs(server.fronts):
            asking, before = threading.Thread(target=asks), len(given)
            asking.start()
            # Waits for at least one answer in each round; the kill comes at any moment after that.
            eventually(lambda count=before: len(given) > count, "the first answer of this round")
            time.sleep(octets.random() * 0.05)
        # From here on the thread sends as root, which is refused.
        server.authority.kill()
        asking.join()
        server.authority.start()
    assert len(given) >= 8 * LONG, f"only {len(given)} were issued"
    with ActingAs(server.fronts):
        for identity in given:
            said = server.ask(frame(2, 1, identity=identity))
            assert said[1] in (REFUSED, BUSY), "issued twice"
            if said[1] == BUSY:
                time.sleep(0.25)
    good(client.log_in("1234"))


def test_ends(server):
    """SIGTERM ends both with success"""
    assert (server.front.end(), server.authority.end()) == (0, 0), server.authority.said()[-500:]
    assert "stopped" in server.authority.said()
