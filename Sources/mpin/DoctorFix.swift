// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor --fix` does: owners and modes of our own files, folder and marker of the store.
import CPlatform
import MPinClient
import MPinHost

/// One thing that was mended, or could not be.
struct Mended: Encodable {
    let what: String
    let done: Bool
    let fix: Fix
    private let why: String?

    private enum CodingKeys: CodingKey { case what, done }

    init(_ fix: Fix) {
        self.fix = fix
        what = fix.sentence
        do throws(FixError) {
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
        case .protect(let path, let mode): "\(path) is root's, mode 0\(String(mode, radix: 8))"
        case .makeStore(let path): "the store \(path)"
        case .mark(let path): "the marker of \(path)"
        case .leaveOutOfBackups(let path): "\(path) is left out of backups (chattr +d)"
        }
    }

    fileprivate func apply() throws(FixError) {
        switch self {
        case .protect(let path, let mode):
            try withFile(path) { file in
                fchown(file, geteuid(), gid_t.max) == 0 && fchmod(file, mode_t(mode)) == 0
            }
        case .makeStore(let path), .mark(let path):
            do throws(StoreError) { _ = try FileStore.make(at: [UInt8](path.utf8)) } catch {
                throw FixError(number: mpin_errno())
            }
        case .leaveOutOfBackups(let path): try withFile(path) { mpin_leave_out($0) == 0 }
        }
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
