// SPDX-License-Identifier: Apache-2.0
// The repairs of `mpin doctor --fix`: modes of our own files, the store's marker, the attribute for backups.
import CPlatform
import MPinHost
import MPinLogin
import MPinProof
import MPinStore

/// One repair, done or failed.
struct Mended: Encodable {
    let what: String
    let done: Bool
    let fix: Fix
    private let why: String?

    private enum CodingKeys: CodingKey { case what, done, why }

    /// Applies the repair.
    /// - Parameter owners: the uids that may own the folders above.
    init(_ fix: Fix, owners: Set<UInt32>) {
        self.fix = fix
        what = fix.sentence
        do throws(FixError) {
            // A user who can rename files in these folders could choose which file is changed.
            if let path = fix.path, !isOurs(above: path, owners) { throw FixError(number: EPERM) }
            try fix.apply()
            (done, why) = (true, nil)
        } catch {
            (done, why) = (false, systemMessage(error.number))
        }
    }

    var sentence: String { done ? "mended:  \(what)" : "not mended: \(what): \(why ?? "")." }
}

extension Fix {
    fileprivate var sentence: String {
        switch self {
        case .protect(let path, let mode): "\(path) has mode 0\(String(mode, radix: 8))"
        case .mark(let path): "the marker of \(path)"
        case .leaveOutOfBackups(let path): "\(path) is left out of backups (chattr +d)"
        }
    }

    fileprivate func apply() throws(FixError) {
        switch self {
        case .protect(let path, let mode):
            try withFile(path) { fchmod($0, mode_t(mode)) == 0 }
        case .mark(let path):
            do throws(StoreError) { _ = try FileStore.make(at: [UInt8](path.utf8)) } catch {
                throw FixError(number: mpin_errno())
            }
        case .leaveOutOfBackups(let path): try withFile(path) { mpin_leave_out($0) == 0 }
        }
    }
}

/// Whether every folder above `path` is a real folder, not a link, in which no other user can rename our
/// files. A sticky folder of root, such as /tmp, counts as safe.
private func isOurs(above path: String, _ owners: Set<UInt32>) -> Bool {
    let steps = path.split(separator: "/").dropLast()
    return steps.indices.allSatisfy { last in
        let folder = "/" + steps[...last].joined(separator: "/")
        guard let facts = fileFacts(folder), facts.kind == .folder else { return false }
        let isShared = facts.mode & 0o1000 != 0 && facts.uid == 0
        return owners.contains(facts.uid) && (isShared || facts.mode & 0o022 == 0)
    }
}

/// The errno of a repair that failed.
private struct FixError: Error { let number: Int32 }

/// Runs `body` on the open file; never follows a link at `path`.
private func withFile(_ path: String, _ body: (CInt) -> Bool) throws(FixError) {
    let file = unsafe mpin_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard file >= 0 else { throw FixError(number: mpin_errno()) }
    defer { close(file) }
    guard body(file) else { throw FixError(number: mpin_errno()) }
}
