// SPDX-License-Identifier: Apache-2.0
// The settings of mpind.conf that say where the database is.
import Glibc
import MPinWire
import Secrets

/// A database on a PostgreSQL server.
package struct DatabaseSettings: Equatable, Sendable {
    /// `postgresql://...`, as mpind.conf(5) describes it, without a password.
    package let address: String
    /// The file with the password; nil if there is none, or if systemd gives the password.
    package var passwordFile: String?
    /// Whether statements are prepared once for each connection.
    package var prepares = true

    /// The settings of an authority, which come from its options.
    package init(address: String, passwordFile: String? = nil, prepares: Bool = true) {
        (self.address, self.passwordFile, self.prepares) = (address, passwordFile, prepares)
    }

    static let keys: [StaticString] = ["database", "database-password-file", "database-prepare"]

    /// nil if the database is a SQLite file in the data folder.
    init?(_ section: Section) throws(KeyError) {
        guard let entry = try section.one("database") else {
            for key in DatabaseSettings.keys.dropFirst() {
                if let entry = try section.one(key) { throw entry.badValue }
            }
            return nil
        }
        address = try value(entry) { $0.hasPrefix("postgresql://") ? $0 : nil }
        if let entry = try section.one("database-password-file") {
            passwordFile = try value(entry, absolutePath)
        }
        if let entry = try section.one("database-prepare") { prepares = try value(entry, yesOrNo) }
    }

    /// The first line of the password's file, or of systemd's credential `mpind.database`; nil if there is
    /// neither. The client library needs it as text, so it is not on locked pages.
    package func password() throws(SetupError) -> String? {
        let given = unsafe getenv("CREDENTIALS_DIRECTORY").map {
            unsafe String(cString: $0) + "/mpind.database"
        }
        guard let path = passwordFile ?? given, passwordFile != nil || exists(path) else { return nil }
        let contents = try contentsOfFile(path, isCredential: true)
        let octets = contents.withBytes { bytes in
            (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
        let line = String(decoding: octets.prefix { $0 != 0x0a }, as: UTF8.self)
        guard !line.isEmpty, !line.utf8.contains(0) else {
            throw SetupError("\(path) has no password in its first line.")
        }
        return line
    }
}
