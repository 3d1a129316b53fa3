// SPDX-License-Identifier: Apache-2.0
// The state that the relay inherits from its parent: the same minimum, whatever the host is like.
import Foundation
import TestSupport
import Testing

@Suite(.slow) struct ChildTests {
    static let isRoot = geteuid() == 0

    /// The report that the probe must give of itself, as `nobody` or as another user.
    static func golden(uid: Int = 65534) -> String {
        let id = "\(uid) \(uid) \(uid) \(uid)"
        return """
            0 /dev/null
            1 /dev/null
            2 /dev/null
            3 socket
            Umask 0077
            Uid \(id)
            Gid \(id)
            Groups
            SigBlk 0000000000000000
            SigIgn 0000000000000000
            SigCgt 0000000000000000
            CapPrm 0000000000000000
            CapEff 0000000000000000
            NoNewPrivs 1
            cpu time 20 20
            file size 0 0
            data size 536870912 536870912
            stack size 8388608 8388608
            core file size 0 0
            open files 64 64
            address space 536870912 536870912
            environment 0
            arguments ["mpin-relay"]
            folder /
            slack 50000
            session its own
            turns 0 0
            host deaths 0 mask kept ends above 2

            """
    }

    let program: Program
    init() throws { program = try Program("mpin-probe", as: "report") }

    /// Runs the host in a shell that first runs `before`; `redirections` follow the command.
    func report(
        before: String = "", _ conditions: [String] = [], by wrapper: String = "", to: String = "-",
        redirections: String = "", uid: Int = 65534
    ) throws -> Ending {
        let command = "exec \(wrapper) \(program.path) host \(program.path) \(to) \(uid) "
        return try run(
            "/bin/sh", ["-c", before + command + conditions.joined(separator: " ") + redirections])
    }

    @Test(
        .enabled(if: isRoot),
        arguments: [
            ("", []), ("cd /tmp; umask 0; export A=B LD_DEBUG=all; ", []), ("", ["descriptors"]),
            ("", ["signals"]), ("renice -n 10 $$ >/dev/null; ", []), ("chrt -b -p 0 $$; ", []),
            ("ulimit -n 16 -v 400000 -d 100000 -f 0 -s 1000 -t 100; ", []),
            ("ulimit -c unlimited -s unlimited; ", []),
            ("trap '' TERM INT HUP CHLD PIPE; ", []),
        ])
    func `no state of the host reaches the relay`(before: String, conditions: [String]) throws {
        #expect(try report(before: before, conditions).output == ChildTests.golden())
    }

    @Test(.enabled(if: isRoot))
    func `a host without standard descriptors starts the same relay`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/report"
        #expect(try report(to: file, redirections: " <&- >&- 2>&-").status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == ChildTests.golden())
    }

    @Test(.enabled(if: isRoot))
    func `an ordinary user's relay keeps the user's ids`() throws {
        let ending = try report(by: "setpriv --reuid 4321 --regid 4321 --clear-groups", uid: 0)
        #expect(ending.output == ChildTests.golden(uid: 4321))
    }

    @Test(.enabled(if: isRoot))
    func `a user who may not change ids gets no relay`() throws {
        let ending = try report(by: "setpriv --reuid 4321 --regid 4321 --clear-groups")
        // The child only says that it failed.
        #expect(ending.output.hasSuffix("\u{4}\0\0\nhost deaths 0 mask kept ends above 2\n"))
        #expect(!ending.output.contains("Uid"))
    }

    @Test(.enabled(if: isRoot))
    func `the host is notified of its own children and not of the relay`() throws {
        let output = try report(["child"]).output
        #expect(output.hasSuffix("host deaths 0 mask kept ends above 2\nown child 1\n"))
    }

    @Test(.enabled(if: isRoot))
    func `the child opens only the null device before it changes its user`() throws {
        let folder = try TemporaryFolder()
        let calls = "trace=open,openat,openat2,execve,setresuid,setresgid,setgroups,mmap"
        // One file for each process, so that their lines do not mix.
        let trace = ["-ff", "-o", folder.path + "/trace", "-e", calls]
        _ = try run(
            "/usr/bin/strace", trace + [program.path, "host", program.path, "/dev/null", "65534"])
        let dropping = "setresuid(65534, 65534, 65534)"
        let traces = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8)
        }
        let child = try #require(traces.first { $0.contains(dropping) }, "\(traces)").split(separator: "\n")
        let drop = try #require(child.firstIndex { $0.hasPrefix(dropping) })
        let before = child[..<drop].map { line in
            line.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
        }
        let after = child[drop...]
        #expect(
            before == [
                #"openat(AT_FDCWD, "/dev/null", O_RDWR|O_CLOEXEC)"#, "setgroups(0, NULL)",
                "setresgid(65534, 65534, 65534)",
            ])
        #expect(after.contains { $0.contains("execve(") })
        #expect(after.contains { $0.contains(".so") })
    }
}
