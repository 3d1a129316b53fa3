// SPDX-License-Identifier: Apache-2.0
// The settings `role` and `rps-credentials`: a server that is only a D-TA, for the RPS of a Milagro server.
import FoundationEssentials
package import MPin
import MPinWire
import Secrets

/// What a server that is only a D-TA needs to know.
package struct AuthorityRole: Equatable, Sendable {
    /// Which share of the master secret this server uses: D-TA 1 has the first.
    package let half: ShareIndex
    /// The path of the RPS's `credentials.json`.
    package let credentials: String

    /// The rows of `role`; nil for a server that has all roles itself.
    static func read(_ row: inout RowReader, _ role: AuthorityRole?) -> AuthorityRole? {
        var half = role?.half
        row.choice("role", &half, [("all", nil), ("dta1", .first), ("dta2", .second)])
        guard let half else { return nil }
        var credentials = role?.credentials
        row.text("rps-credentials", &credentials, absolutePath)
        row.require("rps-credentials", isThere: credentials != nil)
        return AuthorityRole(half: half, credentials: credentials ?? "")
    }

    /// As written in the settings: `dta1` or `dta2`.
    package var name: String { "dta\(half.rawValue)" }
}

extension ApplicationKey {
    private struct Credentials: Decodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let app_id: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let app_key: String
    }

    /// Reads the file that RPS and D-TAs share. It is read once. The JSON decoder leaves copies of the key in
    /// memory; other processes cannot read this process's memory.
    package convenience init(credentials path: String) throws(SetupError) {
        guard exists(path) else {
            throw SetupError("There is no file \(path): copy the credentials.json of the RPS to this path.")
        }
        let octets = try contentsOfFile(path, isCredential: true).withBytes(plainOctets)
        guard let credentials = try? JSONDecoder().decode(Credentials.self, from: Data(octets)) else {
            throw SetupError("\(path) is not JSON with `app_id` and `app_key`.")
        }
        guard !credentials.app_id.isEmpty, credentials.app_key.utf8.count >= 32 else {
            throw SetupError("\(path): `app_id` is empty, or `app_key` is shorter than 32 characters.")
        }
        do {
            let key = [UInt8](credentials.app_key.utf8)
            unsafe self.init(id: credentials.app_id, key: try Secret(copying: key.span.bytes))
        } catch { throw .outOfMemory }
    }
}
