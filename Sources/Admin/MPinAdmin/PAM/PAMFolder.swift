// SPDX-License-Identifier: Apache-2.0
// The folders in which libpam looks for stacks: for the file of a service in both, for an include in the
// first.
import CPlatform
import MPinSystem
import Octets

/// The PAM stacks of this host, or those below a test's folder.
struct PAMFolder: Sendable {
    static let standard = PAMFolder(below: "")
    /// The administrator's folder.
    let path: String
    /// The folder of packages, for services that have no file in the administrator's.
    let vendor: String

    /// The folders below `root`, which is empty for this machine.
    init(below root: String) {
        path = root + "/etc/pam.d"
        vendor = root + "/usr/lib/pam.d"
    }

    /// The path at which libpam looks for the name in an include.
    func path(of name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }

    /// The name of the file of a service: its own name, or the full path of a package's file.
    func file(of service: String) -> String {
        let packaged = "\(vendor)/\(service)"
        // As libpam, this takes a link to nowhere for no file.
        guard unsafe access(path(of: service), F_OK) != 0, unsafe access(packaged, F_OK) == 0 else {
            return service
        }
        return packaged
    }

    /// Reads a file for `PAMStack` and `PAMFile`. Like libpam, this follows links.
    func read(_ name: String) throws(PAMError) -> [UInt8] {
        do { return try HostFile(path(of: name), followsLink: true).text } catch {
            throw PAMError(error, name)
        }
    }

    /// The stack of a service, with its includes.
    /// - Parameter texts: the texts that some files are to have, by name.
    func stack(_ service: String, with texts: [String: [UInt8]] = [:]) throws(PAMError) -> PAMStack {
        try PAMStack(service: service, file: file) { name throws(PAMError) in
            if let text = texts[name] { text } else { try read(name) }
        }
    }

    /// Whether a service asks M-Pin. One whose stack libpam refuses asks nobody anything.
    func asks(_ service: String) -> Bool { (try? stack(service))?.places().isEmpty == false }

    /// The file of a service, for editing; throws if it is a link, or a package's.
    func file(_ service: String) throws(PAMError) -> (file: HostFile, pam: PAMFile) {
        let name = file(of: service)
        guard name == service else {
            throw PAMError(
                file: name, "a package has written it. Copy it to /etc/pam.d/\(shown(service)) first.")
        }
        let file: HostFile
        do { file = try HostFile(path(of: service)) } catch { throw PAMError(error, service) }
        return (file, try PAMFile(service, text: file.text))
    }
}

extension PAMError {
    init(_ error: HostFileError, _ name: String) {
        switch error.problem {
        case .missing: self = .missing(name)
        case .notAFile:
            self.init(
                file: name, "it is a link, or not a file; put a file there, or edit the target of the link.")
        case .tooLong, .changed, .foreignOwner, .tooOpen, .system: self.init(file: name, error.words)
        }
    }
}
