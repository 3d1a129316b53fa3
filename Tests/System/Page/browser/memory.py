# SPDX-License-Identifier: Apache-2.0
# The memory of a browser's processes, as root reads it.
import os
import re

KINDS = re.compile(r"--utility-sub-type=([\w.]+)"), re.compile(r"--type=([\w-]+)")
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw")
PIECE = 1 << 16
ZEROS = bytes(PIECE)


def copied(profile):
    """A copy of what each process of the browser with this profile can write to: its kind and its pieces."""
    return [(kind(pid), b"".join(pieces(pid))) for pid in descendants(owner(profile))]


def command(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return file.read()
    except OSError:
        return ""


def owner(profile):
    """The process of the browser itself, which starts the others."""
    wanted = f"--user-data-dir={profile}\0"
    [pid] = [pid for pid in os.listdir("/proc")
             if pid.isdigit() and wanted in (words := command(pid)) and "--type=" not in words]
    return pid


def descendants(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = file.read().split()
    except OSError:
        return []
    return [pid] + [one for child in children for one in descendants(child)]


def kind(pid):
    words = command(pid)
    return next((found[1] for found in (one.search(words) for one in KINDS) if found), "browser")


def pieces(pid):
    """The memory of a process without long rows of zeros; nothing of one that has ended."""
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for begin, end in [(int(one[1], 16), int(one[2], 16)) for one in map(MAPPING.match, maps) if one]:
                yield from (piece for piece in read(memory, begin, end) if piece != ZEROS)
    except (FileNotFoundError, ProcessLookupError):
        return


def read(memory, at, end):
    while at < end:
        try:
            memory.seek(at)
            piece = memory.read(min(PIECE, end - at))
        except OSError:
            # The mapping has gone since, or cannot be read.
            return
        if not piece:
            return
        yield piece
        at += len(piece)
