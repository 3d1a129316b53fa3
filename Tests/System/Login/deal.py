# SPDX-License-Identifier: Apache-2.0
# Distributes the login tests: `deal.py HANDS` prints HANDS lines of file names that take about the same time,
# and `deal.py quiet` prints the files that compare times. The last measured durations are in the file
# `seconds`.
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# The seconds assumed for a file without a measurement.
UNKNOWN = 20
# Runs in every sandbox, to show that the sandbox leaves nothing outside.
EVERYWHERE = "test_sandbox"


def subjects(quiet):
    """The names of the test files; a file that compares times contains `QUIET = True`."""
    for path in sorted(glob.glob(f"{HERE}/**/test_*.py", recursive=True)):
        name = os.path.basename(path).removesuffix(".py")
        if name != EVERYWHERE:
            with open(path) as file:
                if quiet == bool(re.search("^QUIET = True$", file.read(), re.MULTILINE)):
                    yield name


def measured():
    with open(os.path.join(HERE, "seconds")) as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return {name: int(seconds) for name, seconds in rows}


def main():
    quiet = sys.argv[1] == "quiet"
    seconds, hands = measured(), [[0, EVERYWHERE] for _ in range(1 if quiet else int(sys.argv[1]))]
    # The longest first, each to the hand with the least time so far.
    for subject in sorted(subjects(quiet), key=lambda name: (-seconds.get(name, UNKNOWN), name)):
        hand = min(hands, key=lambda hand: hand[0])
        hand[0] += seconds.get(subject, UNKNOWN)
        hand.append(subject)
    for hand in hands:
        print(*sorted(hand[1:]))


main()
