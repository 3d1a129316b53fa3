// SPDX-License-Identifier: Apache-2.0
// The relay, given up by Ctrl-C: a host that ignores or defers the signal would wait for the server.
import CPlatform
import MPinLogin
import MPinProof
import MPinStore
import MPinWire

struct CancellableRelay: ~Copyable, Transport {
    private var relay: Relay
    /// Somebody sits at this host's terminal; in sshd the signal is not his.
    private let holdsTerminal: Bool

    /// The terminal is silent from here on: nothing is on the screen yet that asks for anything.
    static func start(
        _ settings: Settings, attempt: [UInt8], deadline: Deadline, holdsTerminal: Bool
    ) throws(TransportError) -> CancellableRelay {
        let user = RelayUser.find()
        let hello = settings.hello(attempt: attempt)
        guard holdsTerminal else {
            let relay = try Relay.start(path: settings.relay, hello: hello, user: user, deadline: deadline)
            return CancellableRelay(relay: relay, holdsTerminal: false)
        }
        let seat = SilencedTerminal()
        do throws(TransportError) {
            let relay = try Relay.start(
                path: settings.relay, hello: hello, user: user, deadline: deadline,
                brokenOffBy: seat.interrupt)
            return CancellableRelay(relay: relay, holdsTerminal: true)
        } catch {
            if error == .cancelled { seat.takeInterrupt() }
            throw error
        }
    }

    private init(relay: consuming Relay, holdsTerminal: Bool) {
        self.relay = relay
        self.holdsTerminal = holdsTerminal
    }

    mutating func exchange(_ question: RelayRequest) throws(TransportError) -> RelayResponse {
        guard holdsTerminal else { return try relay.exchange(question) }
        let seat = SilencedTerminal()
        do {
            return try relay.exchange(question, brokenOffBy: seat.interrupt)
        } catch {
            if error == .cancelled { seat.takeInterrupt() }
            throw error
        }
    }
}
