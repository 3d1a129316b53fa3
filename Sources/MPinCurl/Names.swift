// SPDX-License-Identifier: Apache-2.0
// Host names to addresses, once, before the sandbox closes. The system's resolver reads files, loads
// libraries and may hang, so it runs in a process of its own for each name: afterwards nothing here opens a
// file or makes a thread.
import CPlatform

/// The addresses of each name (numeric; IPv6 in brackets), none for one that has none by the resolver's own
/// word. A name of which it said nothing in time is missing.
/// nil if a process could not be made or died, which says nothing about the network.
func resolve(_ names: Set<String>, milliseconds: Int) -> [String: [String]]? {
    let limit = Limit(milliseconds: milliseconds)
    var lookups: [(name: String, lookup: Lookup)] = []
    for name in names {
        guard let lookup = Lookup(name) else { return nil }
        lookups.append((name, lookup))
    }
    var addresses: [String: [String]] = [:]
    for (name, lookup) in lookups {
        switch lookup.finish(by: limit) {
        case .said(let found): addresses[name] = found
        case .late: continue
        case .died: return nil
        }
    }
    return addresses
}

private enum Finish {
    case said([String])
    case late, died
}

/// One name in one process. Its output: an address a line, then an empty line.
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

    /// Waits for the addresses; afterwards the process is gone.
    func finish(by limit: Limit) -> Finish {
        var text: [UInt8] = []
        var isWhole = false
        while !isWhole, limit.milliseconds > 0 {
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, CInt(clamping: limit.milliseconds)) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(output, &chunk, chunk.count)
            guard count > 0, text.count < 65_536 else { return .died }
            text += chunk.prefix(count)
            isWhole = text.suffix(2) == [0x0a, 0x0a] || text == [0x0a]
        }
        guard isWhole else { return .late }
        return .said(text.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) })
    }

    deinit {
        close(output)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, mpin_errno() == EINTR {}
    }
}

/// What the process does: it keeps nothing of its parent's but the pipe, and ends with it.
private func answer(_ name: String, on pipe: CInt) -> Never {
    guard mpin_die_with_parent() == 0, dup2(pipe, 1) == 1, close_range(3, .max, 0) == 0 else { _exit(1) }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = mpin_stream
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(name, nil, &hints, &list)
    // Not the network's word but this machine's: no memory, no descriptors.
    guard failure != EAI_MEMORY, failure != EAI_SYSTEM else { _exit(1) }
    var text: [UInt8] = []
    var entry = unsafe list
    while failure == 0, let address = unsafe entry {
        if let line = unsafe numeric(address.pointee) { text += Array(line.utf8) + [0x0a] }
        unsafe entry = address.pointee.ai_next
    }
    text.append(0x0a)
    _exit(unsafe write(1, text, text.count) == text.count ? 0 : 1)
}

private func numeric(_ entry: addrinfo) -> String? {
    var host = [CChar](repeating: 0, count: 64)
    guard
        unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // A scope belongs to an interface; libcurl cannot be told of it.
    guard !text.contains("%") else { return nil }
    return unsafe entry.ai_family == AF_INET6 ? "[\(text)]" : text
}
