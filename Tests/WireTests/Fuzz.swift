// SPDX-License-Identifier: Apache-2.0
// Random octets that a failed run can repeat, and how many rounds a fuzz test makes.
import Foundation

enum Fuzz {
    /// `MPIN_FUZZ` multiplies the rounds.
    static let rounds = 2_000 * (ProcessInfo.processInfo.environment["MPIN_FUZZ"].flatMap(Int.init) ?? 1)

    static func octets(_ count: Int, by generator: inout SplitMix) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The octets with one to four of them changed, taken out or put in.
    static func mutated(_ octets: [UInt8], by generator: inout SplitMix) -> [UInt8] {
        var octets = octets
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0...octets.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where index < octets.count:
                octets[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where index < octets.count: octets[index] = .random(in: .min ... .max, using: &generator)
            case 2 where index < octets.count: octets.remove(at: index)
            default: octets.insert(.random(in: .min ... .max, using: &generator), at: index)
            }
        }
        return octets
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014), with a seed of each test's own.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
