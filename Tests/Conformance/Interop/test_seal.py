# SPDX-License-Identifier: Apache-2.0
# The documents of sealed messages: their golden values are computed again by their own tables and rules, with
# hashlib and hmac.
import re

from protocol import Document, octets
from support import equal, read

DOCUMENTS = [f"docs/protocol/{name}.md" for name in ("seal", "seal-devices", "seal-waiting", "seal-values")]
SWIFT = ["SealTests", "SealRefusalTests", "SealCaseTests", "DeviceKeyTests", "BindTests"]


def text():
    return "\n".join(read(name) for name in DOCUMENTS)


def document():
    return Document(text())


def failures(said):
    """Golden values that come out differently, or not at all."""
    found = []
    for given, results in said.cases:
        for name, value in results:
            try:
                equal(said.made(name, given).hex(), octets(value).hex(), name)
            except (AssertionError, KeyError, ValueError, OverflowError) as error:
                found.append(f"{name}: {error}")
    return found


def test_golden_values():
    """Every golden value of the sealed messages follows from the document's inputs, tables and rules."""
    said = document()
    equal(failures(said), [])
    results = {name for _, results in said.cases for name, _ in results}
    # For these only y and the tags are given, because they are long.
    unvalued = {"yInput", "look", "passOne", "passTwo"}
    equal(set(said.layouts) - results, unvalued, "tables without a golden value")
    equal(set(said.rules) - results, set(), "rules without a golden value")


def test_nothing_idle():
    """No field and no rule of the document can be left out, and no two adjacent fields can change places."""
    for name, rows in document().layouts.items():
        for place in range(len(rows)):
            said = document()
            del said.layouts[name][place]
            assert failures(said), f"{name} without {rows[place]}"
        for place in range(len(rows) - 1):
            said = document()
            table = said.layouts[name]
            table[place], table[place + 1] = table[place + 1], table[place]
            assert failures(said), f"{name}: {rows[place]} behind {rows[place + 1]}"
    for name in document().rules:
        said = document()
        del said.rules[name]
        assert failures(said), name


def test_program():
    """The lines of Python in the document compute the golden tags of the question and of its answer."""
    said, [program] = document(), document().programs
    made = {}
    exec(program, made)
    for name in "askTag", "answerTag":
        equal(made[name], said.made(name, {}).hex(), name)


def test_same_as_swift():
    """Every golden value of the tests in Swift is in the document."""
    tests = "".join(read(f"Tests/Unit/MPinTests/Seal/{name}.swift") for name in SWIFT)
    # A long value is a sum of texts.
    values = re.findall(r'"([0-9a-f]{32,})"', re.sub(r'"\s*\+\s*"', "", tests))
    assert len(values) > 20, values
    written = re.sub(r"\s", "", text())
    equal([value for value in values if value not in written], [])
