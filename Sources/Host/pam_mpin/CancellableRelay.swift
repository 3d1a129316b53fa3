// SPDX-License-Identifier: Apache-2.0
// A relay whose calls Ctrl-C cancels. Without it, an application that ignores or defers the signal would wait
// on for the server.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

struct CancellableRelay: ~Copyable, Transport {
    private var relay: Relay
    /// Whether the user is at this process's terminal. In sshd they are not, so a signal is not theirs.
    private let holdsTerminal: Bool

    static func start(
        _ settings: Settings, attempt: [UInt8], deadline: Deadline, holdsTerminal: Bool,
        trouble: RelayTrouble
    ) throws(TransportError) -> CancellableRelay {
        let relay = try Relay.start(
            path: settings.relay, hello: settings.hello(attempt: attempt), user: RelayUser.find(),
            deadline: deadline, trouble: trouble)
        return CancellableRelay(relay: relay, holdsTerminal: holdsTerminal)
    }

    private init(relay: consuming Relay, holdsTerminal: Bool) {
        self.relay = relay
        self.holdsTerminal = holdsTerminal
    }

    mutating func connect(octets: UInt16) { relay.connect(octets: octets) }

    /// Sends a request. The terminal is silenced meanwhile, because no prompt is on the screen.
    @inline(never)
    mutating func exchange(_ request: RelayRequest) throws(TransportError) -> RelayResponse {
        guard holdsTerminal else { return try relay.exchange(request) }
        let seat = SilencedTerminal()
        do {
            return try relay.exchange(request, brokenOffBy: seat.interrupt)
        } catch {
            if error == .cancelled { seat.takeInterrupt() }
            throw error
        }
    }
}
