// SPDX-License-Identifier: Apache-2.0
// Settings by which an organisation adapts logins: texts of prompts, drawing of pictures, a proxy.
import MPinLogin
import MPinProof
import MPinStore
import MPinWire
import Testing

private let minimum = "backend = unix:/run/mpind.sock\n"

private func read(_ text: String, _ arguments: [String] = [], service: String = "su") throws(SettingsError)
    -> Settings
{
    try Settings(
        text: Array((minimum + text).utf8), file: Array("mpin.conf".utf8),
        arguments: arguments.map { Array($0.utf8) }, service: Array(service.utf8), remote: false)
}

@Suite struct `What an organisation asks for` {
    @Test func `is nothing by default`() throws {
        let settings = try read("")
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
    func `may be the words of a prompt, whose colon is ours`(_ value: String, _ words: String) throws {
        #expect(try read("pin-prompt = \(value)").pinPrompt == Array(words.utf8))
        #expect(try read("[su]\ncode-prompt = \(value)").codePrompt == Array(words.utf8))
        #expect(try read("[sudo]\ncode-prompt = \(value)").codePrompt == nil)
        #expect(try read("", ["pin-prompt=\(value)"]).pinPrompt == Array(words.utf8))
    }

    @Test(arguments: [
        "", ":", " : ", "a\u{1b}[2J", "a\tb", "a\u{7f}", "a\u{85}b", "\u{9b}31m",
        String(repeating: "x", count: 61), String(repeating: "ü", count: 31),
    ])
    func `is no prompt that commands a terminal, is empty or is long`(_ value: String) throws {
        for key in ["pin-prompt", "code-prompt"] {
            let error = #expect(throws: SettingsError.self) { try read("\(key) = \(value)") }
            #expect(error?.key == Array(key.utf8) && error?.problem == .key(.badValue))
        }
    }

    @Test func `may be how a picture is drawn`() throws {
        let settings = try read("qr-size = large\nqr-ecc = Q\nqr-colour = yes\n[su]\nqr-ecc = H")
        #expect(settings.qrIsLarge && settings.qrLevel == 3 && settings.qrIsColoured)
        #expect(try read("qr-size = small\nqr-ecc = L\nqr-colour = no") == read(""))
        #expect(try ["L", "M", "Q", "H"].map { try read("qr-ecc = \($0)").qrLevel } == [0, 1, 2, 3])
    }

    @Test(arguments: [
        ("qr-size", "big"), ("qr-size", ""), ("qr-ecc", "l"), ("qr-ecc", "LM"), ("qr-ecc", ""),
        ("qr-colour", "on"), ("qr-color", "yes"), ("proxy", ""), ("proxy", "proxy:3128"),
        ("proxy", "https://proxy:3128"), ("proxy", "socks5://proxy:1080"), ("proxy", "http://proxy"),
        ("proxy", "http://proxy:0"), ("proxy", "http://proxy:3128/"), ("proxy", "http://a:b@proxy:3128"),
        ("proxy", "http://:3128"),
    ])
    func `is refused where it says something else`(_ key: String, _ value: String) throws {
        let error = #expect(throws: SettingsError.self) { try read("\(key) = \(value)") }
        #expect(error?.key == Array(key.utf8))
    }

    @Test(arguments: ["http://proxy.example.org:3128", "http://192.0.2.1:80", "http://[2001:db8::1]:8080"])
    func `may be a proxy, which the relay is told`(_ address: String) throws {
        let settings = try read("proxy = \(address)")
        #expect(settings.proxy == Array(address.utf8))
        #expect(settings.hello(attempt: []).proxy == Array(address.utf8))
        #expect(try read("proxy = \(address)\n[su]\nproxy = none").proxy == nil)
    }
}
