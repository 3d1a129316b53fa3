// SPDX-License-Identifier: Apache-2.0
// The algorithms that the browser runs in Swift, against libcrypto and the vectors of RFC 7914.
import MPin
import Octets
import Secrets
import TestSupport
import Testing

@Suite struct PortableTests {
    @Test func `SHA-256 and HMAC in Swift equal libcrypto's for 10,000 random inputs`() throws {
        var random = SplitMix(seed: 0x5eed_0001)
        for round in 0..<10_000 {
            // This covers every length near the boundaries of blocks, for keys too.
            let octets = Self.octets(round % 301, &random)
            let keyOctets = Self.octets(random.next(200), &random)
            let key = try unsafe Secret(copying: keyOctets.span.bytes)
            #expect(Self.swiftSHA256(octets) == sha256(octets), "\(octets)")
            #expect(try Self.swiftHMAC(key, octets) == hmac(key: key, octets), "\(keyOctets) \(octets)")
        }
    }

    @Test func `scrypt in Swift matches the vectors of RFC 7914`() {
        let empty = """
            77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
            fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
            """
        #expect(Self.scrypt([], salt: [], n: 16, r: 1, p: 1, count: 64) == empty)
        let nacl = """
            fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
            2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
            """
        #expect(
            Self.scrypt(Array("password".utf8), salt: Array("NaCl".utf8), n: 1_024, r: 8, p: 16, count: 64)
                == nacl)
        let chloride = """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """
        #expect(
            Self.scrypt(
                Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), n: 16_384, r: 8, p: 1,
                count: 64) == chloride)
    }

    @Test func `scrypt in Swift equals libcrypto's for random PINs`() throws {
        var random = SplitMix(seed: 0x5eed_0002)
        let cost = try #require(StretchCost(n: 1 << 14, r: 8, p: 1))
        for _ in 0..<rounds(4) {
            let pin = Self.octets(1 + random.next(128), &random)
            let salt = Self.octets(16, &random)
            let secret = try unsafe Secret(copying: pin.span.bytes)
            let theirs = try stretch(secret, salt: salt, cost: cost, count: 48)
            let ours = Self.scrypt(pin, salt: salt, n: 1 << 14, r: 8, p: 1, count: 48)
            #expect(theirs.withBytes { Self.hexText($0) } == ours)
        }
    }

    @Test(arguments: [(0, 8, 1), (3, 8, 1), (1 << 18, 8, 1), (16, 0, 1), (16, 9, 1), (16, 8, 0), (16, 8, 17)])
    func `scrypt in Swift refuses costs out of bounds`(_ cost: (n: Int, r: Int, p: Int)) {
        #expect(Self.scrypt([1], salt: [2], n: cost.n, r: cost.r, p: cost.p, count: 32) == nil)
    }

    private static func octets(_ count: Int, _ random: inout SplitMix) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func swiftSHA256(_ octets: [UInt8]) -> [UInt8] {
        out(32) { unsafe Portable.sha256(octets.span.bytes, into: &$0) }
    }

    private static func swiftHMAC(_ key: borrowing Secret, _ octets: [UInt8]) -> [UInt8] {
        key.withBytes { key in out(32) { unsafe Portable.hmac(key: key, octets.span.bytes, into: &$0) } }
    }

    /// The key in hexadecimal digits; nil if the costs are refused.
    private static func scrypt(
        _ pin: [UInt8], salt: [UInt8], n: Int, r: Int, p: Int, count: Int
    ) -> String? {
        var done = false
        let key = out(count) { key in
            done = unsafe Portable.scrypt(
                pin.span.bytes, salt: salt.span.bytes, blocks: n, blockSize: r, passes: p, into: &key)
        }
        return done ? unsafe hexText(key.span.bytes) : nil
    }

    private static func out(_ count: Int, _ body: (inout MutableRawSpan) -> Void) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        var span = octets.mutableSpan
        var bytes = unsafe span.mutableBytes
        body(&bytes)
        return octets
    }

    private static func hexText(_ octets: RawSpan) -> String {
        octets.byteOffsets.map { index in
            let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            return (octet < 16 ? "0" : "") + String(octet, radix: 16)
        }.joined()
    }
}
