// SPDX-License-Identifier: Apache-2.0
// What the filters of the relay and of its lookups kill, refuse and permit: one system call after the other.
import Foundation
import TestSupport
import Testing

/// A system call of x86-64, in words: its number and its arguments, as the probe reads them.
struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: [String]
    /// The errno that a refusal gives; 0: allowed.
    let code: CInt
    /// Whether the process that asks name servers may do it although the relay may not.
    let isForLookups: Bool

    init(_ name: String, _ words: String, _ code: CInt = 0, isForLookups: Bool = false) {
        testDescription = name
        self.words = words.split(separator: " ").map(String.init)
        self.code = code
        self.isForLookups = isForLookups
    }

    static let killed = [
        Call("start a program", "59 passwd 0 0"),
        Call("start a program by descriptor", "322 fd page 0 0 4096"),
        Call("trace a process", "101 16 parent 0 0"), Call("read another's memory", "310 parent 0 0 0 0 0"),
        Call("write another's memory", "311 parent 0 0 0 0 0"),
        Call("open a file to write", "257 -100 passwd 1"),
        Call("make a file", "257 -100 page 64 384"), Call("open a file by the older call", "2 passwd 2 0"),
        Call("create a file", "85 page 384"), Call("new code", "9 0 4096 5 34 -1 0"),
        Call("code of a page", "10 page 4096 5"), Call("code of a page with a key", "329 page 4096 1 -1"),
        Call("fork", "57"), Call("call by the other table", "1073741863"),
    ]
    static let signals = [
        Call("own a descriptor for another process", "72 fd 8 parent", EPERM),
        Call("own a descriptor by F_SETOWN_EX", "72 fd 15 page", EPERM),
        Call("choose a descriptor's signal", "72 fd 10 9", EPERM),
        Call("signal by O_ASYNC", "72 fd 4 8194", EPERM),
        Call("signal by FIOASYNC", "16 fd 21586 page", ENOSYS),
        Call("own a socket by FIOSETOWN", "16 fd 35073 page", ENOSYS),
        Call("own a socket by SIOCSPGRP", "16 fd 35074 page", ENOSYS),
        Call("lease a file", "72 0 1024 2", EPERM),
        Call("watch a folder", "72 0 1026 1", EPERM), Call("lock a file", "72 0 6 page", EPERM),
        Call("kill", "62 parent 0", ENOSYS), Call("kill a thread", "234 parent parent 0", ENOSYS),
        Call("kill by the older call", "200 parent 0", ENOSYS),
        Call("queue a signal", "129 parent 0 page", ENOSYS),
        Call("queue a thread's signal", "297 parent parent 0 page", ENOSYS),
        Call("signal by pidfd", "424 fd 0 0 0", ENOSYS), Call("get a pidfd", "434 parent 0", ENOSYS),
        Call("set a timer", "222 1 0 page", ENOSYS), Call("set an alarm", "37 1", ENOSYS),
        Call("be told of messages", "244 fd page", ENOSYS),
    ]
    static let sockets = [
        Call("packets", "41 17 3 0", EAFNOSUPPORT), Call("bluetooth", "41 31 1 0", EAFNOSUPPORT),
        Call("SCTP", "41 2 1 132", EAFNOSUPPORT), Call("Multipath TCP", "41 2 1 262", EAFNOSUPPORT),
        Call("datagrams", "41 2 2 0", EAFNOSUPPORT, isForLookups: true),
        Call("local datagrams", "41 1 2 0", EAFNOSUPPORT, isForLookups: true),
        Call("the kernel's routes", "41 16 3 0", EAFNOSUPPORT, isForLookups: true),
        Call("the kernel's packet filter", "41 16 3 12", EAFNOSUPPORT),
        Call("pass a descriptor", "46 -1 page 0", ENOSYS, isForLookups: true),
        Call("take a descriptor", "47 -1 page 0", ENOSYS, isForLookups: true),
        Call("pass many", "307 -1 page 1 0", ENOSYS, isForLookups: true), Call("listen", "50 fd 1", ENOSYS),
        Call("bind a port", "49 fd page 16", ENOSYS), Call("accept", "43 fd 0 0", ENOSYS),
        Call("attach a packet filter", "54 fd 1 26 page 16", ENOPROTOOPT),
        Call("receive credentials", "54 fd 1 16 page 4", ENOPROTOOPT),
        Call("join a group", "54 fd 0 35 page 8", ENOPROTOOPT),
        Call("a protocol above TCP", "54 fd 6 31 page 4", ENOPROTOOPT),
        Call("a pair for another family", "53 16 1 0 page", ENOSYS), Call("a ring", "425 1 page", ENOSYS),
        Call("type at a terminal", "16 0 21522 page", ENOSYS),
    ]
    static let others = [
        Call("read a file", "257 -100 passwd 0", EACCES, isForLookups: true),
        Call("read a file by the older call", "2 passwd 0 0", EACCES, isForLookups: true),
        Call("change id", "105 1", ENOSYS), Call("change its own flags", "157 1 9 0 0 0", ENOSYS),
        Call("be dumpable", "157 4 1 0 0 0", ENOSYS), Call("another's limits", "302 parent 7 0 page", ENOSYS),
        Call("new limits", "302 0 7 page 0", ENOSYS), Call("other turns", "144 0 5 page", ENOSYS),
        Call("another's niceness", "141 0 parent 5", ENOSYS), Call("remove a file", "87 page", ENOSYS),
        Call("rename a file", "82 page page", ENOSYS), Call("watch files", "294 0", ENOSYS),
        Call("a pipe of notices", "293 page 128", ENOSYS),
        Call("a program in the kernel", "321 0 page 8", ENOSYS),
        Call("keys", "250 0 -3 0", ENOSYS), Call("another namespace", "272 268435456", ENOSYS),
        Call("events of the processor", "298 page 0 -1 -1 0", ENOSYS),
        Call("move memory to an address", "25 page 4096 4096 3 65536", EPERM),
        Call("merge memory", "28 page 4096 12", EINVAL),
        Call("show memory in dumps", "28 page 4096 17", EINVAL),
        Call("wait for another process", "202 page 1 1 0 0 0", ENOSYS),
        Call("take a lock of another's turn", "202 page 134 0 0 0 0", ENOSYS),
    ]
    /// Refused to the relay alone.
    static let relays = [
        Call("local sockets", "41 1 1 0", EAFNOSUPPORT),
        Call("send to an address", "44 fd page 1 0 page 16", EPERM),
        Call("read an option of TCP", "55 fd 6 11 page page", ENOPROTOOPT),
        Call("shared memory", "9 0 4096 3 33 -1 0", EPERM),
    ]
    static let needed = [
        Call("connect by IPv4", "41 2 526337 6"), Call("connect by IPv6", "41 10 1 0"),
        Call("not block", "72 fd 4 2050"), Call("read flags", "72 fd 3 0"),
        Call("close at exec", "72 fd 2 1"),
        Call("send", "44 fd page 1 16384 0 0"), Call("memory", "9 0 4096 3 34 -1 0"),
        Call("move memory", "25 page 4096 4096 1"), Call("wake its own threads", "202 page 129 1 0 0 0"),
        Call("free memory", "28 page 4096 4"),
    ]
}

@Suite(.slow) struct SandboxTests {
    let program: Program
    init() throws { program = try Program("mpin-probe", as: "probe") }

    private func ending(_ call: Call, behind filter: String) throws -> Ending {
        try run(program.path, ["sandbox", filter] + call.words)
    }

    @Test(arguments: Call.killed) func `an attack ends the process`(_ call: Call) throws {
        for filter in ["relay", "unix", "lookup"] {
            #expect(try ending(call, behind: filter).signal == SIGSYS, "\(filter)")
        }
    }

    @Test func `a relay or a lookup that starts a process or a thread ends, or gets none`() throws {
        let (clone, newer) = (Call("clone", "56 17 0 0 0 0"), Call("clone3", "435 page 88"))
        for call in [clone, newer] {
            for filter in ["relay", "unix"] { #expect(try ending(call, behind: filter).signal == SIGSYS) }
        }
        #expect(try ending(clone, behind: "lookup").status == EPERM)
        #expect(try ending(newer, behind: "lookup").status == ENOSYS)
    }

    @Test(arguments: Call.signals)
    func `a captured relay cannot make the kernel send signals to other processes`(_ call: Call) throws {
        for filter in ["relay", "unix"] { try isRefused(call, behind: filter) }
        // A lookup may ask how many octets wait (FIONREAD), and nothing else by ioctl.
        try isRefused(call, behind: "lookup")
    }

    @Test(arguments: Call.sockets + Call.others)
    func `a captured relay gets no other sockets, options, files, limits or memory`(_ call: Call) throws {
        for filter in ["relay", "unix"] { try isRefused(call, behind: filter) }
    }

    @Test(arguments: Call.relays) func `a relay is refused what its lookups need`(_ call: Call) throws {
        try isRefused(call, behind: "relay")
        #expect(try ending(call, behind: "lookup").status != call.code)
    }

    @Test(arguments: Call.sockets + Call.others)
    func `a captured lookup gets little more than the relay`(_ call: Call) throws {
        let ending = try ending(call, behind: "lookup")
        if call.isForLookups {
            #expect(ending.signal == nil && ![ENOSYS, EAFNOSUPPORT, EACCES].contains(ending.status))
        } else {
            // The same calls fail, some with another errno.
            #expect(ending.signal == nil && [call.code, EPERM].contains(ending.status))
        }
    }

    @Test(arguments: Call.needed, ["relay", "unix", "lookup"])
    func `calls that are needed work`(_ call: Call, _ filter: String) throws {
        try isRefused(call, behind: filter)
    }

    @Test func `only a relay whose server is on a Unix socket makes Unix sockets`() throws {
        let local = Call("a local socket", "41 1 1 0")
        #expect(try ending(local, behind: "unix").status == 0)
        #expect(try ending(local, behind: "relay").status == EAFNOSUPPORT)
    }

    /// Whether the call ends with its own errno.
    private func isRefused(_ call: Call, behind filter: String) throws {
        let ending = try ending(call, behind: filter)
        #expect(ending.status == call.code && ending.signal == nil, "\(filter)")
    }
}
