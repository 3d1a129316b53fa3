// SPDX-License-Identifier: Apache-2.0
// A point in time by which something must be done.
import CPlatform

struct Limit {
    private let end: ContinuousClock.Instant

    init(milliseconds: Int) { self.end = .now + .milliseconds(milliseconds) }

    /// The milliseconds that are left; 0 after the limit.
    var milliseconds: Int {
        let left = (end - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        return Int(clamping: left.seconds) * 1000 + Int(left.attoseconds / 1_000_000_000_000_000)
    }

    /// Waits for `seconds` and returns true; returns false at once if the limit comes before.
    func outlasts(seconds: Int) -> Bool {
        guard seconds * 1000 < milliseconds else { return false }
        let pause = Limit(milliseconds: seconds * 1000)
        while pause.milliseconds > 0 { _ = poll(nil, 0, CInt(clamping: pause.milliseconds)) }
        return true
    }
}
