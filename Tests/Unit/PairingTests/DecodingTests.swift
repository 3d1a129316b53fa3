// SPDX-License-Identifier: Apache-2.0
// Octets of points: accepted octets are encoded to the same octets again, and no octets trap.
import Pairing
import Secrets
import TestSupport
import Testing

@Suite struct `Decoding` {
    /// A pseudorandom generator that is reproducible from its seed (Marsaglia's xorshift).
    private struct Mutations {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(1, bound)))
        }

        /// Flips, overwrites, truncates, repeats or appends octets.
        mutating func mutate(_ octets: [UInt8]) -> [UInt8] {
            var octets = octets
            for _ in 0...next(3) {
                let place = next(octets.count)
                switch next(6) {
                case 0 where !octets.isEmpty: octets[place] ^= 1 << UInt8(next(8))
                case 1 where !octets.isEmpty: octets[place] = [0, 1, 0x24, 0x7f, 0x80, 0xff][next(6)]
                case 2: octets.removeLast(min(next(4), octets.count))
                case 3: octets.append(UInt8(next(256)))
                case 4: octets += octets.prefix(next(70))
                default: for index in place..<octets.count { octets[index] = next(2) == 0 ? 0 : 0xff }
                }
            }
            return octets
        }
    }

    private func seed() throws -> UInt64 { try randomOctets(8).reduce(1) { $0 << 8 | UInt64($1) } }

    /// The accepted lengths, their neighbours, and some others.
    private let lengths = [0, 1, 31, 32, 33, 63, 64, 65, 66, 96, 127, 128, 129, 130, 384]

    @Test func `encoding undoes decoding`() throws {
        for _ in 0..<10 {
            let p = try #require((Scalar.random() * G1.generator).octets)
            let q = try #require((Scalar.random() * G2.generator).octets)
            let k = try Scalar.random().octets
            #expect(p.g1?.octets == p && q.g2?.octets == q && k.scalar?.octets == k)
        }
        #expect((G1.generator - G1.generator).octets == nil)
        #expect((G2.generator + -G2.generator).octets == nil)
    }

    @Test func `random octets are refused`() throws {
        for round in 0..<rounds(200) {
            var octets = try randomOctets(lengths[round % lengths.count])
            if !octets.isEmpty, round % 2 == 0 { octets[0] = 4 }
            #expect(octets.g1 == nil && octets.g2 == nil, "\(octets)")
        }
    }

    @Test func `mutated points are refused or encoded to the same octets again`() throws {
        let seed = try seed()
        var mutations = Mutations(state: seed)
        let p = try #require((Scalar.random() * G1.generator).octets)
        let q = try #require((Scalar.random() * G2.generator).octets)
        for _ in 0..<rounds(300) {
            let g1 = mutations.mutate(p)
            if let point = g1.g1 { #expect(point.octets == g1, "seed \(seed)") }
            let g2 = mutations.mutate(q)
            if let point = g2.g2 {
                #expect(point.octets == g2, "seed \(seed)")
                #expect(point.point.multipliedVartime(by: BN254CX.Order.modulus).equals(.infinity))
            }
        }
    }

    @Test func `coordinates above p are refused though they represent a point`() throws {
        let p = try #require(G1.generator.octets)
        // The generator is (p-1, 1): y + p still fits into 32 octets.
        let modulus = BN254CX.Base.modulus
        var raised = p
        var carry: UInt64 = 1
        for limb in 0..<4 {
            let (sum, overflow) = modulus[limb].addingReportingOverflow(carry)
            carry = overflow ? 1 : 0
            for place in 0..<8 {
                raised[64 - 8 * limb - place] = UInt8(truncatingIfNeeded: sum >> (8 * place))
            }
        }
        #expect(p.g1 != nil && raised.g1 == nil)
    }

    @Test func `scalars of every length but 32 are refused`() throws {
        for length in lengths where length != 32 {
            #expect([UInt8](repeating: 0, count: length).scalar == nil)
        }
    }
}
