// SPDX-License-Identifier: Apache-2.0
// Resolves host names once, before the sandbox closes. The system's resolver reads files, loads libraries and
// may hang, so it runs in a separate process for each name; this process itself opens no file and starts no
// thread.
import CPlatform

/// The result of resolving a name.
enum Resolution: Equatable {
    /// At least one numeric address.
    case found([String])
    /// The name servers say that there is no such name.
    case noSuchName
    /// No answer, or none in time.
    case silence
    /// This machine failed: no process, memory or descriptor.
    case machineFailed
}

/// The present numeric addresses of a name, sorted; empty if it cannot be resolved in time.
package func addresses(of name: String, milliseconds: Int) -> [String] {
    let limit = Limit(milliseconds: milliseconds)
    guard case .found(let addresses) = resolve([name], within: limit)[name] else { return [] }
    return addresses.sorted()
}

/// Resolves several names at the same time.
func resolve(_ names: Set<String>, within limit: Limit) -> [String: Resolution] {
    let lookups = names.map { (name: $0, lookup: Lookup($0)) }
    var found: [String: Resolution] = [:]
    for (name, lookup) in lookups { found[name] = lookup?.finish(within: limit) ?? .machineFailed }
    return found
}

/// The output of a lookup: one address in each line, or one of these lines; then an empty line.
private enum Word {
    static let noSuchName = "none"
    static let silence = "silence"
}

/// A process that resolves one name.
private final class Lookup {
    private let process: pid_t
    private let output: CInt

    init?(_ name: String) {
        var ends: (read: CInt, write: CInt) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) {
            unsafe pipe($0.baseAddress?.assumingMemoryBound(to: CInt.self))
        }
        guard made == 0 else { return nil }
        let process = mpin_fork()
        if process == 0 { answer(name, on: ends.write) }
        close(ends.write)
        guard process > 0 else {
            close(ends.read)
            return nil
        }
        self.process = process
        self.output = ends.read
    }

    /// Waits for the result. The process ends when this object is released.
    func finish(within limit: Limit) -> Resolution {
        var text: [UInt8] = []
        while text.suffix(2) != [0x0a, 0x0a] {
            guard limit.awaits(output) else { return .silence }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(output, &chunk, chunk.count)
            guard count > 0, text.count < 65_536 else { return .machineFailed }
            text += chunk.prefix(count)
        }
        let lines = text.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
        switch lines.first {
        case .none, Word.silence: return .silence
        case Word.noSuchName: return .noSuchName
        case .some: return .found(lines)
        }
    }

    deinit {
        close(output)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, mpin_errno() == EINTR {}
    }
}

/// The work of the process. It closes all inherited descriptors except the pipe, ends with its parent, and
/// reads the answers of name servers behind a filter of its own.
private func answer(_ name: String, on pipe: CInt) -> Never {
    guard mpin_die_with_parent() == 0, dup2(pipe, 1) == 1, close_range(3, .max, 0) == 0,
        mpin_sandbox_lookup() == 0
    else { _exit(1) }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = mpin_stream
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(name, nil, &hints, &list)
    // This machine failed, not the network: no memory, no descriptors.
    guard failure != EAI_MEMORY, failure != EAI_SYSTEM else { _exit(1) }
    var lines: [String] = []
    var entry = unsafe list
    while failure == 0, let address = unsafe entry {
        if let line = unsafe numeric(address.pointee) { lines.append(line) }
        unsafe entry = address.pointee.ai_next
    }
    if lines.isEmpty { lines = [failure == EAI_NONAME ? Word.noSuchName : Word.silence] }
    let text = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    _exit(unsafe write(1, text, text.count) == text.count ? 0 : 1)
}

private func numeric(_ entry: addrinfo) -> String? {
    var host = [CChar](repeating: 0, count: 64)
    guard
        unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // An address with a scope belongs to an interface, which cannot be passed on.
    return text.contains("%") ? nil : text
}
