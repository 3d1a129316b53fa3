// SPDX-License-Identifier: Apache-2.0
// The programs of this build, copied to where another user may run them, and started.
import Foundation

package struct Program: Sendable {
    private let folder: TemporaryFolder
    package let path: String

    /// Copies a program of this build, under another name if one is given.
    package init(_ product: String, as name: String? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/" + (name ?? product)
        // In a process of its own: a child that another test starts meanwhile would inherit the file open for
        // writing.
        _ = try run("/bin/cp", ["--", built(product), path])
    }

    /// Removes the copy, for a program that is never released.
    package func remove() { folder.remove() }
}

/// The folder that contains the programs of this build and the tests.
package func buildFolder() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().path
}

/// The path of a program of this build, not copied.
package func built(_ product: String) throws -> String { try buildFolder() + "/" + product }

/// The result of a program.
package struct Ending: Sendable, Equatable {
    package let output: String
    package let status: CInt
    /// The signal that killed it; nil if none did.
    package let signal: CInt?
}

/// Runs a program to its end and returns its output, with its error output if wanted.
package func run(_ path: String, _ arguments: [String], withErrors: Bool = false) throws -> Ending {
    let started = try Started(path, arguments, withErrors: withErrors)
    var output: [UInt8] = []
    while let more = started.read() { output += more }
    return started.wait(output: String(decoding: output, as: UTF8.self))
}

/// A program that runs until its last reference is released; `init` returns when its output contains `text`.
package final class Background: Sendable {
    private let started: Started
    /// The output so far.
    package let greeting: String

    package struct SaidNothing: Error { let output: String }

    package init(_ path: String, _ arguments: [String], in folder: String? = nil, until text: String) throws {
        let inFolder = ["-c", #"cd "$0" && exec "$@""#, folder ?? "/", path] + arguments
        started = try Started("/bin/sh", inFolder, withErrors: true)
        var said = ""
        while !said.contains(text) {
            guard let more = started.read() else { throw SaidNothing(output: said) }
            said += String(decoding: more, as: UTF8.self)
        }
        greeting = said
    }

    deinit {
        kill(started.process, SIGTERM)
        _ = started.wait(output: "")
    }
}

/// A started program. Foundation's `Process` waits in a run loop, without end in a test that runs beside
/// others.
private struct Started: Sendable {
    let process: pid_t
    private let output: CInt

    struct CannotStart: Error { let code: CInt }

    init(_ path: String, _ arguments: [String], withErrors: Bool) throws {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw CannotStart(code: errno) }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var nothing = sigset_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if withErrors { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
        unsafe sigemptyset(&nothing)
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawnattr_setsigmask(&attributes, &nothing)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, path, &actions, &attributes, &words, environ)
        for index in unsafe words.indices { unsafe free(words[index]) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw CannotStart(code: code)
        }
        self.process = process
        output = ends[0]
    }

    /// The next part of the output; nil at the end.
    func read() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Foundation.read(output, &chunk, chunk.count)
        return count > 0 ? Array(chunk.prefix(count)) : nil
    }

    func wait(output text: String) -> Ending {
        close(output)
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Ending(output: text, status: status >> 8 & 0xff, signal: signal == 0 ? nil : signal)
    }
}
