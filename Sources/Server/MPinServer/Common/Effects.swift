// SPDX-License-Identifier: Apache-2.0
// Time and randomness as values.
import Glibc
import MPin
import Octets
import Secrets

/// Time and randomness, which tests replace.
package struct Effects: Sendable {
    package let now: @Sendable () -> UnixTime
    package let random: @Sendable (Int) throws -> [UInt8]
    /// Waits for a quarter of a second.
    package let pause: @Sendable () async throws -> Void

    package init(
        now: @escaping @Sendable () -> UnixTime, random: @escaping @Sendable (Int) throws -> [UInt8],
        pause: @escaping @Sendable () async throws -> Void
    ) {
        self.now = now
        self.random = random
        self.pause = pause
    }

    /// A random value, such as a nonce.
    func fresh<let size: Int, Meaning>() throws -> FixedOctets<size, Meaning> {
        guard let value = FixedOctets<size, Meaning>(try random(size)) else { throw SealFailure.malformed }
        return value
    }

    /// This machine's clock and libcrypto's random generator.
    package static let system = Effects(
        now: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            return UnixTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
        },
        random: { try randomOctets($0) }, pause: { try await Task.sleep(for: .milliseconds(250)) })
}
