// SPDX-License-Identifier: Apache-2.0
// Where a PostgreSQL database is, and how it is reached.
import CPostgres

/// A database of PostgreSQL: its address, its password, and how connections behave.
package struct PostgresPlace: Sendable {
    /// libpq's parameters, with the password and with those that are always the same.
    let parameters: [String: String]
    /// Whether statements are prepared once for each connection. A pooler that gives each transaction another
    /// connection refuses that.
    let prepares: Bool
    /// How many transactions run at the same time.
    let connections: Int
    /// Tests waive it, for a database that may be lost.
    let mustBeDurable: Bool
    /// Gets a sentence for the administrator of a database that is used all the same.
    let warn: @Sendable (String) -> Void

    /// Parameters of the address that change nothing that protects the connection.
    private static let allowed: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "sslrootcert", "sslcert", "sslkey", "sslcrl",
        "requirepeer",
    ]
    /// Parameters that always have the same value. Names are checked even if the address is on this network:
    /// libpq uses TLS for every address but a Unix socket, at whose other end the kernel must see the user
    /// postgres, or the one that `requirepeer` names.
    private static let fixed = [
        "sslmode": "verify-full", "gssencmode": "disable", "target_session_attrs": "read-write",
        "connect_timeout": "3", "tcp_user_timeout": "3000", "client_encoding": "UTF8",
        "application_name": "mpind",
    ]

    /// Reads an address such as `postgresql://USER@HOST/DATABASE` or `postgresql:///DATABASE?host=/run/...`.
    /// Throws the reason for an address that is not allowed here.
    package init(
        _ address: String, password: String? = nil, prepares: Bool = true, connections: Int = 8,
        mustBeDurable: Bool = true, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PostgresFailure) {
        var parameters = try PostgresPlace.read(address)
        for (key, value) in parameters {
            if key == "password" {
                throw .reason("the address contains a password; put it into a file of its own")
            }
            guard PostgresPlace.allowed.contains(key) || PostgresPlace.fixed[key] == value else {
                throw .reason("the address must not set \(key)")
            }
        }
        guard parameters["dbname"] != nil else { throw .reason("the address names no database") }
        guard parameters["host"]?.contains("@") != true else {
            throw .reason("an abstract socket has no owner; name a folder")
        }
        if parameters["sslrootcert"] == nil {
            parameters["sslrootcert"] = "/etc/ssl/certs/ca-certificates.crt"
        }
        if parameters["requirepeer"] == nil { parameters["requirepeer"] = "postgres" }
        parameters["password"] = password
        self.parameters = parameters.merging(PostgresPlace.fixed) { _, fixed in fixed }
        (self.prepares, self.connections) = (prepares, connections)
        self.mustBeDurable = mustBeDurable
        self.warn = warn
    }

    private static func read(_ address: String) throws(PostgresFailure) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard address.hasPrefix("postgresql://"), let options = unsafe PQconninfoParse(address, &message)
        else {
            unsafe PQfreemem(message)
            throw .reason("the address is not like postgresql://USER@HOST/DATABASE")
        }
        defer { unsafe PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                unsafe parameters[String(cString: keyword)] = String(cString: value)
            }
            unsafe next += 1
        }
        return parameters
    }
}
