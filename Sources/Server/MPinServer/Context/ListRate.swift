// SPDX-License-Identifier: Apache-2.0
// How often a device may ask what waits for it.
import Octets
import Synchronization

/// Counts the questions of each device that showed a right tag, in minutes. The counts are in memory, so that
/// a question writes nothing; each replica has its own.
final class ListRate: Sendable {
    private struct Minute {
        let begin: UnixTime
        var count = 0
    }

    private let minutes = Mutex<[IdentityHash: Minute]>([:])
    private static let length: Int64 = 60
    /// When there are more devices than this, those whose minute is over are forgotten.
    private static let most = 4096

    /// Counts a question and returns 0; or, if the device has asked often enough, returns the seconds until
    /// it may ask again.
    func pause(of id: IdentityHash, at now: UnixTime) -> Int64 {
        minutes.withLock { minutes in
            if minutes.count >= ListRate.most {
                minutes = minutes.filter { ListRate.rest($0.value, now) > 0 }
            }
            var minute = minutes[id] ?? Minute(begin: now)
            if ListRate.rest(minute, now) == 0 { minute = Minute(begin: now) }
            guard minute.count < Limits.listsPerMinute else { return ListRate.rest(minute, now) }
            minute.count += 1
            minutes[id] = minute
            return 0
        }
    }

    /// The seconds that a minute still lasts. It is over too if the clock was set back.
    private static func rest(_ minute: Minute, _ now: UnixTime) -> Int64 {
        let passed = now.seconds - minute.begin.seconds
        return (0..<length).contains(passed) ? length - passed : 0
    }
}
