// SPDX-License-Identifier: Apache-2.0
// Runs other programs of the host, without a shell and without our environment.
import CPlatform
import Glibc
package import Secrets

/// How a program ended, and its output.
package struct ProgramEnd: Equatable, Sendable {
    /// The exit status; nil if a signal ended the program.
    package let status: Int32?
    /// The text of standard output and standard error, 1 MiB at most.
    package let said: String
}

/// Runs a program, given by its full path, without input, and waits for its end. nil if it cannot be started.
package func ran(_ program: String, _ arguments: [String] = []) -> ProgramEnd? {
    guard let output = Pipe() else { return nil }
    let process = started(program, arguments, input: nil, output: output.to, errors: output.to)
    output.closeTo()
    guard let process else { return nil }
    let said = everything(from: output.from)
    return ProgramEnd(status: status(of: process), said: said)
}

/// Runs a program that reads a secret, which may be empty, and prints one of at most 65,536 octets. Its
/// standard error is ours. nil if the program does not start, fails, or prints nothing or too much.
package func piped(_ program: String, _ arguments: [String], input: borrowing Secret) -> Secret? {
    guard let given = Pipe(), let output = Pipe() else { return nil }
    _ = signal(SIGPIPE, SIG_IGN)
    let process = started(program, arguments, input: given.from, output: output.to, errors: 2)
    given.closeFrom()
    output.closeTo()
    guard let process else { return nil }
    let isSent = unsafe input.withPointer { bytes, count in
        unsafe count == 0 || write(given.to, bytes, count) == count
    }
    given.closeTo()
    let said = secret(from: output.from)
    guard status(of: process) == 0, isSent else { return nil }
    return said
}

/// Both ends of a pipe. They are closed with this value at the latest, and started programs do not inherit
/// them.
private final class Pipe {
    private(set) var from: CInt = -1
    private(set) var to: CInt = -1

    init?() {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (from, to) = (ends[0], ends[1])
    }

    deinit {
        closeFrom()
        closeTo()
    }

    func closeFrom() {
        if from >= 0 { close(from) }
        from = -1
    }

    func closeTo() {
        if to >= 0 { close(to) }
        to = -1
    }
}

/// Starts a program; nil if that fails.
/// - Parameter input: the descriptor for standard input; nil: /dev/null.
private func started(
    _ program: String, _ arguments: [String], input: CInt?, output: CInt, errors: CInt
) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input {
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // The program must not inherit other descriptors, such as those with PINs.
    unsafe mpin_close_from(&actions, 3)
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    var environment = unsafe [
        strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), strdup("LC_ALL=C"), nil,
    ]
    defer { _ = unsafe (words + environment).map { unsafe free($0) } }
    var process = pid_t()
    let result = unsafe posix_spawn(&process, program, &actions, nil, &words, &environment)
    return result == 0 ? process : nil
}

/// Waits for a process and returns its exit status; nil if a signal ended it.
private func status(of process: pid_t) -> Int32? {
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0 {
        guard mpin_errno() == EINTR else { return nil }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
}

private func everything(from descriptor: CInt) -> String {
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, mpin_errno() == EINTR { continue }
        guard count > 0 else { return String(decoding: octets, as: UTF8.self) }
        if octets.count < 1 << 20 { octets += chunk[..<count] }
    }
}

/// All octets from a descriptor, on locked pages; nil if there are none or too many.
private func secret(from descriptor: CInt) -> Secret? {
    guard var pages = try? Secret(count: 65_536) else { return nil }
    let count = unsafe pages.withMutablePointer { bytes, most in
        var done = 0
        while done < most {
            let got = unsafe read(descriptor, bytes + done, most - done)
            if got < 0, mpin_errno() == EINTR { continue }
            guard got > 0 else { return got == 0 ? done : 0 }
            done += got
        }
        return 0
    }
    guard count > 0 else { return nil }
    return pages.withBytes { bytes in try? Secret(copying: bytes.extracting(0..<count)) }
}
