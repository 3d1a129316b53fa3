// SPDX-License-Identifier: Apache-2.0
// A host that starts a relay, as sudo or sshd does, and reports what it noticed of it.
import CPlatform
import Glibc

nonisolated(unsafe) private var deaths = 0

/// Writes what the relay sends to the file `report` (`-`: standard output), followed by what this process
/// noticed.
func host(relay: String, report: String, uid: String, conditions: ArraySlice<String>) -> Never {
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    _ = signal(SIGCHLD) { _ in unsafe deaths += 1 }
    if conditions.contains("descriptors") {
        for _ in 0..<900 { _ = unsafe mpin_open("/dev/null", O_RDWR, 0) }
    }
    if conditions.contains("signals") {
        unsafe sigfillset(&blocked)
        _ = signal(SIGTERM, SIG_IGN)
        _ = signal(SIGCHLD, SIG_IGN)
    }
    unsafe sigprocmask(SIG_SETMASK, &blocked, nil)
    var channel: CInt = -1
    var process: CInt = -1
    let id = uid_t(uid) ?? 0
    let failure = unsafe mpin_relay_start(relay, id, id, id == 0 ? 0 : 1, &channel, &process)
    guard failure == 0 else { exit(3) }
    var packet = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(channel, &packet, packet.count, 0)
    var end = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&end, 1, -1)
    mpin_relay_end(channel, process, 0)
    var after = sigset_t()
    unsafe sigprocmask(SIG_SETMASK, nil, &after)
    let isSame = unsafe sigismember(&after, SIGUSR1) == sigismember(&blocked, SIGUSR1)
    let low = min(channel, process) > 2
    let notes =
        unsafe "\nhost deaths \(deaths) mask \(isSame ? "kept" : "changed") ends \(low ? "above 2" : "low")\n"
    let file = report == "-" ? 1 : unsafe mpin_open(report, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let octets = packet.prefix(max(0, count)) + Array(notes.utf8)
    _ = unsafe octets.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    if conditions.contains("child") { noteOwnChild(file) }
    exit(0)
}

/// Shows that the handler does count: the host starts a child itself.
private func noteOwnChild(_ file: CInt) {
    let child = mpin_fork()
    if child == 0 { _exit(0) }
    while waitpid(child, nil, 0) < 0, mpin_errno() == EINTR {}
    let note = Array(unsafe "own child \(deaths)\n".utf8)
    _ = unsafe write(file, note, note.count)
}
