#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Random requests against a real mpind: `fuzz.py BINDIR [--requests N] [--seed S] [--only WORKER/NUMBER]`.
import argparse
import collections
import os
import random
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, folder) for folder in ("fuzzer", "servers", "../../System")]

from daemon import Mpind  # noqa: E402
from support.milagro import Client  # noqa: E402
from worker import Worker  # noqa: E402
from world import PIN, Secrets  # noqa: E402

WORKERS = 8
REQUESTS = 10_000
# In MiB: the most memory that a daemon may have, and the most that it may gain after the first tenth.
RESIDENT, GAIN = 96, 24
SHOWN = 20
# The settings of servers; the seed chooses one of the enabled.
SERVERS = {"code": {}, "confirm": {"registration": "confirm", "request_otp": "yes"},
           "compat": {"profile": "compat"}, "party": {"profile": "compat", "party": True}}
ENABLED = ["code", "confirm", "compat", "party"]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--requests", type=int, default=REQUESTS * int(os.environ.get("MPIN_FUZZ") or 1))
    parser.add_argument("--seed", default=f"{random.SystemRandom().getrandbits(32):08x}")
    parser.add_argument("--server", choices=SERVERS)
    parser.add_argument("--only", help="one request of a run with the same seed: WORKER/NUMBER")
    return parser.parse_args()


def work(mpind, chosen):
    """Runs the workers; returns them, and the daemon's memory after the first tenth."""
    shares = {number: range(chosen.requests // WORKERS) for number in range(WORKERS)}
    if chosen.only:
        number, _, request = chosen.only.partition("/")
        shares = {int(number): [int(request)]}
    secrets = Secrets(mpind)
    workers = [Worker(mpind, secrets, chosen.seed, number, share) for number, share in shares.items()]
    for worker in workers:
        worker.start()
    early = None
    while any(worker.is_alive() for worker in workers):
        time.sleep(0.2)
        if early is None and sum(worker.done for worker in workers) * 10 >= chosen.requests:
            early = mpind.memory()
    return workers, early or mpind.memory()


def logs_in(mpind):
    """Registers a user and logs in with right and wrong PINs; whether the answers are right."""
    code = mpind.user("add", "forced-after@example.org")["activationCode"]
    user = Client(mpind.honest(), "forced-after@example.org").register(PIN, activateCode=code)
    return [user.log_in(pin).status for pin in (PIN, "4321", PIN)] == [200, 401, 200]


def sentences(mpind, chosen, workers, early, seconds):
    """The sentences to check after the last request: each with whether it is true, and the figures."""
    faults = [fault for worker in workers for fault in worker.faults]
    for name, fault, octets in faults[:SHOWN]:
        print(f"    {name}: {fault}\n        {octets[:400]!r} ... {octets[-200:]!r}, {len(octets)} octets")
    done, granted = sum(worker.done for worker in workers), sum(worker.granted for worker in workers)
    proofs = sum(worker.world.proofs for worker in workers)
    slowest, late, alive = max(worker.slowest for worker in workers), mpind.memory(), mpind.alive()
    bounded = late <= 1024 * RESIDENT and late - early <= 1024 * GAIN
    yield f"{done} random requests are answered as they must be", not faults, f"seed {chosen.seed}"
    yield "the daemon still runs", alive, f"{seconds:.0f} s, slowest answer {slowest:.2f} s"
    yield "its memory is bounded", bounded, f"{early} KiB after a tenth, {late} KiB now"
    yield "no login was granted without a proof", granted <= proofs, f"{granted} of {proofs}"
    yield "it registers, grants and refuses as before", alive and logs_in(mpind), "the PIN, another, the PIN"


def report(mpind, chosen):
    """Runs the workers and prints the sentences; the number of failed ones."""
    started, counts, held = time.monotonic(), collections.Counter(), collections.Counter()
    workers, early = work(mpind, chosen)
    for worker in workers:
        counts += worker.statuses
    print("    answers: " + ", ".join(f"{count} x {status}" for status, count in sorted(counts.items())))
    for text, holds, figures in sentences(mpind, chosen, workers, early, time.monotonic() - started):
        held[holds] += 1
        print(f"{'ok  ' if holds else 'FAIL'} {text} ({figures})")
    print(f"{held[True]} passed, {held[False]} failed")
    return held[False]


def main():
    chosen = options()
    server = chosen.server or random.Random(chosen.seed).choice(ENABLED)
    mpind = Mpind(chosen.programs, tcp=True, **SERVERS[server])
    try:
        return 1 if report(mpind, chosen) else 0
    finally:
        mpind.close()


if __name__ == "__main__":
    sys.exit(main())
