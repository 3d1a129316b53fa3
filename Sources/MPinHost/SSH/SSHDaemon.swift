// SPDX-License-Identifier: Apache-2.0
// Asks sshd itself which settings a login would have (`sshd -T -C`), and which line of its files decides.
import CPlatform
import Glibc

/// sshd with one of its files, which need not be the installed one.
package struct SSHDaemon: Sendable {
    /// The main file, which includes the others.
    package let file: String

    package init(_ file: String = "/etc/ssh/sshd_config") { self.file = file }

    /// Runs sshd for a test of its settings; nil if there is no sshd. It refuses without this folder, which
    /// ssh.socket makes only for a connection.
    package static func run(_ arguments: [String]) -> ProgramEnd? {
        let program = "/usr/sbin/sshd"
        guard unsafe access(program, X_OK) == 0 else { return nil }
        if geteuid() == 0 { _ = makeOpenFolder("/run/sshd") }
        return ran(program, arguments)
    }

    /// The settings of a login; nil if there is no sshd, or it refuses its settings.
    package func settings(of login: SSHLogin) -> SSHSettings? {
        answer(to: login).map { SSHSettings(printed: $0) }
    }

    /// The `Match` blocks of all files that sshd reads, except setup's own drop-in.
    private var blocks: [SSHMatch] {
        let trace = SSHTrace(answer(to: SSHLogin(), isTraced: true) ?? "", main: file)
        return trace.files.flatMap { SSHMatch.all(in: $0) }
    }

    /// File and line of the first value of each keyword in lower case, outside of all blocks and of setup's
    /// own drop-in.
    package var places: [String: String] {
        let trace = SSHTrace(answer(to: SSHLogin(), isTraced: true) ?? "", main: file)
        let others = trace.general.filter { !SSHMatch.isOwn($0.file) }
        return Dictionary(others.map { ($0.key, "\($0.file):\($0.line)") }) { first, _ in first }
    }

    /// The `Match` blocks with what each changes.
    package var changes: [(block: SSHMatch, changes: [SSHMatch.Change])] {
        blocks.map { ($0, changes(by: $0)) }
    }

    /// What a `Match` block changes for each login that stands for it. sshd is asked about each: an earlier
    /// block may decide. Empty for a block that applies to nobody whom we can name.
    private func changes(by block: SSHMatch) -> [SSHMatch.Change] {
        block.logins.compactMap { login in
            guard let answer = answer(to: login, isTraced: true) else { return nil }
            var decided: [String: SSHTrace.Line] = [:]
            for line in SSHTrace(answer, main: file).ofBlocks where decided[line.key] == nil {
                decided[line.key] = line
            }
            let keys = decided.values.filter { $0.file == block.file && block.lines.contains($0.line) }
            return SSHMatch.Change(settings: SSHSettings(printed: answer), keys: Set(keys.map(\.key)))
        }
    }

    private func answer(to login: SSHLogin, isTraced: Bool = false) -> String? {
        guard let words = login.words,
            let end = SSHDaemon.run((isTraced ? ["-ddd"] : []) + ["-T", "-f", file, "-C", words]),
            end.status == 0
        else { return nil }
        return end.said
    }
}

/// A login about which sshd is asked.
package struct SSHLogin: Equatable, Sendable {
    package var user = "nobody"
    package var host = "localhost"
    package var address = "127.0.0.1"
    package var localAddress = "127.0.0.1"
    package var localPort = "22"
    package var routingDomain = ""

    package init() {}

    package init(of user: String, from address: String = "127.0.0.1") {
        (self.user, self.address) = (user, address)
    }

    /// The value of `-C`; nil if it cannot express this login. sshd fails without a local address and port if
    /// a `Match` block tests one.
    var words: String? {
        let all = [
            ("user", user), ("host", host), ("addr", address), ("laddr", localAddress), ("lport", localPort),
            ("rdomain", routingDomain),
        ]
        guard !all.contains(where: { $0.1.contains(",") }) else { return nil }
        return all.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    }
}

/// What `sshd -T -ddd` tells: the files that it reads, and the line of each setting that applies.
struct SSHTrace {
    /// One line `FILE:LINE setting KEYWORD VALUE`.
    struct Line: Equatable {
        let file: String
        let line: Int
        /// In lower case.
        let key: String
    }
    private(set) var files: [String] = []
    /// The settings outside of all `Match` blocks, in the order in which sshd reads them.
    private(set) var general: [Line] = []
    /// The settings in the blocks that apply, which sshd reads afterwards.
    private(set) var ofBlocks: [Line] = []

    init(_ printed: String, main: String) {
        var isAgain = false
        for line in printed.split(whereSeparator: \.isNewline) {
            if let file = line.dropping("debug2: load_server_config: filename ") {
                if !files.contains(file) { files.append(file) }
            } else if line.hasPrefix("debug2: parse_server_config_depth: config reprocess config ") {
                isAgain = true
            } else if let said = line.dropping("debug3: "), let found = Line(said, main: main) {
                if isAgain { ofBlocks.append(found) } else { general.append(found) }
            }
        }
    }
}

extension SSHTrace.Line {
    fileprivate init?(_ said: String, main: String) {
        let parts = said.split(separator: " setting ", maxSplits: 1)
        guard parts.count == 2, let colon = parts[0].lastIndex(of: ":"),
            let number = Int(parts[0][parts[0].index(after: colon)...])
        else { return nil }
        let place = String(parts[0][..<colon])
        file = place == "reprocess config" ? main : place
        line = number
        key = parts[1].prefix { $0 != " " }.lowercased()
    }
}

extension Substring {
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
