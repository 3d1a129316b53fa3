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
        guard holdsTerminal, let interrupt = Interrupt.watch() else { return try relay.exchange(question) }
        do {
            return try relay.exchange(question, brokenOffBy: interrupt.descriptor)
        } catch {
            if error == .cancelled { interrupt.take() }
            throw error
        }
    }
}

/// SIGINT as something to read, for as long as this lives. The prompt is outside: there the host's own way of
/// ending it holds.
private struct Interrupt: ~Copyable {
    let descriptor: CInt
    private let before: sigset_t

    /// nil if the system has no descriptor left; the host then does with the signal what it always does.
    static func watch() -> Interrupt? {
        var only = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, SIGINT)
        let descriptor = unsafe signalfd(-1, &only, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        unsafe pthread_sigmask(SIG_BLOCK, &only, &before)
        return Interrupt(descriptor: descriptor, before: before)
    }

    private init(descriptor: CInt, before: sigset_t) {
        self.descriptor = descriptor
        self.before = before
    }

    /// Takes the signal away; the host must not die of it when the mask is gone.
    func take() {
        var signal = signalfd_siginfo()
        _ = unsafe read(descriptor, &signal, MemoryLayout<signalfd_siginfo>.size)
    }

    deinit {
        var mask = before
        close(descriptor)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
