// SPDX-License-Identifier: Apache-2.0
// A relay for commands that measures the time of each request.
import MPinLogin
import MPinHostStore
import MPinWire
import Secrets

/// A relay whose requests are timed. The computation between two requests counts as a separate step.
struct TimedRelay: ~Copyable, Transport {
    private var relay: Relay
    private let watch: Stopwatch
    /// Whether the relay is known to have started.
    private var isReady = false

    /// Starts the relay.
    /// - Parameter attempt: the attempt id, 8 octets that name this work in every log.
    init(
        _ settings: Settings, attempt: [UInt8], deadline: Deadline, _ watch: Stopwatch
    ) throws(TransportError) {
        self.watch = watch
        relay = try Relay.start(
            path: settings.relay, hello: settings.hello(attempt: attempt), user: .find(), deadline: deadline)
        watch.lap("start mpin-relay")
    }

    /// Starts a relay for work other than a login, with a random attempt id and the deadline of the settings.
    init(_ settings: Settings) throws(TransportError) {
        let attempt: [UInt8]
        do { attempt = try randomOctets(8) } catch { throw .cannotStart }
        let deadline = Deadline(milliseconds: UInt32(clamping: settings.deadline * 1_000))
        try self.init(settings, attempt: attempt, deadline: deadline, Stopwatch())
    }

    /// The answer to one request, over a relay of its own.
    static func answer(to request: RelayRequest, _ settings: Settings) throws(Failure) -> RelayResponse {
        do throws(TransportError) {
            var relay = try TimedRelay(settings)
            return try relay.exchange(request)
        } catch { throw Failure(error, settings) }
    }

    mutating func connect(octets: UInt16) { relay.connect(octets: octets) }

    mutating func exchange(_ request: RelayRequest) throws(TransportError) -> RelayResponse {
        if watch.end() || !isReady {
            try relay.settle()
            isReady = true
            watch.lap("wait for mpin-relay and its connection")
        } else if let work = request.kind.workBefore {
            watch.lap(work)
        }
        let response = try relay.exchange(request)
        watch.lap(request.kind.call, status: response.status)
        return response
    }
}

extension Kind {
    /// The computation before the request, as a step's name; nil if there is none.
    fileprivate var workBefore: String? {
        switch self {
        case .passOne: "first half of the proof"
        case .passTwo: "second half of the proof"
        default: nil
        }
    }

    /// Whether mpind answers 403 to it only if it does not know the host's key.
    var isOfHost: Bool {
        switch self {
        case .session, .bind, .bindAnswer, .bindDone, .otp, .standing, .register, .passOne: true
        default: false
        }
    }

    /// The name of the call for people.
    var call: String { names.shown.description }
}
