// SPDX-License-Identifier: Apache-2.0
// How often a network may search for somebody who gives way to it.
import MPinStorage
import Synchronization

/// A search passes over all places in the one transaction that writes, so a flood may not search at each of
/// its requests. Each of the widest networks has its own turn, so a flood takes none from others.
final class PlaceSearches: Sendable {
    /// The time of the last search of each network.
    private let last = Mutex<[String: UnixMilliseconds]>([:])
    private static let pause: UnixMilliseconds = 50
    /// When there are more networks than this, those that may search again are forgotten.
    private static let most = 4096

    /// Whether a network may search now; then it may not for some time.
    func begin(_ network: String, now: UnixMilliseconds) -> Bool {
        last.withLock { last in
            let isRecent = { (time: UnixMilliseconds) in (0..<PlaceSearches.pause).contains(now - time) }
            if let time = last[network], isRecent(time) { return false }
            if last.count >= PlaceSearches.most { last = last.filter { isRecent($0.value) } }
            last[network] = now
            return true
        }
    }
}
