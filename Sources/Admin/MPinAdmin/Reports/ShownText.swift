// SPDX-License-Identifier: Apache-2.0
// Makes untrusted text of files, programs and the system safe for a terminal.
import Octets

/// Text of a file or of the system, made safe for a terminal.
func text(_ octets: [UInt8], limit: Int = 200) -> String {
    String(decoding: presentable(octets, limit: limit), as: UTF8.self)
}

/// Text of root's files, made safe for a terminal.
func shown(_ text: String) -> String { MPinAdmin.text([UInt8](text.utf8)) }

/// Untrusted text about a login, cut to the length at which the module shows it.
func cut(_ foreign: [UInt8]) -> String { text(foreign, limit: 64) }

/// The output of a program on one line, made safe for a terminal.
func oneLine(_ said: String) -> String {
    shown(said.split(whereSeparator: \.isNewline).joined(separator: "; "))
}

/// The first line of a program's output, for a sentence.
func firstLine(_ said: String) -> String { text([UInt8](said.utf8.prefix { $0 != 0x0a }), limit: 120) }
