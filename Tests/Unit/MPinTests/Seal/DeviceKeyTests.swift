// SPDX-License-Identifier: Apache-2.0
// Device keys and notices: golden values that another program computed, and refusals after one change.
import MPin
import Octets
import Secrets
import TestSupport
import Testing

@Suite struct DeviceKeyTests {
    typealias Golden = SealGolden

    private func key() throws -> DeviceKey {
        try DeviceKey.derive(
            master: Golden.secret([UInt8](0x60...0x7f)), epoch: 1, id: MilagroLogin.read().id)
    }

    private static let y = "093ddfcfde2dfd7723bde3f2b893f945e2af78c81ef7f61ba24fe237f5ff85a6"

    private func passTwo(
        wid: String = "0", wantsOTP: Bool = false, v: [UInt8]? = nil
    ) throws -> DevicePass {
        let login = try MilagroLogin.read()
        return try DevicePass(
            id: login.id, n: Golden.n, y: Golden.octets(Self.y), v: v ?? login.v, wid: Golden.ascii(wid),
            wantsOTP: wantsOTP)
    }

    @Test func `the key and its check`() throws {
        #expect(
            try key().withOctets { octets in
                (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            }
                == Golden.octets("18b9d3243d0d9a6612b8cf2450b01f5adb26cff77319cfe432eadfbeaaed1f6b"))
        #expect(
            try DeviceKey.check(of: Golden.secret([UInt8](0x60...0x7f)))
                == Golden.octets("bb4c4b65c7786957fd7a32661088181035c3e04c4de3ed1132e1fd90c45637f2"))
    }

    @Test func `the tag of a look-up covers kind and session`() throws {
        let id = try MilagroLogin.read().id
        func look(_ status: String, _ wid: String) -> DevicePass {
            DevicePass(id: id, status: Golden.ascii(status), wid: Golden.ascii(wid))
        }
        let tag = try Golden.octets("8cc6c0a9924853e341b49b1b1cdef0747bbdd80b861c5e0de04113dd06c1f57f")
        #expect(try key().tag(of: look("wid", "3232212")) == tag)
        #expect(
            try key().tag(of: look("user", "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
                == Golden.octets("7ce9304f5dae61e9b40081e587720c4e072948c5e27de619a224de5963d417fe"))
        #expect(try !key().verifies(tag, of: look("user", "3232212")))
        #expect(try !key().verifies(tag, of: look("wid", "2654318")))
    }

    @Test func `the tag of the question what waits covers identity and time`() throws {
        let id = try MilagroLogin.read().id
        let tag = try Golden.octets("8fb6b18e72f4ea544a030d0376404ab3654590e01da7b310f0433856b4276130")
        #expect(try key().tag(of: DevicePass(id: id, waitingAt: 1_795_218_263)) == tag)
        #expect(try !key().verifies(tag, of: DevicePass(id: id, waitingAt: 1_795_218_264)))
        #expect(
            try !key().verifies(tag, of: DevicePass(id: identityHash([]), waitingAt: 1_795_218_263)))
    }

    @Test func `the tag of pass 1`() throws {
        let login = try MilagroLogin.read()
        let pass = DevicePass(id: login.id, u: login.u, ut: login.ut, seen: [])
        let tag = try Golden.octets("1f35502f82da4420d5abfb10b376643ea0bd3eff81d2fd1a7fae4fdbe56fe06c")
        #expect(try key().tag(of: pass) == tag)
        #expect(try key().verifies(tag, of: pass))
        let other = DevicePass(id: login.id, u: login.u, ut: login.ut, seen: [1])
        #expect(try !key().verifies(tag, of: other))
        #expect(try !key().verifies([], of: pass))
    }

    @Test func `the tag of pass 2 covers the proof, the session and the request for a password`() throws {
        let tag = try Golden.octets("76ce5bf4501dda1289dcd3f45d08b0be2b9d27144900081cc3e906daccae4be2")
        #expect(try key().tag(of: passTwo()) == tag)
        #expect(
            try key().tag(of: passTwo(wantsOTP: true))
                == Golden.octets("ad9e86175f9305a61080041fbee7c5754dd8d0733cbb0854453ee3f33858622e"))
        #expect(try !key().verifies(tag, of: passTwo(wantsOTP: true)))
        #expect(try !key().verifies(tag, of: passTwo(wid: "1")))
        #expect(try !key().verifies(tag, of: passTwo(v: [4])))
    }

    @Test func `the notices of a host and of a device match the specification`() throws {
        let source = Golden.ascii("203.0.113.9")
        let a = try Golden.question().a
        let notice = try #require(
            TriesNotice(
                for: .host, subject: a.octets, count: 3, lastSeconds: 1_795_218_263, lastSource: source))
        let tag = try Golden.octets("9c25fcacf1285992d1175b2b24e75dc275756d4e56e7c6c5ea2f5fb2290775ef")
        #expect(try Golden.hostKey().tag(of: notice) == tag)
        #expect(try Golden.hostKey().open(notice: notice.octets, tag: tag, to: a) == notice)
        let other = [UInt8](repeating: 1, count: 32)
        #expect(try Golden.hostKey().open(notice: notice.octets, tag: tag, to: [1]) == nil)
        #expect(try Golden.hostKey().open(notice: notice.octets, tag: other, to: a) == nil)

        let id = try MilagroLogin.read().id
        let own = try #require(
            TriesNotice(
                for: .device, subject: id.octets + sha256(Golden.ticket), count: 3,
                lastSeconds: 1_795_218_263,
                lastSource: source))
        let ownTag = try Golden.octets("6db0963d8985b1539d7d8858bdb8b0ddcc8f6d8f70ba79aaf2eb75ebc5c12ff6")
        #expect(try key().tag(of: own) == ownTag)
        #expect(try key().open(notice: own.octets, tag: ownTag, for: id, ticket: Golden.ticket) == own)
        #expect(
            try key().open(
                notice: own.octets, tag: ownTag, for: IdentityHash(exactly: a.octets), ticket: Golden.ticket)
                == nil)
        #expect(try key().open(notice: own.octets, tag: ownTag, for: id, ticket: []) == nil)
    }

    @Test func `the key of a newer epoch is accepted under the old one`() throws {
        let id = try MilagroLogin.read().id
        func newer() throws -> DeviceKey {
            try DeviceKey.derive(master: Golden.secret([UInt8](0x60...0x7f)), epoch: 2, id: id)
        }
        let octets = try newer().withOctets { octets in
            (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
        let tag = try Golden.octets("c6993d0cf47caec0ba01b37f6f558646a0942b6cfcccb944f4404c8c3db9e65d")
        #expect(try key().tag(ofNewer: newer(), for: id) == tag)
        #expect(try key().open(newer: octets, tag: tag, for: id) != nil)
        #expect(try newer().open(newer: octets, tag: tag, for: id) == nil)
        for (octets, tag, id) in [
            ([0] + octets.dropFirst(), tag, id), (octets, Array(tag.dropLast()), id),
            (octets, tag, IdentityHash(repeating: 9)),
            ([], tag, id),
        ] { #expect(try key().open(newer: octets, tag: tag, for: id) == nil) }
    }

    @Test func `values of the wrong length make no key and no notice`() throws {
        #expect(throws: SealFailure.malformed) { _ = try DeviceKey(Golden.secret([1, 2])) }
        #expect(throws: SealFailure.malformed) {
            _ = try DeviceKey.derive(master: Golden.secret([1]), epoch: 1, id: MilagroLogin.read().id)
        }
        #expect(TriesNotice(for: .host, subject: [], count: 0, lastSeconds: 0, lastSource: []) == nil)
        #expect(TriesNotice(decoding: Golden.ascii("mpin notice 1"), for: .host) == nil)
    }
}
