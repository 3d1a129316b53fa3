// SPDX-License-Identifier: Apache-2.0
// `role` in mpind.conf: a server that is a D-TA for an RPS of somebody else's, and nothing else.
import FoundationEssentials
package import MPin
import MPinWire
import Secrets

package struct AuthorityRole: Equatable, Sendable {
    /// Which share of the master secret this server speaks for: D-TA 1 has the first.
    package let half: ShareIndex
    /// The RPS's `credentials.json`.
    package let credentials: String

    static let keys: [StaticString] = ["role", "rps-credentials"]

    /// Nil for a server that is everything itself.
    init?(_ section: Section) throws(KeyError) {
        guard let entry = try section.one("role") else { return nil }
        let half = try value(entry) { ["all": 0, "dta1": ShareIndex.first.rawValue, "dta2": 2][$0] }
        guard let half = ShareIndex(rawValue: half) else { return nil }
        self.half = half
        credentials = try value(try section.required("rps-credentials"), absolutePath)
    }

    /// As the settings say it.
    package var name: String { "dta\(half.rawValue)" }
}

extension ApplicationKey {
    private struct Credentials: Decodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let app_id: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let app_key: String
    }

    /// Of the file that RPS and D-TAs share. It is read once; what reading JSON leaves in memory is closed to
    /// other processes, as all of it is.
    package convenience init(credentials path: String) throws(SetupError) {
        guard exists(path) else {
            throw SetupError("There is no file \(path): copy the credentials.json of the RPS to that place.")
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
