// SPDX-License-Identifier: Apache-2.0
// What setup keeps of each stack as a way back, beside the marks in the stack itself.
import CPlatform
import MPinHost

/// The texts from before setup, for the day when the marks in a stack are gone.
enum StackBackup {
    static let folder = "/var/lib/mpin/before"

    /// Keeps a text, unless one is kept already: the oldest is the one before setup.
    static func keep(_ text: [UInt8], of service: String) throws(Failure) {
        if unsafe mkdir(folder, 0o700) != 0, mpin_errno() != EEXIST {
            throw Failure(.store, "\(folder): \(systemMessage(mpin_errno())).")
        }
        let path = "\(folder)/\(service)"
        guard unsafe access(path, F_OK) != 0 else { return }
        do { try HostFile(new: path, mode: 0o600).replace(with: text) } catch { throw Failure(error) }
    }

    /// The stack is as it was; what was kept of it is needed no longer, if it is the same.
    static func forget(_ service: String, now text: [UInt8]) {
        guard let kept = try? HostFile("\(folder)/\(service)"), kept.text == text else { return }
        try? kept.remove()
        _ = unsafe rmdir(folder)
    }
}
