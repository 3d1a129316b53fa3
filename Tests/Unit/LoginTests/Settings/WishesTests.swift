// SPDX-License-Identifier: Apache-2.0
// Settings by which an organisation adapts logins: texts of prompts, drawing of QR codes, a proxy.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Testing

@Suite struct `Settings of an organisation` {
    @Test func `are empty by default`() throws {
        let settings = try readSettings(leastSettings)
        #expect(settings.pinPrompt == nil && settings.codePrompt == nil && settings.proxy == nil)
        #expect(!settings.qrIsLarge && settings.qrLevel == 0 && !settings.qrIsColoured)
        #expect(settings.hello(attempt: []).proxy == [])
    }

    @Test(arguments: [
        ("PIN", "PIN"), ("PIN:", "PIN"), ("PIN: ", "PIN"), ("Code PIN :", "Code PIN "), ("PIN::", "PIN:"),
        ("Which PIN?", "Which PIN?"), ("Geheimzahl für Räume", "Geheimzahl für Räume"),
        ("暗証番号", "暗証番号"),
        (String(repeating: "x", count: 60), String(repeating: "x", count: 60)), ("\u{a0}PIN", "\u{a0}PIN"),
    ])
    func `may replace the text of a prompt, and the module adds the colon`(_ value: String, _ words: String)
        throws
    {
        #expect(try readSettings(leastSettings + "pin-prompt = \(value)").pinPrompt == Array(words.utf8))
        #expect(
            try readSettings(leastSettings + "[su]\ncode-prompt = \(value)").codePrompt == Array(words.utf8))
        #expect(try readSettings(leastSettings + "[sudo]\ncode-prompt = \(value)").codePrompt == nil)
        #expect(try readSettings(leastSettings, ["pin-prompt=\(value)"]).pinPrompt == Array(words.utf8))
    }

    @Test(arguments: [
        "", ":", " : ", "a\u{1b}[2J", "a\tb", "a\u{7f}", "a\u{85}b", "\u{9b}31m",
        String(repeating: "x", count: 61), String(repeating: "ü", count: 31),
    ])
    func `refuse a prompt that controls a terminal, is empty or too long`(_ value: String) throws {
        for key in ["pin-prompt", "code-prompt"] {
            let error = #expect(throws: SettingsError.self) {
                try readSettings(leastSettings + "\(key) = \(value)")
            }
            #expect(error?.key == Array(key.utf8) && error?.problem == .key(.badValue))
        }
    }

    @Test func `may change the drawing of a QR code`() throws {
        let settings = try readSettings(
            leastSettings + "qr-size = large\nqr-ecc = Q\nqr-colour = yes\n[su]\nqr-ecc = H")
        #expect(settings.qrIsLarge && settings.qrLevel == 3 && settings.qrIsColoured)
        #expect(
            try readSettings(leastSettings + "qr-size = small\nqr-ecc = L\nqr-colour = no")
                == readSettings(leastSettings))
        #expect(
            try ["L", "M", "Q", "H"].map { try readSettings(leastSettings + "qr-ecc = \($0)").qrLevel } == [
                0, 1, 2, 3,
            ])
    }

    @Test(arguments: [
        ("qr-size", "big"), ("qr-size", ""), ("qr-ecc", "l"), ("qr-ecc", "LM"), ("qr-ecc", ""),
        ("qr-colour", "on"), ("qr-color", "yes"), ("proxy", ""), ("proxy", "proxy:3128"),
        ("proxy", "https://proxy:3128"), ("proxy", "socks5://proxy:1080"), ("proxy", "http://proxy"),
        ("proxy", "http://proxy:0"), ("proxy", "http://proxy:3128/"), ("proxy", "http://a:b@proxy:3128"),
        ("proxy", "http://:3128"),
    ])
    func `are refused with an invalid value`(_ key: String, _ value: String) throws {
        let error = #expect(throws: SettingsError.self) {
            try readSettings(leastSettings + "\(key) = \(value)")
        }
        #expect(error?.key == Array(key.utf8))
    }

    @Test(arguments: ["http://proxy.example.org:3128", "http://192.0.2.1:80", "http://[2001:db8::1]:8080"])
    func `may name a proxy, which the relay receives`(_ address: String) throws {
        let settings = try readSettings(leastSettings + "proxy = \(address)")
        #expect(settings.proxy == Array(address.utf8))
        #expect(settings.hello(attempt: []).proxy == Array(address.utf8))
        #expect(try readSettings(leastSettings + "proxy = \(address)\n[su]\nproxy = none").proxy == nil)
    }
}
