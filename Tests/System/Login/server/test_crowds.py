# SPDX-License-Identifier: Apache-2.0
# Crowds of hostile connections: one account, one address or one network cannot keep users from logging in.
import pwd
import re
import statistics

import pytest

from crowds import TCP, TCP6, UNIX, Crowd, Server, listening, restart, sudo_seconds
from house import Login, site
from support import equal, eventually, quick

# Compares times: little else may run.
QUIET = True
# The number of logins beside a crowd whose median counts.
LOGINS = 5


@pytest.fixture(autouse=True)
def nothing_to_tell():
    """Shows alice the notice of earlier wrong PINs: a login beside a crowd must not show one."""
    equal(Login("mpin", "alice", site().alice).code, "SUCCESS")


def quick_beside(*crowds, most):
    """alice logs in beside these crowds within a second, or six times as slowly as alone if this machine is
    slow, and the server holds at most `most` connections."""
    alone = min(sudo_seconds() for _ in range(3))
    server = Server()
    before, memory = server.connections(), server.memory()
    for crowd in crowds:
        crowd.__enter__()
    try:
        medians = []

        def median():
            medians.append(statistics.median(sudo_seconds() for _ in range(LOGINS)))
            return medians[-1]

        is_quick = quick(median, max(1, 6 * alone), tries=5)
        held, grown = server.connections() - before, server.memory() - memory
    finally:
        for crowd in crowds:
            crowd.__exit__()
    told = f"{medians} seconds, one alone {alone}; the crowds {[crowd.told for crowd in crowds]}"
    assert is_quick, told
    assert held <= most, f"{held} connections are open"
    assert grown < 64, f"the server has grown by {grown:.0f} MiB"
    eventually(lambda: server.connections() <= before + 2, "the end of the crowd's connections")


def lines(word, since):
    return [line for line in open("/var/log/mpind.log").read()[since:].split("\n") if line.startswith(word)]


def test_half_heads_of_one_account():
    """512 half-sent heads of one account do not stop other logins"""
    # 128 for one account, those about to be closed, and alice's own.
    quick_beside(Crowd("half", 512), most=128 + 32 + 4)


def test_crowd_of_one_account():
    """5,000 half-sent heads of one account do not stop other logins, and are one line of the log in a
    minute"""
    sudo_seconds()
    since = len(open("/var/log/mpind.log").read())
    quick_beside(Crowd("half", 5000), most=128 + 32 + 4)
    assert len(lines("refused", since)) <= 20, lines("refused", since)[:30]
    # What has not been logged within a minute is logged at the end.
    restart()
    summary = lines("refusals", since)
    assert any('over-share="' in line and 'source="local:' in line for line in summary), summary


def test_reads_of_strangers():
    """bob's requests without end, which are answered, are ten lines of the log in a minute and then a sum;
    alice's login beside them has all its lines"""
    since = len(open("/var/log/mpind.log").read())
    with Crowd("read", 100):
        eventually(lambda: len(reads(since)) >= 10, "ten lines of bob's")
        for _ in range(3):
            sudo_seconds()
    restart()
    summary, *_ = of_bob("requests", since)
    counted, minutes = (int(re.search(rf'{key}="(\d+)"', summary)[1]) for key in ("count", "seconds"))
    assert len(reads(since)) <= 10 * (minutes // 60 + 2) and counted > 100, summary
    logins = [line for line in lines("request ", since) if 'route="mpinAuthenticate"' in line]
    equal(len(logins), 3, logins)
    for line in logins:
        attempt = re.search('attempt="[0-9a-f]+"', line)[0]
        equal(len([line for line in lines("request ", since) if attempt in line]), 3, attempt)


def of_bob(word, since):
    uid = pwd.getpwnam("bob").pw_uid
    return [line for line in lines(word + " ", since) if f'source="local:{uid}"' in line]


def reads(since):
    return [line for line in of_bob("request", since) if 'status="200"' in line]


def test_crowds_of_other_kinds():
    """crowds that send no head, drip it, stop in a body or send requests without end do not stop other
    logins"""
    for kind in "silent", "drip", "body", "ask":
        quick_beside(Crowd(kind, 1000), most=128 + 32 + 4)


def test_crowds_of_addresses():
    """5,000 connections of one IPv4 address, of one IPv6 /64 or of one /48 do not stop other logins"""
    with listening():
        quick_beside(Crowd("half", 5000, TCP, "127.0.0.1"), most=128 + 32 + 4)
        quick_beside(Crowd("half", 5000, TCP6, "2001:db8:1:1::/64"), most=128 + 32 + 4)
        quick_beside(Crowd("half", 5000, TCP6, "2001:db8:2::/48"), most=512 + 32 + 4)


def test_crowds_of_all_kinds_at_once():
    """crowds of an account, of addresses and of networks together do not stop other logins"""
    with listening():
        crowds = [Crowd("half", 1000, UNIX), Crowd("silent", 1000, TCP, "127.0.0.0/8"),
                  Crowd("drip", 1000, TCP6, "2001:db8:1::/48"), Crowd("half", 1000, TCP6, "2001:db8:2::/48"),
                  Crowd("ask", 1000, TCP6, "2001:db8:3::/48")]
        quick_beside(*crowds, most=768 + 32 + 4)
