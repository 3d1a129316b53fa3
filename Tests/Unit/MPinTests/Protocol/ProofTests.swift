// SPDX-License-Identifier: Apache-2.0
// Whole proofs with random secrets: which are granted and which are not.
import MPin
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

/// Two authorities, one server, one identity with a token.
private struct World: ~Copyable {
    let id: [UInt8] = Array("{\"userID\":\"alice\"}".utf8)
    let date: UInt32 = 20_777
    let share1: MasterShare
    let share2: MasterShare
    let verifier: Verifier
    let token: Token
    let factor: Secret

    init() throws {
        let share1 = try MasterShare.random()
        let share2 = try MasterShare.random()
        let server = try serverSecret(share1.serverSecretShare(), share2.serverSecretShare())
        let hash = identityHash(id)
        let client = try clientSecret(
            share1.clientSecretShare(of: hash), share2.clientSecretShare(of: hash))
        let factor = try PINRule.number(modulus: 10_000).factor(of: Secret("4711"))
        let token = try Token(clientSecret: client, mpinID: id, factor: factor)
        verifier = try Verifier(serverSecret: server)
        self.token = token
        self.factor = factor
        self.share1 = share1
        self.share2 = share2
    }

    func permit(_ date: UInt32) throws -> [UInt8] {
        let hash = identityHash(id)
        return try timePermit(
            share1.timePermitShare(of: hash, date: date), share2.timePermitShare(of: hash, date: date))
    }

    func pass(dated: Bool = true) throws -> PassOne {
        try PassOne(
            mpinID: id, token: token, factor: factor, permit: dated ? (date, permit(date)) : nil)
    }
}

private func challenge() throws -> Challenge {
    let octets = try randomOctets(48)
    return try FixedOctets(exactly: Scalar(nonZeroFrom: unsafe octets.span.bytes).octets)
}

@Suite struct `Proofs` {
    @Test(arguments: [true, false])
    func `the right PIN is granted, with a time permit and without`(_ dated: Bool) throws {
        let world = try World()
        let pass = try world.pass(dated: dated)
        let (u, ut) = (pass.u, pass.ut)
        let y = try challenge()
        let v = try pass.answer(y: y)
        let date = dated ? world.date : nil
        #expect(ut.isEmpty == !dated)
        #expect(try world.verifier.verify(mpinID: world.id, date: date, u: u, ut: ut, y: y, v: v))
        #expect(try !world.verifier.verify(mpinID: [1], date: date, u: u, ut: ut, y: y, v: v))
        let other = try challenge()
        #expect(try !world.verifier.verify(mpinID: world.id, date: date, u: u, ut: ut, y: other, v: v))
        if dated {
            let tomorrow = world.date + 1
            #expect(try !world.verifier.verify(mpinID: world.id, date: tomorrow, u: u, ut: ut, y: y, v: v))
            #expect(try !world.verifier.verify(mpinID: world.id, date: nil, u: u, ut: ut, y: y, v: v))
        }
    }

    @Test func `a wrong PIN is refused`() throws {
        let world = try World()
        for pin in ["4710", "4712", "0000", "1174"] {
            let factor = try PINRule.number(modulus: 10_000).factor(of: Secret(pin))
            let pass = try PassOne(mpinID: world.id, token: world.token, factor: factor, permit: nil)
            let u = pass.u
            let y = try challenge()
            let v = try pass.answer(y: y)
            #expect(try !world.verifier.verify(mpinID: world.id, date: nil, u: u, ut: [], y: y, v: v))
        }
    }

    @Test func `another server's secret verifies nothing`() throws {
        let world = try World()
        let stranger = try World()
        let pass = try world.pass()
        let (u, ut) = (pass.u, pass.ut)
        let y = try challenge()
        let v = try pass.answer(y: y)
        #expect(
            try !stranger.verifier.verify(mpinID: world.id, date: world.date, u: u, ut: ut, y: y, v: v))
    }

    @Test func `each pass draws a new x`() throws {
        let world = try World()
        let (pass1, pass2) = try (world.pass().u, world.pass().u)
        #expect(pass1 != pass2)
    }

    @Test func `an undecodable u is refused though a dated proof does not need it`() throws {
        let world = try World()
        let pass = try world.pass()
        let ut = pass.ut
        let y = try challenge()
        let v = try pass.answer(y: y)
        for u in [[], ut.dropLast(), [4] + [UInt8](repeating: 0, count: 64)] {
            #expect(throws: MPinError.invalidPoint) {
                _ = try world.verifier.verify(
                    mpinID: world.id, date: world.date, u: Array(u), ut: ut, y: y, v: v)
            }
        }
    }

    @Test func `one verifier can be used by many tasks`() async throws {
        let world = try World()
        let pass = try world.pass()
        let (id, date, u, ut) = (world.id, world.date, pass.u, pass.ut)
        let y = try challenge()
        let v = try pass.answer(y: y)
        let verifier = world.verifier
        let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let answer = index % 2 == 0 ? v : u
                    return try verifier.verify(mpinID: id, date: date, u: u, ut: ut, y: y, v: answer)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 8)
    }

    @Test func `a permit for no date, which would be the client secret, is not issued`() throws {
        let share = try MasterShare.random()
        let hash = identityHash([1])
        for date in [0, UInt32(Int32.max) + 1, .max] {
            #expect(throws: MPinError.invalidPoint) { _ = try share.timePermitShare(of: hash, date: date) }
        }
        #expect(try share.timePermitShare(of: hash, date: 1).count == 65)
    }

    @Test func `stored token and share can be read again`() throws {
        let world = try World()
        let token = try Token(Secret(world.token.octets.copy))
        let share = try MasterShare(Secret(world.share1.octets.copy))
        let pass = try PassOne(mpinID: world.id, token: token, factor: world.factor, permit: nil)
        let u = pass.u
        let y = try challenge()
        let v = try pass.answer(y: y)
        #expect(try world.verifier.verify(mpinID: world.id, date: nil, u: u, ut: [], y: y, v: v))
        let secret1 = try share.clientSecretShare(of: identityHash(world.id)).copy
        let secret2 = try world.share1.clientSecretShare(of: identityHash(world.id)).copy
        #expect(secret1 == secret2)
    }

    @Test func `a factor that is not a scalar is refused`() throws {
        let world = try World()
        for octets in [[UInt8](repeating: 0xff, count: 32), [1], []] {
            let factor = try Secret(octets)
            #expect(throws: MPinError.invalidScalar) {
                _ = try PassOne(mpinID: world.id, token: world.token, factor: factor, permit: nil).u
            }
        }
    }
}
