// SPDX-License-Identifier: Apache-2.0
// Text of files, of the system and of others, made fit for a terminal.
import CPlatform
import Octets

/// Text of a file or of the system, fit for a terminal.
func text(_ octets: [UInt8], limit: Int = 200) -> String {
    String(decoding: presentable(octets, limit: limit), as: UTF8.self)
}

/// Text of root's files, fit for a terminal.
func shown(_ text: String) -> String { MPinAdmin.text([UInt8](text.utf8)) }

/// What others wrote about a login, as short as the console's own module shows it.
func cut(_ foreign: [UInt8]) -> String { text(foreign, limit: 64) }

/// What a program said, fit for one line.
func oneLine(_ said: String) -> String {
    shown(said.split(whereSeparator: \.isNewline).joined(separator: "; "))
}

/// The first line that a program said, for a sentence.
func firstLine(_ said: String) -> String { text([UInt8](said.utf8.prefix { $0 != 0x0a }), limit: 120) }

func systemMessage(_ number: Int32) -> String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: message)
}
