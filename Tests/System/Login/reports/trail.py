# SPDX-License-Identifier: Apache-2.0
# The audit trail, as `mpind audit` prints it for people and for programs.
import json
import re
import subprocess
import threading

from house import run
from support import eventually

LINE = re.compile(r'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([a-z.]+) (\S+)((?: [a-z-]+="[^" ]*")*)')


def audit(*options):
    """The records that `mpind audit --json` prints."""
    return [json.loads(line) for line in run("mpind", "audit", "--json", *options).splitlines()]


def lines(*options):
    """The records that `mpind audit` prints for people: time, kind, subject and pairs of each line."""
    found = [LINE.fullmatch(line) for line in run("mpind", "audit", *options).splitlines()]
    assert all(found), "a line has another form"
    return [(line[1], line[2], line[3], dict(re.findall(r' ([a-z-]+)="([^"]*)"', line[4]))) for line in found]


def since(number, *options):
    """The records after this number; their fields are also keys of the record."""
    return [{**record, **{field["name"]: field["value"] for field in record["fields"]}}
            for record in audit("--last", "1000", *options) if record["number"] > number]


def newest():
    return audit("--last", "1")[0]["number"]


def parts(record, *names):
    return tuple(record.get(name) for name in ("kind", *names))


class Follows:
    """`mpind audit --follow`, and the lines that it has printed so far."""

    def __init__(self, *options):
        self.lines = []
        self.process = subprocess.Popen(["mpind", "audit", "--follow", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def shows(self, count):
        """Waits for this many lines."""
        eventually(lambda: len(self.lines) >= count, f"line {count} of {self.lines}")
        return self

    def ends(self):
        """The exit status, and the text on standard error."""
        self.process.wait(60)
        self.reader.join(60)
        return self.process.returncode, self.process.stderr.read()
