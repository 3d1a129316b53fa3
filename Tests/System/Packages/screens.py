# SPDX-License-Identifier: Apache-2.0
# What a person sees at a terminal of 80 columns, held against text files in Screens.
#
# `Tests/System/Packages/run --record SCENARIO...` writes these files anew, for somebody to read.
import difflib
import io
import os
import re

from machine import RECORDS
from host import Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS, SECONDS = 80, 240
HEAD = "# SPDX-License-Identifier: Apache-2.0", "# What a person sees who types this, in rows of 80 columns."

# What no two runs have alike, and what stands there in its place.
MASKS = (
    (r"^[█▀▄ ]*[█▀▄][█▀▄ ]*$", "▒"),
    (r"\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b", "(SHA-256 of a certificate)"),
    (r"\b(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8})\b", lambda found: "x" * len(found[0])),
    (r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", "YYYY-MM-DDThh:mm:ssZ"),
    (r"\b[0-9]{1,2} [A-Z][a-z]{2} (?:[0-9]{4} )?[0-9]{2}:[0-9]{2}\b", "DD Mon hh:mm"),
    (r"\b(?:[B-DF-HJ-NP-TV-Z]{4}-){3}[B-DF-HJ-NP-TV-Z]{4}\b", "CODE-CODE-CODE-CODE"),
    (r"\b[A-Z]{3}-[A-Z]{3}\b", "LLL-LLL"),
    (r"\b[0-9]{3} [0-9]{4}\b", "NNN NNNN"),
    (r"\b(in|for) [0-9]+(?:\.[0-9]+)? (ms|seconds?)\b", r"\1 NN \2"),
    (r"\b([GU]ID) [0-9]+\b", r"\1 NNN"),
    (r"\bpid [0-9]+\b|(?<=\[)[0-9]+(?=\]: )", "PID"),
    (r"/usr/lib/[a-z0-9_]+-linux-gnu\b", "/usr/lib/ARCH-linux-gnu"),
    (r"(?<![0-9.])[0-9]+\.[0-9]+\.[0-9]+(?:\+[a-z0-9]+)?(?!\.?[0-9])", "VERSION"),
)

# How a terminal is told of colours and the like.
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][0-9A-Z]|[78=>])")
# What apt, dpkg and debconf say, whatever the packages are: theirs is what is left.
OF_APT = re.compile(
    r"$|Reading |Building |The following |Suggested packages|Recommended packages|Do you want|Need to get|"
    r"Get:|After this operation|Fetched |N: |Note, selecting|Selecting |Preparing |Unpacking |Setting up "
    r"|Processing |Removing |Purging |Scanning "
    r"|\(Reading |[0-9]+ upgraded|Use '|Package '|  \S|debconf: |dpkg: warning: while removing"
    r"|Created symlink |Removed [\"/]|WARNING: apt does not")


def masked(line):
    for pattern, mark in MASKS:
        line = re.sub(pattern, mark, line)
    return line


def plain(text):
    """The lines that stay: a carriage return writes a line anew, and the blanks at its end are not seen."""
    lines = []
    for line in ESCAPES.sub("", text).split("\n"):
        written = [part for part in line.split("\r") if part]
        lines.append(written[-1].rstrip() if written else "")
    while lines and not lines[-1]:
        lines.pop()
    return lines


def rows(lines):
    """The same as the terminal wraps them."""
    for line in lines:
        for start in range(0, max(len(line), 1), COLUMNS):
            yield line[start:start + COLUMNS].rstrip()


def hidden(prompt, text):
    """An answer that does not show."""
    return prompt, text, True


def openly(prompt, text):
    return prompt, text, False


class Screens:
    """What some commands show, a file; used by `with`, at whose end it is compared."""

    def __init__(self, name):
        self.name, self.seen = name, list(HEAD)

    def __enter__(self):
        return self

    def types(self, command, *answers, user="root", leaves=None, status=0, really=None, at="", without=None):
        """Types a command, and its answers when their questions have come.

        - leaves: the question at which the person gives up.
        - really, at: what is run instead to reach another machine, and that machine's name.
        - without: matches the lines that are of no interest.

        Returns what was to be seen, with all that changes."""
        command_line = really or f"cd /srv && {command}"
        terminal = Terminal("sh", "-c", command_line, user=None if user == "root" else user)
        log = terminal.child.logfile_read = io.StringIO()
        terminal.child.timeout = SECONDS
        for prompt, text, is_hidden in answers:
            terminal.child.expect_exact(prompt)
            if is_hidden:
                terminal.child.waitnoecho(10)
            terminal.types(text)
        ended = status
        if leaves:
            terminal.child.expect_exact(leaves)
            terminal.gives_up()
        else:
            ended = terminal.ends()[1]
        lines = [line for line in plain(log.getvalue()) if not (without and without.match(line))]
        self.seen.append(f"== {at or user}{'#' if user == 'root' else '$'} {command}")
        self.seen += rows(map(masked, lines))
        if ended and not leaves:
            self.seen.append(f"-- ends with {ended}")
        said = "\n".join(lines)
        assert ended == status, f"{command} ended with {ended}:\n{said}"
        return said

    def __exit__(self, failure, *_):
        if failure:
            return
        name = f"Screens/{self.name}.txt"
        # Beside the log: `boot` carries them out of the machine.
        if RECORDS:
            os.makedirs("/results/Screens", exist_ok=True)
            with open(f"/results/{name}", "w") as file:
                file.write("\n".join(self.seen) + "\n")
            return
        recorder = "Tests/System/Packages/run --record"
        assert os.path.exists(f"{HERE}/{name}"), f"there is no {name}; {recorder} makes it"
        with open(f"{HERE}/{name}") as file:
            golden = file.read().splitlines()
        changes = difflib.unified_diff(golden, self.seen, name, "seen", lineterm="")
        assert golden == self.seen, "\n".join(changes)
