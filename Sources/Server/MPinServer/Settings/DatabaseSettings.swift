// SPDX-License-Identifier: Apache-2.0
// The settings of mpind.conf that say where the database is.
import Glibc
import MPinWire
import Secrets

/// A database on a PostgreSQL server.
package struct DatabaseSettings: Equatable, Sendable {
    /// `postgresql://...`, as mpind.conf(5) describes it, without a password.
    package private(set) var address: String
    /// The file with the password; nil if there is none, or if systemd gives the password.
    package var passwordFile: String?
    /// Whether statements are prepared once for each connection.
    package var prepares = true

    /// The settings of an authority, which come from its options.
    package init(address: String, passwordFile: String? = nil, prepares: Bool = true) {
        (self.address, self.passwordFile, self.prepares) = (address, passwordFile, prepares)
    }

    /// The rows about a database; without `database` the others are refused.
    mutating func read(_ row: inout RowReader) {
        row.text("database", &address) { $0.hasPrefix("postgresql://") ? $0 : nil }
        let isNamed = !address.isEmpty
        row.text("database-password-file", &passwordFile) { isNamed ? absolutePath($0) : nil }
        row.choice("database-prepare", &prepares, isNamed ? yesOrNo : [])
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
