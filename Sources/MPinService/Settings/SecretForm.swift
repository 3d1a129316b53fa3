// SPDX-License-Identifier: Apache-2.0
// The forms of the two secret files: plain, as a credential of systemd, or sealed with a passphrase.
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
    /// The file has the secrets, sealed with a passphrase that is kept elsewhere.
    case passphrase
}

/// The passphrase that opens sealed secrets: the first line of a file.
package final class Passphrase: Sendable {
    package let path: String
    private let octets: Secret

    /// Reads a passphrase, which must have at least 20 octets.
    package init(file path: String) throws(SetupError) {
        let contents = try contentsOfFile(path, isCredential: true)
        do {
            octets = try contents.withBytes { bytes throws(OutOfMemory) in
                var count = 0
                while count < bytes.byteCount,
                    unsafe bytes.unsafeLoad(fromByteOffset: count, as: UInt8.self) != 0x0a
                {
                    count += 1
                }
                return try Secret(copying: bytes.extracting(0..<count))
            }
        } catch { throw .outOfMemory }
        self.path = path
        guard octets.count >= 20 else {
            throw SetupError(
                "\(path) is too short for a passphrase; 'openssl rand -base64 32' makes a good one.")
        }
    }

    /// The key that seals the secrets, stretched by scrypt, 32 octets.
    func key(_ salt: [UInt8]) throws(SetupError) -> Secret {
        do { return try stretch(octets, salt: salt, cost: .standard, count: 32) } catch { throw .outOfMemory }
    }
}

/// What a process needs to open sealed secrets.
package struct SecretOpening: Sendable {
    let passphrase: Passphrase?
    let credentials: String?

    /// - Parameter credentials: the folder of systemd's credentials; nil for that of this process.
    package init(passphrase: Passphrase? = nil, credentials: String? = nil) {
        self.passphrase = passphrase
        self.credentials =
            unsafe credentials ?? getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
    }
}

extension SecretFile {
    /// Opens the file of this kind, in whatever form it is.
    init(_ kind: SecretKind, in folder: String, _ opening: SecretOpening) throws(SetupError) {
        let path = kind.path(in: folder)
        let file = try SecretFile(path, contentsOfFile(path))
        switch try file.form(kind) {
        case .plain: self = file
        case .systemd:
            guard let credentials = opening.credentials else {
                throw SetupError(
                    "\(path) is sealed by systemd, which opens it only for its units: start mpind with"
                        + " systemctl, or unseal it first (mpind unseal).")
            }
            let given = credentials + "/" + kind.credential
            self = try SecretFile(given, contentsOfFile(given, isCredential: true)).checked(kind)
        case .passphrase: self = try SecretFile(path, file.unsealed(kind, opening)).checked(kind)
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

    private func unsealed(_ kind: SecretKind, _ opening: SecretOpening) throws(SetupError) -> Secret {
        try allow(only: [kind.magic, "sealed", "salt", "box"])
        guard let passphrase = opening.passphrase else {
            throw SetupError(
                "\(path) is sealed by a passphrase: set `passphrase-file` in mpind.conf, or use"
                    + " --passphrase-file.")
        }
        guard let salt = fromHex(try text("salt")), let box = fromHex(try text("box")) else {
            throw invalid("box")
        }
        let key = try passphrase.key(salt)
        do throws(SealError) {
            return try AESGCM.open(
                [UInt8](box.dropFirst(12)), key: key, nonce: [UInt8](box.prefix(12)), associated: label(kind))
        } catch {
            throw error == .outOfMemory
                ? .outOfMemory
                : SetupError("\(path) was sealed with another passphrase than the one in \(passphrase.path).")
        }
    }
}

/// The contents of a secret file in its plain form.
package func plainSecrets(
    _ kind: SecretKind, in folder: String, _ opening: SecretOpening
) throws(SetupError) -> Secret {
    try SecretFile(kind, in: folder, opening).takeContents()
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

/// Replaces the file by a form that only this passphrase opens.
package func writeSealed(
    _ secrets: borrowing Secret, _ kind: SecretKind, in folder: String, by passphrase: Passphrase
) throws(SetupError) {
    let nonce: [UInt8]
    let salt: [UInt8]
    let sealed: [UInt8]
    do {
        (nonce, salt) = (try randomOctets(12), try randomOctets(16))
        sealed = try AESGCM.seal(
            secrets, key: passphrase.key(salt), nonce: nonce, associated: label(kind))
    } catch let error as SetupError { throw error } catch { throw .outOfMemory }
    try write(
        "\(kind.magic) = 1\nsealed = passphrase\nsalt = \(hexText(salt))\nbox = \(hexText(nonce + sealed))\n",
        kind: kind, to: folder)
}

/// Replaces the file by one that says that systemd has the secrets.
package func writePointer(_ kind: SecretKind, in folder: String) throws(SetupError) {
    try write("\(kind.magic) = 1\nsealed = systemd\n", kind: kind, to: folder)
}

private func write(_ text: String, kind: SecretKind, to folder: String) throws(SetupError) {
    let octets = [UInt8](text.utf8)
    let pages: Secret
    do { pages = try unsafe Secret(copying: octets.span.bytes) } catch { throw .outOfMemory }
    try writePlain(pages, kind, in: folder)
}

private func fromHex(_ text: String) -> [UInt8]? { octets(text) }

private func label(_ kind: SecretKind) -> [UInt8] { [UInt8]("\(kind.magic) sealed 1".utf8) }
