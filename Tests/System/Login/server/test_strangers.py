# SPDX-License-Identifier: Apache-2.0
# Remotely, neither the screens nor the time reveal who is enrolled, how, and whether they are locked.
import concurrent.futures
import itertools
import math
import random
import re
import subprocess
import time

from house import REMOTE, Login, site
from phones import ADDRESS, NUMBER, phone_settings, phones
from support import LONG, equal

# Compares times: `run` starts it when little else runs.
QUIET = True
ANSWERS = 500 if LONG else 52
WRONG = "Kestrel-0000"


def rank_test(one, other):
    """The distance between the ranks of two samples in standard deviations (Mann and Whitney)."""
    ordered = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = sum(rank for rank, (_, sample) in enumerate(ordered, 1) if sample == 0)
    n, m = len(one), len(other)
    return (ranks - n * (n + m + 1) / 2) / math.sqrt(n * m * (n + m + 1) / 12)


def screen(login):
    """The text of the screen, without what differs between sessions."""
    text = ADDRESS.sub("ADDRESS", login.screen.encode("latin-1").decode())
    text = re.sub("for [0-9]+ seconds", "for SOME seconds", NUMBER.sub("NUMBER", text))
    return "".join("▒" if character in "█▀▄ " else character for character in text)


def waited(user, answer):
    """One refused remote login: its result and screen, and the time from the answer to the refusal."""
    login = Login("sshd", user, answer, items={**REMOTE, "3": "ssh"})
    asked = max(when for style, _, when in login.done["messages"] if style == 1)
    return (login.code, screen(login)), login.done["ended"] - asked


# sshd replaces the answer of an unknown user with this.
JUNK = "\b\n\r\177INCORRECT"
ANSWERED = {"alice": [WRONG, "BCDFGH"], "gina": [WRONG, WRONG], "dora": ["BCDFGH", WRONG],
            "carol": [WRONG, "BCDFGH"], "nobody-at-all": [JUNK, JUNK]}


def round_of_logins(pool):
    """Two logins of each user in parallel, in any order: the user, how it looked, and how long it took."""
    logins = [(user, answer) for user, answers in ANSWERED.items() for answer in answers]
    random.shuffle(logins)
    running = [(user, pool.submit(waited, user, answer)) for user, answer in logins]
    return [(user, *login.result()) for user, login in running]


def half(pool, wait):
    """Half of the rounds, from `wait` seconds on."""
    time.sleep(wait)
    for _ in range(ANSWERS // 4):
        site().mpind.unlock("alice@example.org")
        yield from round_of_logins(pool)


def test_strangers():
    """remotely users who are enrolled, locked, not enrolled or unknown look the same and wait equally
    long"""
    subprocess.run(["useradd", "carol"], capture_output=True)
    site().mpind.enrol(phones().account("gina"), "gina@example.org", "Garganey-417", "--remote")
    equal(Login("mpin", "gina", *(WRONG + digit for digit in "123")).code, "MAXTRIES")
    looks, times = set(), {user: [] for user in ANSWERED}
    with phone_settings("tries = 1\nremote-pin = long"), concurrent.futures.ThreadPoolExecutor(22) as pool:
        # While the logins of one round wait for their refusal, those of the other one begin, unless they take
        # this machine that long.
        one_by_one = Login("mpin", "alice", site().alice).seconds > 0.4
        halves = [pool.submit(lambda wait: list(half(pool, wait)), wait)
                  for wait in (0, 120 if one_by_one else 1.2)]
        for user, look, seconds in itertools.chain(*(one.result() for one in halves)):
            looks.add(look)
            times[user].append(seconds)
    equal(len(looks), 1, looks)
    for user, seconds in times.items():
        assert min(seconds) >= 1.9, (user, min(seconds))
        others = [value for other, values in times.items() if other != user for value in values]
        distance = rank_test(seconds, others)
        assert abs(distance) < 4.5, (user, distance, sorted(seconds), sorted(others))
