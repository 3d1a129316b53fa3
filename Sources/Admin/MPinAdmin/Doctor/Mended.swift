// SPDX-License-Identifier: Apache-2.0
// The repairs of `mpin doctor --fix`: modes of our own files, the store's marker, the attribute for backups.
import CPlatform
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem
import Octets

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
        // A user who can rename files in these folders could choose which file is changed.
        let isSafe = fix.path.map { isOurs(above: $0, owners) } ?? true
        let code = isSafe ? fix.apply() : EPERM
        done = code == 0
        why = done ? nil : systemMessage(code)
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

    /// Returns 0, or the system's error number.
    fileprivate func apply() -> CInt {
        switch self {
        case .protect(let path, let mode): return change(path) { fchmod($0, mode_t(mode)) == 0 }
        case .mark(let path):
            do throws(StoreError) { _ = try FileStore.make(at: [UInt8](path.utf8)) } catch {
                if case .system(let code) = error.fault { return code }
                return EPERM
            }
            return 0
        case .leaveOutOfBackups(let path): return change(path) { mpin_leave_out($0) == 0 }
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

/// Runs `body` on the open file or folder; never follows a link at `path`. Returns 0, or the system's error
/// number.
private func change(_ path: String, _ body: (CInt) -> Bool) -> CInt {
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = Descriptor(unsafe mpin_open(path, flags, 0))
    return file.number >= 0 && body(file.number) ? 0 : mpin_errno()
}
