// SPDX-License-Identifier: Apache-2.0
// Foreign text made safe for a terminal and for a shell.
import MPinWire
import Octets
import Testing

@Suite struct ForeignTextTests {
    @Test func `text in any script is kept, and invisible characters become question marks`() {
        #expect(presentable("Ålice الأمير 😀 e\u{301}") == "Ålice الأمير 😀 e\u{301}")
        #expect(presentable("한글 ㄱ カナ") == "한글 ㄱ カナ")
        let hidden: [ClosedRange<UInt32>] = [
            0...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2060...0x2064,
            0x2066...0x2069, 0xad...0xad, 0xfeff...0xfeff, 0xe000...0xe001, 0x378...0x378,
            // Blank: spaces, fillers, what has no ink, variation selectors.
            0xa0...0xa0, 0x2000...0x200a, 0x202f...0x202f, 0x3000...0x3000, 0x34f...0x34f, 0x115f...0x1160,
            0x17b4...0x17b5, 0x180b...0x180f, 0x2800...0x2800, 0x3164...0x3164, 0xfe00...0xfe0f,
            0xffa0...0xffa0, 0x16fe4...0x16fe4, 0x1d159...0x1d159, 0x1d173...0x1d17a, 0xe0000...0xe0fff,
        ]
        for value in hidden.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(presentable("a\(scalar)b") == "a?b", "\(value)")
        }
    }

    @Test func `octets outside printable ASCII become question marks, and text is cut at its limit`() {
        #expect(presentable([UInt8]("\u{1b}[2J\u{202e}".utf8)) == [UInt8]("?[2J???".utf8))
        #expect(presentable([UInt8](repeating: 0x41, count: 65)).count == 64)
        #expect(presentable("ÅÅÅ", limit: 5) == "ÅÅ")
    }

    @Test func `a name or path in a command to be copied is one word of the shell, whatever it contains`() {
        #expect(shellWord("alice.b+c_d-e@example.org") == "alice.b+c_d-e@example.org")
        #expect(shellWord("/etc/mpin/host") == "/etc/mpin/host")
        #expect(shellWord("/srv/my data") == "'/srv/my data'")
        #expect(shellWord("") == "''")
        #expect(shellWord("a; rm -r $HOME") == "'a; rm -r $HOME'")
        #expect(shellWord("it's") == #"'it'\''s'"#)
        #expect(shellWord("é`id`") == "'é`id`'")
    }
}
