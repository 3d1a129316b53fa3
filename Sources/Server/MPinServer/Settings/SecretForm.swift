// SPDX-License-Identifier: Apache-2.0
// The forms of the two secret files: plain, or as a credential of systemd.
import Glibc
import MPin
import MPinWire
package import Secrets

/// The two secret files: the server's and the authority's.
package enum SecretKind: String, CaseIterable, Sendable {
    case server
    case authority

    /// The first key of the file.
    var magic: StaticString {
        switch self {
        case .server: "mpin-server"
        case .authority: "mpin-authority"
        }
    }

    /// The name of systemd's credential.
    package var credential: String { "mpind." + rawValue }

    package func path(in folder: String) -> String { folder + "/" + rawValue }
}

/// The value of `sealed`.
package enum SecretForm: String, CaseIterable, Sendable {
    /// The file has the secrets, unsealed.
    case plain = "no"
    /// systemd has the secrets and gives them to the unit at its start; the file only says so.
    case systemd
}

extension SecretFile {
    /// Opens the file of this kind, in whatever form it is.
    /// - Parameter credentials: the folder of systemd's credentials; nil for that of this process.
    init(_ kind: SecretKind, in folder: String, credentials: String?) throws(SetupError) {
        let path = kind.path(in: folder)
        let file = try SecretFile(path, contentsOfFile(path))
        switch try file.form(kind) {
        case .plain: self = file
        case .systemd:
            let own = unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
            guard let credentials = credentials ?? own else {
                throw SetupError(
                    "\(path) is sealed by systemd, which opens it only for its units: start mpind with"
                        + " systemctl, or unseal it first (mpind unseal).")
            }
            let given = credentials + "/" + kind.credential
            self = try SecretFile(given, contentsOfFile(given, isCredential: true)).checked(kind)
        }
    }

    /// The form that the file names.
    func form(_ kind: SecretKind) throws(SetupError) -> SecretForm {
        guard has(kind.magic), try text(kind.magic) == "1" else {
            throw SetupError("\(path) was written by a newer mpind, or is another file.")
        }
        guard let form = SecretForm(rawValue: try text("sealed")) else {
            throw SetupError("\(path) is sealed by a method that this mpind does not know.")
        }
        return form
    }

    private consuming func checked(_ kind: SecretKind) throws(SetupError) -> SecretFile {
        guard try form(kind) == .plain else { throw invalid("sealed") }
        return self
    }
}

/// The contents of a file in its plain form.
package func plainSecrets(_ kind: SecretKind, in folder: String) throws(SetupError) -> Secret {
    try SecretFile(kind, in: folder, credentials: nil).takeContents()
}

/// The form of the secret file of this kind.
package func secretForm(_ kind: SecretKind, in folder: String) throws(SetupError) -> SecretForm {
    let path = kind.path(in: folder)
    return try SecretFile(path, contentsOfFile(path)).form(kind)
}

/// Replaces the file by its plain form.
package func writePlain(
    _ secrets: borrowing Secret, _ kind: SecretKind, in folder: String
) throws(SetupError) {
    try replaceFile(kind.path(in: folder), secrets)
}

/// Replaces the file by one that says that systemd has the secrets.
package func writePointer(_ kind: SecretKind, in folder: String) throws(SetupError) {
    let octets = [UInt8]("\(kind.magic) = 1\nsealed = systemd\n".utf8)
    let pages: Secret
    do { pages = try unsafe Secret(copying: octets.span.bytes) } catch { throw .outOfMemory }
    try writePlain(pages, kind, in: folder)
}
