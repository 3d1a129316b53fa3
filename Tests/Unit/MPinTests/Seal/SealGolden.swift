// SPDX-License-Identifier: Apache-2.0
// The inputs of the golden values of the seal; U, UT, share and identity come from milagro-login.json.
import Foundation
import MPin
import Octets
import Secrets
import TestSupport
import Testing

enum SealGolden {
    static let nonce = QuestionNonce([UInt8](0x20...0x3f)) ?? .zero
    static let ticket = ascii("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
    static let n = ServerNonce([UInt8](0x40...0x5f)) ?? .zero
    static let wid = [UInt8]("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf".utf8)
    static let otherWID = [UInt8]("b0a1a2a3a4a5a6a7a8a9aaabacadaeaf".utf8)

    static func hostKey() throws -> HostKey {
        try HostKey(name: ascii("prod-db1"), epoch: 1, key: secret([UInt8](0...31)))
    }

    static func question() throws -> SealedQuestion {
        try #require(
            SealedQuestion(
                host: ascii("prod-db1"), nonce: nonce, service: ascii("sshd"), account: ascii("alice"),
                source: ascii("203.0.113.9"), tty: ascii("ssh"), flags: 0, life: 90,
                ids: [MilagroLogin.read().id]))
    }

    static func seen() throws -> ApprovalDetails {
        try #require(
            ApprovalDetails(
                origin: ascii("https://login.example.org"), wid: wid, host: ascii("prod-db1"),
                service: ascii("sshd"), account: ascii("alice"), source: ascii("203.0.113.9"),
                seconds: 1_795_218_263))
    }

    static func verdict(_ verdict: Verdict = .granted, way: AuthenticationMethod = .pin) throws
        -> SealedVerdict
    {
        try #require(
            SealedVerdict(
                a: question().a, way: way, verdict: verdict, id: MilagroLogin.read().id, triesLeft: nil,
                secondsUntilRelease: 0))
    }

    static func ascii(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

    static func octets(_ hex: String) throws -> [UInt8] {
        try stride(from: 0, to: hex.utf8.count, by: 2).map { index in
            let pair = hex.dropFirst(index).prefix(2)
            return try #require(UInt8(pair, radix: 16))
        }
    }

    static func octets<let size: Int, Meaning>(_ hex: String) throws -> FixedOctets<size, Meaning> {
        try FixedOctets(exactly: octets(hex) as [UInt8])
    }

    static func secret(_ octets: [UInt8]) throws -> Secret { try unsafe Secret(copying: octets.span.bytes) }

    static func octets(_ secret: borrowing Secret) -> [UInt8] {
        secret.withBytes { bytes in
            (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }
}

/// The parts of Tests/Conformance/Vectors/milagro-login.json that the seal binds.
struct MilagroLogin {
    let id: IdentityHash
    let u: [UInt8]
    let ut: [UInt8]
    let v: [UInt8]
    let share1: [UInt8]

    static func read() throws -> MilagroLogin {
        let file = vectorFolder.appending(path: "milagro-login.json")
        let decoded = try JSONDecoder().decode(File.self, from: Data(contentsOf: file))
        return try MilagroLogin(
            id: SealGolden.octets(decoded.hash_mpin_id), u: SealGolden.octets(decoded.login_permit_good.U),
            ut: SealGolden.octets(decoded.login_permit_good.UT),
            v: SealGolden.octets(decoded.login_permit_good.V),
            share1: SealGolden.octets(decoded.client_secret_share1))
    }

    private struct File: Decodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        struct Login: Decodable { let U, UT, V: String }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let hash_mpin_id: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let client_secret_share1: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let login_permit_good: Login
    }
}
