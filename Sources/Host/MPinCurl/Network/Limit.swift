// SPDX-License-Identifier: Apache-2.0
// Until when something must be done: a point in time, or the moment at which nobody waits for it any more.
import CPlatform

struct Limit {
    private let end: ContinuousClock.Instant
    /// A descriptor that becomes readable when nobody waits any more; -1: none.
    let ending: CInt

    init(milliseconds: Int, ending: CInt = -1) {
        self.end = .now + .milliseconds(milliseconds)
        self.ending = ending
    }

    /// The milliseconds that are left; 0 after the limit.
    var milliseconds: Int {
        let left = (end - .now).components
        guard !isAbandoned, left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        return Int(clamping: left.seconds) * 1000 + Int(left.attoseconds / 1_000_000_000_000_000)
    }

    private var isAbandoned: Bool {
        var ending = pollfd(fd: ending, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ending, 1, 0) > 0
    }

    /// Whether a descriptor became readable before the limit; -1 never does.
    func awaits(_ descriptor: CInt) -> Bool {
        while true {
            let left = milliseconds
            guard left > 0 else { return false }
            var descriptors = [descriptor, ending].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&descriptors, 2, CInt(clamping: left)) > 0 else { continue }
            if descriptors[0].revents != 0 { return true }
        }
    }

    /// Waits for `seconds` and returns true; returns false at once if the limit comes before.
    func outlasts(seconds: Int) -> Bool {
        guard seconds * 1000 < milliseconds else { return false }
        pause(milliseconds: seconds * 1000)
        return milliseconds > 0
    }

    /// Waits for so many milliseconds, or until nobody waits any more.
    func pause(milliseconds: Int) { _ = Limit(milliseconds: milliseconds, ending: ending).awaits(-1) }
}
