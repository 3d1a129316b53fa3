// SPDX-License-Identifier: Apache-2.0
// Lists that exclude accounts, where the system's databases do not know all the names.
import MPinLogin
import MPinProof
import MPinHostStore
import Octets
import Testing

@Suite struct `A rule` {
    /// This account is in a group without a name: no system assigns this gid.
    private let stray = Account(uid: 4_711, gid: 4_294_967_000, name: Array("no-such-account".utf8))
    private let root = Account(uid: 0, gid: 0, name: Array("root".utf8))

    private func exclusion(_ lines: String, of account: Account) throws -> Rule? {
        let text = "backend = unix:/run/mpind.sock\n" + lines
        let settings = try Settings(
            text: Array(text.utf8), file: [], service: Array("su".utf8))
        let context = LoginContext(
            service: settings.service, account: account, rhost: nil, tty: nil, authInfo: nil,
            realUID: 1_001)
        return try settings.exclusion(of: account, in: context)
    }

    @Test(arguments: ["!wheel", "!*", "staff !wheel"])
    func `that excludes a group fails for a group without a name`(_ list: String) throws {
        #expect(throws: AccountError.self) { try exclusion("groups = \(list)\n", of: stray) }
    }

    @Test func `that admits groups ignores a group without a name`() throws {
        #expect(try exclusion("groups = wheel\n", of: stray) == .groups)
        #expect(try exclusion("groups = all\n", of: stray) == nil)
    }

    @Test func `that excludes a group applies only to its members`() throws {
        #expect(try exclusion("groups = !root\n", of: root) == .groups)
        #expect(try exclusion("groups = !no-such-group\n", of: root) == nil)
    }

    @Test func `of names applies to every account that it lists`() throws {
        #expect(try exclusion("never = no-such-account root\n", of: root) == .never)
        #expect(try exclusion("never = no-such-account\n", of: root) == nil)
    }
}
