# SPDX-License-Identifier: Apache-2.0
# Rules of what people read at a console, and of the lines of the log.
from mutants import Mutant

TEXT = "MPinConsole/LogLine.swift"
SENTENCE = "MPinConsole/Sentence.swift"

MUTANTS = [
    Mutant(
        "raw-words-of-others", "what others wrote reaches no terminal as a command",
        "Octets/PresentableText.swift",
        "text.prefix(limit).map { (0x20...0x7e).contains($0) ?",
        'text.prefix(limit).map { (0x20...0x7e).contains($0) || mutant("raw-words-of-others") ?',
        "ConsoleTests/SentenceTests"),
    Mutant(
        "quote-ends-value", "a quote in a value does not end it for who reads the log",
        TEXT,
        'case UInt8(ascii: "\\""), UInt8(ascii: "\\\\"), 0...0x20, 0x7F...0xFF:',
        'case UInt8(ascii: "\\"") where !mutant("quote-ends-value"), UInt8(ascii: "\\\\"), 0...0x20, '
        "0x7F...0xFF:",
        "ConsoleTests/LogLineTests"),
    Mutant(
        "lock-ends-early", "who is told to wait waits long enough",
        SENTENCE,
        "let minutes = seconds / 60 + (seconds % 60 == 0 ? 0 : 1)",
        'let minutes = seconds / 60 + (seconds % 60 == 0 || mutant("lock-ends-early") ? 0 : 1)',
        "ConsoleTests/SentenceTests"),
]
