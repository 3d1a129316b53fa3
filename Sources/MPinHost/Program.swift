// SPDX-License-Identifier: Apache-2.0
// Other programs of the host, run without a shell: their words as values, nothing of our environment.
import CPlatform
import Glibc

package struct ProgramEnd: Equatable, Sendable {
    /// nil: it was ended by a signal.
    package let status: Int32?
    /// What it said on both outputs, 1 MiB at most.
    package let said: String
}

/// Runs a program by its whole path, without input, and waits; nil if it cannot be started.
package func ran(_ program: String, _ arguments: [String] = []) -> ProgramEnd? {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = started(program, arguments, output: ends[1])
    close(ends[1])
    guard let process else { return nil }
    let said = everything(from: ends[0])
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0 {
        guard mpin_errno() == EINTR else { return ProgramEnd(status: nil, said: said) }
    }
    return ProgramEnd(status: status & 0x7f == 0 ? status >> 8 & 0xff : nil, said: said)
}

private func started(_ program: String, _ arguments: [String], output: CInt) -> pid_t? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
    // Descriptors that our caller left open, such as those of PINs, are not for others.
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
