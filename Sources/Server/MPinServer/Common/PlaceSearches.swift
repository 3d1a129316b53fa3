// SPDX-License-Identifier: Apache-2.0
// How often a network may search for somebody who gives way to it.
import MPinDatabase
import Synchronization

/// A search passes over all places in the one transaction that writes, so a flood may not search at each of
/// its requests. Each of the widest networks has its own turn, so a flood takes none from others.
final class PlaceSearches: Sendable {
    /// The time of the last search of each network.
    private let last = Mutex<[String: UnixMilliseconds]>([:])
    private static let pause: UnixMilliseconds = 50
    /// When there are more networks than this, those that may search again are forgotten.
    private static let most = 4096

    /// Whether a network has searched a moment ago. Until its pause is over it gets no place, and nothing is
    /// counted for it.
    func hasPause(_ network: String, at now: UnixMilliseconds) -> Bool {
        last.withLock { last in last[network].map { PlaceSearches.isRecent($0, now) } ?? false }
    }

    /// Notes a search.
    func note(_ network: String, at now: UnixMilliseconds) {
        last.withLock { last in
            if last.count >= PlaceSearches.most {
                last = last.filter { PlaceSearches.isRecent($0.value, now) }
            }
            last[network] = now
        }
    }

    private static func isRecent(_ time: UnixMilliseconds, _ now: UnixMilliseconds) -> Bool {
        (0..<pause).contains(now - time)
    }
}
