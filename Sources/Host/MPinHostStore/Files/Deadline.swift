// SPDX-License-Identifier: Apache-2.0
// A point in time on a clock that nobody can set.
import CPlatform

/// A moment on CLOCK_MONOTONIC, to the millisecond.
package struct Deadline: Equatable, Sendable {
    private let milliseconds: Int64

    private init(at milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment that many milliseconds from now.
    package init(milliseconds: UInt32) { self.init(at: Deadline.now + Int64(milliseconds)) }

    fileprivate static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    /// The milliseconds that are left, as `poll` takes them; 0 when the moment has passed.
    package var remaining: Int32 { Int32(clamping: max(0, milliseconds - Deadline.now)) }

    package var isOver: Bool { remaining == 0 }

    package func earlier(of other: Deadline) -> Deadline { milliseconds <= other.milliseconds ? self : other }
}

/// Seconds on CLOCK_MONOTONIC.
package func monotonicSeconds() -> Int { Int(clamping: Deadline.now / 1000) }

/// Seconds since the system started, including time in suspend; 0 on error.
package func bootSeconds() -> UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
    return UInt64(clamping: now.tv_sec)
}
