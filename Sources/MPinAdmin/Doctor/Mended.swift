// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor --fix` does: modes of our own files, the marker of the store.
import CPlatform
import MPinHost
import MPinLogin
import MPinProof
import MPinStore

/// One thing that was mended, or could not be.
struct Mended: Encodable {
    let what: String
    let done: Bool
    let fix: Fix
    private let why: String?

    private enum CodingKeys: CodingKey { case what, done, why }

    /// - Parameter owners: who may own the folders above.
    init(_ fix: Fix, owners: Set<UInt32>) {
        self.fix = fix
        what = fix.sentence
        do throws(FixError) {
            // Whoever can move what stands there chooses what is changed.
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

/// Whether every folder above is one that nobody else can change, and none a link. Where others may make
/// files, as in /tmp, they cannot move ours.
private func isOurs(above path: String, _ owners: Set<UInt32>) -> Bool {
    let steps = path.split(separator: "/").dropLast()
    return steps.indices.allSatisfy { last in
        let folder = "/" + steps[...last].joined(separator: "/")
        guard let facts = fileFacts(folder), facts.kind == .folder else { return false }
        let isShared = facts.mode & 0o1000 != 0 && facts.uid == 0
        return owners.contains(facts.uid) && (isShared || facts.mode & 0o022 == 0)
    }
}

/// What the system said against it.
private struct FixError: Error { let number: Int32 }

/// Never through a link: what stands at the path is what is changed.
private func withFile(_ path: String, _ body: (CInt) -> Bool) throws(FixError) {
    let file = unsafe mpin_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard file >= 0 else { throw FixError(number: mpin_errno()) }
    defer { close(file) }
    guard body(file) else { throw FixError(number: mpin_errno()) }
}
