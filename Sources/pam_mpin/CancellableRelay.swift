// SPDX-License-Identifier: Apache-2.0
// The relay, given up by Ctrl-C: a host that ignores or defers the signal would wait for the server.
import CPlatform
import MPinClient
import MPinWire

struct CancellableRelay: ~Copyable, Transport {
    private var relay: Relay
    /// Somebody sits at this host's terminal; in sshd the signal is not his.
    private let holdsTerminal: Bool

    init(_ relay: consuming Relay, holdsTerminal: Bool) {
        self.relay = relay
        self.holdsTerminal = holdsTerminal
    }

    mutating func exchange(_ question: Question) throws(TransportError) -> Answer {
        guard holdsTerminal else { return try relay.exchange(question) }
        let seat = Seat()
        do {
            return try relay.exchange(question, brokenOffBy: seat.interrupt)
        } catch {
            if error == .cancelled { seat.takeInterrupt() }
            throw error
        }
    }
}
