// SPDX-License-Identifier: Apache-2.0
// Stands in for mpin-relay, which gets neither arguments nor environment: the file's name selects what it
// does.
import CPlatform
import Glibc
import MPinWire

private let channel: CInt = 3

func standIn() -> Never {
    let name = link("/proc/self/exe").split(separator: "/").last.map(String.init) ?? ""
    if name == "report" {
        send(Array(report().utf8))
        exit(0)
    }
    guard let question = receive(), question.first == Kind.hello.rawValue else { exit(1) }
    if name == "mute" { while receive() != nil {} }
    send(hello(version: name == "other-version" ? Frame.version + 1 : Frame.version))
    if name == "early" { send(hello(version: Frame.version)) }
    guard let next = receive() else { exit(0) }
    switch name {
    case "wrong-kind": send((try? RelayResponse(kind: .end, status: 200, body: .end).encoded()) ?? [])
    case "echo": send(next)
    case "long": send([UInt8](repeating: 0x82, count: Frame.limit + 1))
    case "rubbish": send([0xff, 0, 1])
    case "empty": send([])
    case "silent": while receive() != nil {}
    default: exit(0)
    }
    _ = receive()
    exit(0)
}

private func hello(version: UInt8) -> [UInt8] {
    (try? RelayResponse(kind: .hello, status: 200, body: .hello(version: version)).encoded()) ?? []
}

private func receive() -> [UInt8]? {
    var packet = [UInt8](repeating: 0, count: Frame.limit)
    let count = unsafe recv(channel, &packet, packet.count, 0)
    return count > 0 ? Array(packet.prefix(count)) : nil
}

private func send(_ octets: [UInt8]) {
    _ = unsafe Glibc.send(channel, octets, octets.count, CInt(MSG_NOSIGNAL))
}

/// What this process inherited from its parent, one line for each property.
private func report() -> String {
    var lines: [String] = []
    for descriptor in CInt(0)..<4096 where fcntl(descriptor, F_GETFD) >= 0 {
        let target = link("/proc/self/fd/\(descriptor)")
        lines.append("\(descriptor) \(target.hasPrefix("socket:") ? "socket" : target)")
    }
    let wanted = [
        "Uid", "Gid", "Groups", "Umask", "NoNewPrivs", "SigBlk", "SigIgn", "SigCgt", "CapPrm", "CapEff",
    ]
    for line in text("/proc/self/status").split(separator: "\n") {
        let parts = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
        if let key = parts.first, wanted.contains(String(key)) { lines.append(parts.joined(separator: " ")) }
    }
    let limits = [
        "cpu time", "file size", "data size", "stack size", "core file size", "open files", "address space",
    ]
    for line in text("/proc/self/limits").split(separator: "\n") {
        guard let name = limits.first(where: { line.hasPrefix("Max \($0) ") }) else { continue }
        let values = line.dropFirst(name.count + 4).split(separator: " ")
        lines.append("\(name) \(values[0]) \(values[1])")
    }
    lines.append("environment \(text("/proc/self/environ").utf8.count)")
    lines.append("arguments \(CommandLine.arguments)")
    lines.append("folder \(link("/proc/self/cwd"))")
    lines.append("slack \(text("/proc/self/timerslack_ns").prefix { $0 != "\n" })")
    lines.append("session \(getsid(0) == getpid() ? "its own" : "the host's")")
    lines.append(
        "turns \(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)) \(sched_getscheduler(0))")
    return lines.joined(separator: "\n")
}

private func link(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &target, target.count)
    return String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func text(_ path: String) -> String {
    let file = unsafe mpin_open(path, O_RDONLY, 0)
    defer { close(file) }
    var octets = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(file, &octets, octets.count)
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
}
