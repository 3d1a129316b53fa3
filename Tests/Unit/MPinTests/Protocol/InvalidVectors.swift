// SPDX-License-Identifier: Apache-2.0
// Invalid input that must be refused, passed through the functions that receive it.
import MPin
import Octets
import Pairing
import Secrets
import TestSupport
import Testing

@Suite struct `Vectors of invalid input` {
    let file: Vector

    init() throws { file = try Vector(file: "bn254cx-invalid") }

    /// Whether `required` demands that the input is accepted.
    private func accepts(_ vector: Vector) throws -> Bool { try vector["required"].text.hasPrefix("accept") }

    @Test func `points of the first group`() throws {
        for vector in try file["G1"].members(21) {
            let octets = try vector["input"].octets
            guard vector["recombine_with"].isNull else {
                let other = try vector["recombine_with"].octets
                #expect(throws: MPinError.infinity) { _ = try timePermit(octets, other) }
                let secret = try vector["input"].secret()
                let otherSecret = try vector["recombine_with"].secret()
                #expect(throws: MPinError.infinity) { _ = try clientSecret(secret, otherSecret) }
                continue
            }
            let name = try vector["name"].text
            let accepted = try accepts(vector)
            let token = MPinTests.accepted { _ = try Token(Secret(octets)) }
            let permit = MPinTests.accepted { _ = try timePermit(octets, try #require(G1.generator.octets)) }
            #expect(token == accepted, "\(name)")
            #expect(permit == accepted, "\(name)")
        }
    }

    @Test func `points of the second group`() throws {
        let other = try MasterShare(Secret(scalarOctets(78))).serverSecretShare()
        for vector in try file["G2"].members(9) {
            let name = try vector["name"].text
            let octets = try vector["input"].octets
            let verifier = MPinTests.accepted { _ = try Verifier(serverSecret: Secret(octets)) }
            let share = try Secret(octets)
            let sum = MPinTests.accepted { _ = try serverSecret(share, other) }
            #expect(try verifier == accepts(vector), "\(name)")
            #expect(try sum == accepts(vector), "\(name)")
        }
    }

    @Test func `scalars as master share, x and challenge`() throws {
        for vector in try file["scalars"].members(7) {
            let name = try vector["name"].text
            let octets = try vector["scalar"].octets
            let accepted = try accepts(vector)
            #expect(MPinTests.accepted { _ = try MasterShare(Secret(octets)) } == accepted, "\(name)")
            #expect(
                MPinTests.accepted { _ = try proof(x: octets, y: scalarOctets(7)) } == accepted, "\(name)")
            #expect(
                MPinTests.accepted { _ = try proof(x: scalarOctets(7), y: octets) } == accepted, "\(name)")
            guard accepted else { continue }
            let share = try MasterShare(Secret(octets))
            let hash: IdentityHash = try vector["hash_id"].fixed()
            let value = try share.clientSecretShare(of: hash).copy
            #expect(try value == vector["mathematical_value"].octets, "\(name)")
        }
    }

    private func proof(x: [UInt8], y: [UInt8]) throws -> [UInt8] {
        let token = try Token(Secret(#require(G1.generator.octets)))
        let factor = try Secret(scalarOctets(1))
        return try PassOne(mpinID: [1], token: token, factor: factor, permit: nil, x: Secret(x)).answer(
            y: FixedOctets(exactly: y))
    }

    @Test func `proofs sent to the server`() throws {
        for vector in try file["server_verify"].members(11) {
            let name = try vector["name"].text
            #expect(try G1(hashing: identityHash(vector["id"].octets).octets).octets == vector["HID"].octets)
            #expect(try vector["date"].integer == 0)
            let result = try verdict(vector)
            switch vector["required"] {
            case .number(let code): #expect(result == code, "\(name)")
            case .string(let text) where text.hasPrefix("-14 ("): #expect(result == -14, "\(name)")
            default: #expect(result != 0, "\(name)")
            }
        }
    }

    /// The result as an error code of Milagro's core.
    private func verdict(_ vector: Vector) throws -> Int {
        do {
            let verifier = try Verifier(serverSecret: vector["server_secret"].secret())
            let accepted = try verifier.verify(
                mpinID: vector["id"].octets, date: nil, u: vector["U"].octets, ut: [], y: vector["y"].fixed(),
                v: vector["V"].octets)
            return accepted ? 0 : -19
        } catch let error as MPinError {
            return error == .invalidPoint ? -14 : -19
        }
    }

    @Test func `an answer that would be the point at infinity`() throws {
        for vector in try file["client_2"].members(1) {
            let token = try Token(vector["SEC"].secret())
            let factor = try Secret(scalarOctets(0))
            let pass = try PassOne(
                mpinID: [1], token: token, factor: factor, permit: nil, x: vector["x"].secret())
            do {
                _ = try pass.answer(y: vector["y"].fixed())
                Issue.record("answered")
            } catch {
                #expect(error as? MPinError == .infinity)
            }
        }
    }
}

/// Whether the body throws nothing.
private func accepted(_ body: () throws -> Void) -> Bool {
    do {
        try body()
        return true
    } catch {
        return false
    }
}
