// SPDX-License-Identifier: Apache-2.0
// What setup keeps of each stack as a way back, beside the marks in the stack itself.
import CPlatform
import MPinHost

/// The text of one stack from before setup, for the day when the marks in it are gone.
struct StackBackup {
    private let folder: String
    private let path: String

    init(of service: String, in folder: String) { (self.folder, path) = (folder, "\(folder)/\(service)") }

    /// Keeps a text, unless one is kept already: the oldest is the one before setup.
    func keep(_ text: [UInt8]) throws(Failure) {
        if unsafe mkdir(folder, 0o700) != 0, mpin_errno() != EEXIST {
            throw Failure(.store, "\(folder): \(systemMessage(mpin_errno())).")
        }
        guard unsafe access(path, F_OK) != 0 else { return }
        do { try HostFile(new: path, mode: 0o600).replace(with: text) } catch { throw Failure(error) }
    }

    /// The stack is as it was; what was kept of it is needed no longer, if it is the same.
    func forget(now text: [UInt8]) {
        guard let kept = try? HostFile(path), kept.text == text else { return }
        try? kept.remove()
        _ = unsafe rmdir(folder)
    }
}
