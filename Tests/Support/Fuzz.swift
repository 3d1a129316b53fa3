// SPDX-License-Identifier: Apache-2.0
// Random numbers that a failed run can reproduce, and the number of rounds of a fuzz loop.
import Foundation

/// The usual number of rounds, multiplied by `MPIN_FUZZ`, which is 1 by default.
package func rounds(_ usual: Int) -> Int {
    usual * max(1, Int(ProcessInfo.processInfo.environment["MPIN_FUZZ"] ?? "") ?? 1)
}

/// SplitMix64 (Steele, Lea, Flood 2014); each test gives its own seed.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// A random number from 0 to `count` - 1.
    package mutating func next(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
