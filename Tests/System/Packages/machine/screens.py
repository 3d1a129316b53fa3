# SPDX-License-Identifier: Apache-2.0
# What a user sees at a terminal of 80 columns, compared with text files in Screens.
#
# `Tests/System/Packages/run --record SCENARIO...` writes these files again, for review.
import difflib
import io
import os
import re

from machine import RECORDS
from host import Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS, SECONDS = 80, 240
HEAD = "# SPDX-License-Identifier: Apache-2.0", "# What a person sees who types this, in rows of 80 columns."

# Texts that differ between runs, and their replacements.
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

# Escape sequences of a terminal.
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][0-9A-Z]|[78=>])")
# Lines that apt, dpkg and debconf print for any package; what remains belongs to these packages.
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
    """The lines that stay visible: a carriage return overwrites a line, and trailing blanks are dropped."""
    lines = []
    for line in ESCAPES.sub("", text).split("\n"):
        written = [part for part in line.split("\r") if part]
        lines.append(written[-1].rstrip() if written else "")
    while lines and not lines[-1]:
        lines.pop()
    return lines


def rows(lines):
    """The lines as the terminal wraps them."""
    for line in lines:
        for start in range(0, max(len(line), 1), COLUMNS):
            yield line[start:start + COLUMNS].rstrip()


def hidden(prompt, text):
    """An answer that is not echoed."""
    return prompt, text, True


def openly(prompt, text):
    return prompt, text, False


class Screens:
    """The screens of some commands, recorded in one file; used by `with`, which compares them at its end."""

    def __init__(self, name):
        self.name, self.seen = name, list(HEAD)

    def __enter__(self):
        return self

    def types(self, command, *answers, user="root", leaves=None, status=0, really=None, at="", without=None):
        """Types a command, and its answers after their prompts.
        - leaves: the prompt at which the user gives up.
        - really, at: the command that is run instead to reach another machine, and that machine's name.
        - without: matches the lines to leave out.
        Returns the text on the screen, without replacements."""
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
        # Beside the log, from where `boot` copies them out of the machine.
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
