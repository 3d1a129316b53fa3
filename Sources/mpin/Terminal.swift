// SPDX-License-Identifier: Apache-2.0
// Questions on the terminal: answers do not show, and the echo comes back on every way out, signals included.
import CPlatform
import Secrets

/// The terminal that holds this command, whatever its input and output are.
struct Terminal: ~Copyable {
    private let descriptor: CInt

    /// nil: there is none, as in a job of cron or under a service manager.
    init?() {
        let descriptor = unsafe mpin_open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func write(_ text: String) {
        var rest = [UInt8](text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe CPlatform.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && mpin_errno() == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Asks for a line that shows.
    func ask(_ prompt: String) throws(LineError) -> Secret { try ask(prompt, isHidden: false) }

    /// Asks for a line that does not show.
    func askHidden(_ prompt: String) throws(LineError) -> Secret { try ask(prompt, isHidden: true) }

    /// Ctrl-C, Ctrl-\, a hangup and SIGTERM end the question and nothing
    /// else; Ctrl-Z stops the command with the echo on, and `fg` asks again. Ctrl-D alone is `.ended`.
    private func ask(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret {
        let signals = HeldSignals()
        while true {
            do {
                return try askOnce(prompt, isHidden, signals)
            } catch .interrupted(SIGTSTP) {
                kill(getpid(), SIGSTOP)
            }
        }
    }

    private func askOnce(
        _ prompt: String, _ isHidden: Bool, _ signals: borrowing HeldSignals
    ) throws(LineError) -> Secret {
        var echo: EchoOff?
        if isHidden { echo = try EchoOff.on(descriptor) }
        write(prompt)
        do {
            let answer = try readLine(from: descriptor) { () throws(LineError) in
                try signals.wait(for: descriptor)
            }
            _ = consume echo
            return answer
        } catch {
            if error != .tooLong { write("\n") }
            throw error
        }
    }
}

/// As long as it lives the terminal shows nothing of what is typed but the end of the line.
private struct EchoOff: ~Copyable {
    let descriptor: CInt
    let before: termios

    static func on(_ descriptor: CInt) throws(LineError) -> EchoOff {
        var state = termios()
        guard unsafe tcgetattr(descriptor, &state) == 0 else { throw .failed }
        let echo = EchoOff(descriptor: descriptor, before: state)
        state.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        state.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &state) == 0 else { throw .failed }
        return echo
    }

    deinit {
        var state = before
        while unsafe tcsetattr(descriptor, TCSAFLUSH, &state) < 0 && mpin_errno() == EINTR {}
    }
}

/// As long as it lives the signals that would end or stop this process wait in a descriptor.
private struct HeldSignals: ~Copyable {
    private let descriptor: CInt
    private let before: sigset_t

    init() {
        var held = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&held)
        for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP] { unsafe sigaddset(&held, signal) }
        unsafe sigprocmask(SIG_BLOCK, &held, &before)
        self.before = before
        self.descriptor = unsafe signalfd(-1, &held, O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        var before = before
        unsafe sigprocmask(SIG_SETMASK, &before, nil)
    }

    /// Waits until `input` can be read; throws `.interrupted` as soon as a signal has come.
    borrowing func wait(for input: CInt) throws(LineError) {
        var both = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&both, 2, -1) < 0 {
            guard mpin_errno() == EINTR else { throw .failed }
        }
        guard both[0].revents != 0 else { return }
        // struct signalfd_siginfo: 128 octets, the number of the signal first.
        var signal = [UInt32](repeating: 0, count: 32)
        let count = unsafe signal.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count == 128 else { throw .failed }
        throw .interrupted(Int32(truncatingIfNeeded: signal[0]))
    }
}
