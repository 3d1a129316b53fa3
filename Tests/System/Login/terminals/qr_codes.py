# SPDX-License-Identifier: Apache-2.0
# QR codes on a screen: painted as a terminal paints them, light on dark, and read by zbar.
import re
import subprocess

WIDTH, HEIGHT = 4, 8
BLOCKS = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1)}


def cell(character):
    """The pixels of one character: half blocks and # fill their cell, others are a dot in the middle."""
    if character == "#":
        return [[1] * WIDTH] * HEIGHT
    if character in BLOCKS:
        upper, lower = BLOCKS[character]
        return [[upper] * WIDTH] * (HEIGHT // 2) + [[lower] * WIDTH] * (HEIGHT // 2)
    dots = [[0] * WIDTH for _ in range(HEIGHT)]
    if character != " ":
        dots[HEIGHT // 2][WIDTH // 2] = 1
    return dots


def painted(lines, columns, light_on_dark=True):
    """A portable graymap of the screen."""
    ink, paper = (255, 0) if light_on_dark else (0, 255)
    pixels = bytearray()
    for line in lines:
        cells = [cell(character) for character in line.ljust(columns)[:columns]]
        for row in range(HEIGHT):
            for dots in cells:
                pixels += bytes(ink if dot else paper for dot in dots[row])
    return b"P5 %d %d 255\n" % (columns * WIDTH, len(lines) * HEIGHT) + pixels


def codes(lines, columns, light_on_dark=True):
    """The texts of the QR codes that zbar reads on the screen. It reads only dark codes on light ground."""
    with open("/tmp/screen.pgm", "wb") as file:
        file.write(painted(lines, columns, light_on_dark))
    done = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "/tmp/screen.pgm"],
                          capture_output=True, text=True, timeout=60)
    # The status 4 means that there was no code to read.
    assert done.returncode in (0, 4), (done.returncode, done.stderr)
    return done.stdout.split()


def covered(lines):
    """The rows with a QR code's blocks replaced by one mark, so that codes of one size look alike."""
    rows = [index for index, line in enumerate(lines) if re.search("[█▀▄]{3}|##.*##", line)]
    return [re.sub("[█▀▄ #]", "▒", line) if index in rows else line for index, line in enumerate(lines)]


def without_octal(lines):
    """The rows; a QR code that a client in the C locale shows as octal numbers becomes one row."""
    kept = []
    for line in lines:
        line = "(octal numbers)" if re.fullmatch(r"[\\\\0-7 ]+", line) and line.strip() else line
        if not (kept and kept[-1] == line == "(octal numbers)"):
            kept.append(line)
    return kept
