# SPDX-License-Identifier: Apache-2.0
# Mutants of the texts at a console, and of the lines of the log.
from mutants import Mutant

TEXT = "Host/MPinConsole/LogLine.swift"
SENTENCE = "Host/MPinConsole/Sentence.swift"

MUTANTS = [
    Mutant(
        "raw-words-of-others", "foreign text does not reach a terminal as a control sequence",
        "Core/Octets/PresentableText.swift",
        "text.prefix(limit).map { (0x20...0x7e).contains($0) ?",
        'text.prefix(limit).map { (0x20...0x7e).contains($0) || mutant("raw-words-of-others") ?',
        "ConsoleTests/SentenceTests"),
    Mutant(
        "quote-ends-value", "a quote in a value does not end the value in the log",
        TEXT,
        'case UInt8(ascii: "\\""), UInt8(ascii: "\\\\"), 0...0x20, 0x7F...0xFF:',
        'case UInt8(ascii: "\\"") where !mutant("quote-ends-value"), UInt8(ascii: "\\\\"), 0...0x20, '
        "0x7F...0xFF:",
        "ConsoleTests/LogLineTests"),
    Mutant(
        "lock-ends-early", "the waiting time of a lock is rounded up",
        SENTENCE,
        "let minutes = seconds / 60 + (seconds % 60 == 0 ? 0 : 1)",
        'let minutes = seconds / 60 + (seconds % 60 == 0 || mutant("lock-ends-early") ? 0 : 1)',
        "ConsoleTests/SentenceTests"),
]
