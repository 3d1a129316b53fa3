// SPDX-License-Identifier: Apache-2.0
// Random octets that a failed run can reproduce.
import TestSupport

enum Fuzz {
    static func octets(_ count: Int, by generator: inout SplitMix) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The octets with one to four of them changed, removed or inserted.
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
