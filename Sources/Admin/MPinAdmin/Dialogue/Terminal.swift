// SPDX-License-Identifier: Apache-2.0
// Questions on the terminal, and lines read from it or a descriptor. The echo can be off for an answer; it
// is on again after every exit, also by signal.
import CPlatform
import MPinConsole
import Secrets

/// The controlling terminal of this command, even if standard input and output are redirected.
struct Terminal: ~Copyable {
    private let descriptor: CInt

    /// nil if there is no terminal, as in a cron job or under a service manager.
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

    /// Asks for a line, without echo if it is hidden. Ctrl-C, Ctrl-\, a hangup and SIGTERM end only the
    /// question, not the process. Ctrl-Z stops the command with the echo on, and `fg` asks again. Ctrl-D
    /// alone is `.ended`.
    func ask(_ prompt: String, isHidden: Bool) throws(LineError) -> Secret {
        let signals = HeldSignals()
        while true {
            do {
                return try askOnce(prompt, isHidden: isHidden, signals)
            } catch .interrupted(SIGTSTP) {
                kill(getpid(), SIGSTOP)
            }
        }
    }

    private func askOnce(
        _ prompt: String, isHidden: Bool, _ signals: borrowing HeldSignals
    ) throws(LineError) -> Secret {
        var echo: EchoOff?
        if isHidden { echo = try EchoOff.on(descriptor) }
        write(prompt)
        do {
            let answer = try readLine(from: descriptor) { () throws(LineError) in
                try signals.untilReadable(descriptor)
            }
            _ = consume echo
            return answer
        } catch {
            if error != .tooLong { write("\n") }
            throw error
        }
    }
}

/// As long as this value lives, the terminal echoes only the end of the line.
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

extension HeldSignals {
    /// Waits until `input` can be read; throws `.interrupted` when a signal arrives.
    fileprivate borrowing func untilReadable(_ input: CInt) throws(LineError) {
        switch wait(for: input) {
        case .input: return
        case .signal(let number): throw .interrupted(number)
        case .time, .failed: throw .failed
        }
    }
}

/// Why there is no line.
package enum LineError: Error, Equatable {
    /// The end came before a line.
    case ended
    /// The line is longer than 255 octets.
    case tooLong
    /// A signal arrived for which the caller waits; its number.
    case interrupted(Int32)
    /// The terminal or descriptor cannot be read.
    case failed
    /// There is no memory for the line.
    case outOfMemory
}

/// The longest line that is accepted, in octets. A PIN has at most 128; the margin lets the PIN's own check
/// report one that is too long.
private let lineLimit = 255

/// The next line, without its newline. A line that is too long is read to its end and dropped.
///
/// - Parameter beforeRead: runs before each octet is read, for a caller that also waits for signals.
func readLine(
    from descriptor: CInt, beforeRead: () throws(LineError) -> Void = { () throws(LineError) in }
) throws(LineError) -> Secret {
    var line = try secret(count: lineLimit + 1)
    var count = 0
    while true {
        try beforeRead()
        // Octets beyond the limit overwrite the last one.
        let place = min(count, lineLimit)
        let got = unsafe line.withMutablePointer { base, _ in unsafe read(descriptor, base + place, 1) }
        if got < 0 {
            guard mpin_errno() == EINTR else { throw .failed }
            continue
        }
        guard got > 0 || count > 0 else { throw .ended }
        let isEnd = line.withBytes { unsafe $0.unsafeLoad(fromByteOffset: place, as: UInt8.self) == 0x0a }
        if got == 0 || isEnd { break }
        count += 1
    }
    guard count <= lineLimit else { throw .tooLong }
    return try line.withBytes { bytes throws(LineError) in
        do { return try Secret(copying: bytes.extracting(first: count)) } catch { throw .outOfMemory }
    }
}

private func secret(count: Int) throws(LineError) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

/// The octets of an answer that need not be kept in a `Secret`, such as an activation code, which is sent to
/// the server.
func octets(of answer: borrowing Secret) -> [UInt8] {
    answer.withBytes { bytes in
        (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
