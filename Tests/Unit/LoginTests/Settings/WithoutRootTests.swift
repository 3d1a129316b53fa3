// SPDX-License-Identifier: Apache-2.0
// Programs that ask without root's rights: for whom the module steps aside, and who is denied.
import MPinLogin
import MPinProof
import MPinHostStore
import Testing

@Suite struct WithoutRootTests {
    /// What becomes of a program with these ids that asks for alice (uid 4711); it has no more rights than
    /// they give, unless `isOrdinary` says otherwise.
    private func fate(
        real: UInt32 = 4_711, effective: UInt32 = 4_711, isOrdinary: Bool = true, rhost: String = "",
        tty: String = "", _ lines: String = ""
    ) throws -> WithoutRoot? {
        let settings = try Settings(
            text: Array("backend = unix:/run/mpind.sock\n[locker]\n\(lines)\n".utf8),
            file: Array("mpin.conf".utf8), service: Array("locker".utf8))
        let process = ProcessFacts(
            isSecure: false, realUID: real, effectiveUID: effective, isOrdinary: isOrdinary)
        let call = CallFacts(rhost: Array(rhost.utf8), tty: Array(tty.utf8), process: process)
        let context = LoginContext(
            service: settings.service, account: alice, call: call,
            seat: SeatRow(call, account: alice, remote: settings.remote))
        return settings.withoutRoot(in: context, call)
    }

    @Test func `a program of root's takes its usual course, whoever started it`() throws {
        #expect(try fate(real: 0, effective: 0) == nil)
        #expect(try fate(effective: 0) == nil)
    }

    @Test(arguments: ["", "remote = no", "networks = 10.0.0.0/8", "users = alice", "method = phone"])
    func `the module steps aside for a program that asks for its own account`(lines: String) throws {
        #expect(try fate(lines) == .ownAccount)
    }

    @Test func `a program that asks for another account is denied`() throws {
        #expect(try fate(real: 4_712, effective: 4_712) == .denied)
        #expect(try fate(effective: 4_712) == .denied)
        #expect(try fate(real: 0) == .denied)
    }

    @Test func `a program that has, or can get back, more than its account's rights is denied`() throws {
        #expect(try fate(isOrdinary: false) == .denied)
    }

    @Test(arguments: ["remote = yes", "never = 4711", "users = bob", "groups = no-such-group-here"])
    func `the settings may deny it`(lines: String) throws {
        #expect(try fate(lines) == .denied)
    }

    @Test func `a user who comes over the network is denied`() throws {
        #expect(try fate(rhost: "192.0.2.7") == .denied)
        #expect(try fate(rhost: "192.0.2.7", "remote = no") == .denied)
        #expect(try fate(tty: "ssh") == .denied)
    }
}
