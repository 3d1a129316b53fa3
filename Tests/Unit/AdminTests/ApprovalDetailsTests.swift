// SPDX-License-Identifier: Apache-2.0
// The details that a user is shown before an approval: text from others cannot leave its place.
import MPin
@testable import MPinAdmin
import Testing

@Suite struct ApprovalDetailsTests {
    private func lines(
        _ service: [UInt8] = Array("sshd".utf8), account: String = "alice", source: String = "192.0.2.7",
        number: String? = nil
    ) throws -> [String] {
        try #require(
            ApprovalDetails(
                origin: Array("https://a.example".utf8), wid: Array("1234567".utf8), host: Array("db1".utf8),
                service: service, account: Array(account.utf8), source: Array(source.utf8), seconds: 0)
        ).lines(number)
    }

    @Test func `a login names host, account, service, source and time`() throws {
        let rows = [
            "to the host    db1", "as             alice", "by             sshd", "from           192.0.2.7",
        ]
        let lines = try lines()
        #expect(lines.contains("Somebody wants to log in:"))
        for row in rows { #expect(lines.contains("    " + row)) }
        #expect(lines.contains("    at             1970-01-01T00:00:00Z"))
        #expect(lines.last == "If you did not begin this yourself, press Enter.")
    }

    @Test func `a login that the server listed has its number, to be compared`() throws {
        let row = "    with number    265 4318: your console must show the same"
        #expect(try lines(number: "265 4318").contains(row))
        #expect(try !lines().contains { $0.contains("number") })
    }

    @Test func `a local source names the machine and the uid`() throws {
        #expect(
            try lines(source: "local:0:tty1").contains("    from           the host itself, uid 0 (tty1)"))
        let page = try lines(ApprovalDetails.browserService, source: "local:33")
        #expect(page.contains("    from           a program on the server's machine, uid 33"))
    }

    @Test func `text from a page is one quotation, and cannot end it`() throws {
        let lines = try lines(ApprovalDetails.browserService, account: "Bank\"\n    as    root")
        #expect(lines.contains("The page says, and nobody checked it:"))
        let said = try #require(lines.first { $0.hasPrefix("    \"") })
        #expect(said.hasSuffix("\"") && said.filter { $0 == "\"" }.count == 2)
        #expect(!lines.contains { $0.hasPrefix("    as") })
    }
}
