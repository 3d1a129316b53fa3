// SPDX-License-Identifier: Apache-2.0
// Copies of the stacks from before setup. They also say which services setup has switched on, so that doctor
// notices if a rule of setup's disappears.
import CPlatform
import MPinHostChecks

/// The copy of one stack from before setup, in case the marks in the stack are lost.
struct StackBackup {
    private let folder: String
    private let path: String

    init(of service: String, in folder: String) { (self.folder, path) = (folder, "\(folder)/\(service)") }

    /// The services that setup has switched on: those whose files it changed, and those that include them.
    static func services(in folder: String) -> [String] { names(in: folder).filter { !$0.hasPrefix(".") } }

    /// Keeps a text, unless there is a copy already: the oldest one is that from before setup.
    func keep(_ text: [UInt8]) throws(Failure) {
        if unsafe mkdir(folder, 0o700) != 0, mpin_errno() != EEXIST {
            throw Failure(.store, "\(folder): \(systemMessage(mpin_errno())).")
        }
        guard unsafe access(path, F_OK) != 0 else { return }
        try Failure.ofFile(HostFile(new: path, mode: 0o600).replace(with: text))
    }

    /// Removes the copy.
    func forget() {
        _ = unsafe unlink(path)
        _ = unsafe rmdir(folder)
    }
}
