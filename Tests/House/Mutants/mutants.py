# SPDX-License-Identifier: Apache-2.0
# What a mutant is, how a source file takes many of them at a time, and how a list of them is checked.
import glob
import os
import re
import typing

# A file that each module with mutants gets. It declares nothing under Embedded Swift.
SWITCH = """\
// SPDX-License-Identifier: Apache-2.0
// The mutant of this build that is active: the one that the environment names, or none.
#if !hasFeature(Embedded)
    import Glibc

    private let chosen: [UInt8] =
        unsafe getenv("MPIN_MUTANT").map { unsafe [UInt8](String(cString: $0).utf8) } ?? []

    func mutant(_ name: StaticString) -> Bool { name.withUTF8Buffer { unsafe chosen.elementsEqual($0) } }
#endif
"""


class Mutant(typing.NamedTuple):
    """One rule that is broken while MPIN_MUTANT names it."""
    name: str
    # The rule, in words.
    rule: str
    # The path below Sources.
    file: str
    # The text that is replaced; it occurs once in the file.
    old: str
    # The replacement, which calls `mutant("name")`.
    new: str
    # The suites that must fail: files below Tests/Unit, such as `ServerTests/LoginTests`, separated by
    # blanks.
    suites: str
    # Whether its test runs only as root.
    needs_root: bool = False

    @property
    def module(self):
        return re.match(r"(Server/)?[^/]+", self.file)[0]


def mutated(text, mutants):
    """The text of a file with its mutants in it. Each `old` is looked for in the text as it was."""
    places = sorted((text.index(mutant.old), mutant) for mutant in mutants)
    pieces, done = [], 0
    for place, mutant in places:
        pieces += [text[done:place], mutant.new]
        done = place + len(mutant.old)
    return "".join(pieces) + text[done:]


def faults(mutants, root):
    """What is wrong with each mutant, if the checkout is at `root`: (mutant, sentence) each."""
    names, taken = set(), {}
    for mutant in mutants:
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", mutant.name):
            yield mutant, "its name is not in small letters with hyphens"
        if mutant.name in names:
            yield mutant, "another has this name"
        names.add(mutant.name)
        if f'mutant("{mutant.name}")' not in mutant.new:
            yield mutant, "its new text does not ask for it by its name"
        for suite in mutant.suites.split():
            module, file = suite.split("/")
            paths = glob.glob(os.path.join(root, "Tests/Unit", module, "**", file + ".swift"), recursive=True)
            if not paths:
                yield mutant, f"there is no {suite}"
            for path in paths:
                with open(path, encoding="utf-8") as text:
                    if "@Test" not in text.read():
                        yield mutant, f"{suite} has no tests"
            if suite.startswith("HouseTests/"):
                yield mutant, "these tests read the sources, which are changed"
        try:
            with open(os.path.join(root, "Sources", mutant.file), encoding="utf-8") as file:
                text = file.read()
        except OSError:
            yield mutant, f"there is no Sources/{mutant.file}"
            continue
        if (count := text.count(mutant.old)) != 1:
            yield mutant, f"its old text stands {count} times in Sources/{mutant.file}"
            continue
        start = text.index(mutant.old)
        for other, end, name in taken.setdefault(mutant.file, []):
            if start < end and other < start + len(mutant.old):
                yield mutant, f"it changes what {name} changes"
        taken[mutant.file].append((start, start + len(mutant.old), mutant.name))
