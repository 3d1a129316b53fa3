// SPDX-License-Identifier: Apache-2.0
// Files, clocks, certificates and root's access as `mpin doctor` judges them; and its words in the manual.
import Foundation
@testable import MPinAdmin
import TestSupport
import Testing

@Suite struct CheckTests {
    private let rule = FileRule("/x/host", .file, owners: [0], mode: 0o600, forbidden: 0o077)

    @Test(arguments: [
        (FileFacts(.file, mode: 0o600), nil, false), (FileFacts(.file, mode: 0o400), nil, false),
        (FileFacts(.missing), nil, false), (FileFacts(.other, mode: 0o777), nil, false),
        (FileFacts(.file, mode: 0o640), "others can read it", true),
        (FileFacts(.file, mode: 0o604), "others can read it", true),
        (FileFacts(.file, mode: 0o620), "others could change it", false),
        (FileFacts(.file, uid: 7, mode: 0o600), "others could change it", false),
        (FileFacts(.file, uid: 7, mode: 0o622), "others could change it", false),
    ])
    func `a file that others could have written is not repaired automatically`(
        _ facts: FileFacts, _ words: String?, _ isMended: Bool
    ) {
        let finding = rule.finding(facts, "host-key-open")
        #expect((finding == nil) == (words == nil) && finding?.message.contains(words ?? "") ?? true)
        let fix = Fix.protect(path: "/x/host", mode: 0o600)
        #expect(finding?.fix == (isMended ? fix : nil))
        #expect(finding.map { $0.advice?.contains("chmod 600") == true } ?? true)
    }

    @Test func `a path in a command to be copied is quoted for the shell`() {
        let rule = FileRule("/x/my host", .file, owners: [0], mode: 0o600, forbidden: 0o077)
        let advice = rule.finding(FileFacts(.file, uid: 7, mode: 0o600), "host-key-open")?.advice
        #expect(advice?.contains("sudo chown root '/x/my host'") == true)
        #expect(advice?.contains("sudo chmod 600 '/x/my host'") == true)
    }

    @Test func `a folder with another owner is not repaired automatically`() {
        let users = FileRule("/x/users", .folder, owners: [0], mode: 0o700, forbidden: 0o077)
        #expect(users.finding(FileFacts(.folder, uid: 7, mode: 0o700), "store-open")?.fix == nil)
        #expect(users.finding(FileFacts(.folder, mode: 0o755), "store-open")?.fix != nil)
        #expect(users.finding(FileFacts(.folder, mode: 0o770), "store-open")?.fix == nil)
        #expect(users.fault(FileFacts(.file)) == .wrongKind && users.fault(FileFacts(.missing)) == .missing)
    }

    @Test(arguments: [
        (0, "clock", "1 s"), (30, "clock", "30 s"), (-30, "clock", "30 s"), (31, "clock-off", "31 s ahead"),
        (-300, "clock-off", "5 minutes behind"), (301, "clock-wrong", "5 minutes ahead"),
        (-7_300, "clock-wrong", "2 hours behind"), (400_000, "clock-wrong", "4 days ahead"),
    ])
    func `clocks are compared by their effect on a login`(_ off: Int64, _ word: String, _ words: String) {
        let found = clockFindings(ours: 1_795_218_263 + off, theirs: 1_795_218_263, server: "S")
        #expect(found.map(\.word) == [word] && found.first?.message.contains(words) == true)
    }

    @Test func `a certificate gets a warning three weeks before its end`() {
        let now: Int64 = 1_795_218_263
        #expect(certificateFinding(end: now + 21 * 86_400, now: now, server: "S") == nil)
        let soon = certificateFinding(end: now + 20 * 86_400 + 5, now: now, server: "S")
        #expect(soon?.word == "certificate-ends" && soon?.message.contains("20 days") == true)
    }

    @Test func `a host without access for root gets a warning`() {
        var ways = WaysIn()
        #expect(ways.finding.word == "no-way-for-root")
        ways.rootHasPassword = true
        #expect(ways.finding.word == "no-way-for-root")
        ways.passwordServices = ["login"]
        #expect(ways.finding.word == "root" && ways.finding.message.contains("by login"))
        ways = WaysIn()
        ways.rootHasKey = true
        #expect(ways.finding.word == "root" && ways.finding.advice == nil)
    }

    @Test func `the manual lists every word with its level, and no other word`() throws {
        let manual = try String(
            contentsOf: checkout.appending(path: "packaging/man/mpin.1"), encoding: .utf8)
        let listed = manual.matches(of: #/\n\.It Li ([a-z-]+) Pq (problem|warning|note)\n/#)
        var words: Set<String> = []
        let folder = checkout.appending(path: "Sources/Admin/MPinAdmin").path
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for found in text.matches(of: #/Finding\(\s*(problem|warning|note): "([a-z-]+)"/#) {
                words.insert("\(found.2) \(found.1)")
            }
            for found in text.matches(of: #/\.finding\(.*, "([a-z-]+)"\)/#) {
                words.insert("\(found.1) problem")
            }
        }
        #expect(listed.map { "\($0.1) \($0.2)" }.sorted() == words.sorted())
    }
}
