// SPDX-License-Identifier: Apache-2.0
// A standing that differs from the one that mpind sealed is refused.
import MPin
import Octets
import TestSupport
import Testing

@Suite struct StandingRefusalTests {
    typealias Golden = SealGolden

    @Test func `a standing with one bit flipped, to another question, or with another verdict is refused`()
        throws
    {
        let key = try Golden.hostKey()
        let a = try Golden.question().a
        let standing = SealedStanding(a: a, isRevoked: true)
        let tag = try key.tag(of: standing)
        #expect(key.open(standing: standing.octets, tag: tag, to: a) == standing)
        for bit in 0..<standing.octets.count * 8 {
            #expect(key.open(standing: flipped(standing.octets, bit), tag: tag, to: a) == nil)
        }
        for bit in 0..<256 {
            #expect(key.open(standing: standing.octets, tag: flipped(tag, bit), to: a) == nil)
        }
        for tag in [[], [UInt8](tag.dropLast()), tag + [0]] {
            #expect(key.open(standing: standing.octets, tag: tag, to: a) == nil)
        }
        #expect(key.open(standing: standing.octets, tag: tag, to: flipped(a, 0)) == nil)
        for verdict in [UInt8](0...255) where verdict != 0 && verdict != 3 {
            #expect(SealedStanding(decoding: standing.octets.dropLast() + [verdict]) == nil)
        }
        #expect(SealedStanding(decoding: standing.octets + [0]) == nil)
        // A verdict on a proof is not accepted as a standing.
        let other = try Golden.verdict()
        #expect(try key.open(standing: other.octets, tag: key.tag(of: other), to: other.a) == nil)
    }
}
