// SPDX-License-Identifier: Apache-2.0
// How a server that is starting waits for another one.
import Glibc
import MPinServer

/// Pauses between attempts to reach another server. The log says what this one waits for: at once, when the
/// reason changes, and every five seconds.
struct StartupPause {
    private let place: LogField
    private var logged: (sentence: String, at: ContinuousClock.Instant)?

    /// - Parameter place: the name and the address of the other server.
    init(for place: LogField) { self.place = place }

    mutating func pause(because sentence: String) async {
        note(sentence)
        try? await Task.sleep(for: .milliseconds(500))
    }

    /// The same on this thread.
    mutating func pause(because sentence: String) {
        note(sentence)
        usleep(500_000)
    }

    private mutating func note(_ sentence: String) {
        if let logged, logged.sentence == sentence, .now - logged.at < .seconds(5) { return }
        log("waiting", [place], sentence: sentence)
        logged = (sentence, .now)
    }
}
