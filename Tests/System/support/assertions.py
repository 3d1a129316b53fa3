# SPDX-License-Identifier: Apache-2.0
# Assertions whose texts show the actual and the expected value.
import calendar
import time


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: got {got!r}, wanted {wanted!r}"


def seconds(text):
    """A time as mpin and mpind print it in JSON, in seconds since 1970-01-01 UTC."""
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


def within(text, *parts):
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"


def absent(text, *parts):
    for part in parts:
        assert part not in text, f"{part!r} is in {text!r}"


def matching(text, pattern):
    assert pattern.fullmatch(text), f"{text!r} is not {pattern.pattern}"
    return text


def status(answer, *wanted):
    """The answer, if its status is one of these."""
    assert answer.status in wanted, f"got {answer}, wanted {wanted}"
    return answer


def quick(measure, limit, tries=20):
    """Whether one of so many measurements is below `limit` seconds. Other work on this machine makes each of
    them longer, never shorter."""
    return any(measure() < limit for _ in range(tries))


def eventually(condition, what, seconds=60):
    """Waits until `condition` returns a true value, and returns that value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"still waiting for: {what}"
        time.sleep(0.02)
