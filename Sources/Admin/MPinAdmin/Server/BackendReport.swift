// SPDX-License-Identifier: Apache-2.0
// `mpin backend test`: checks whether there is an M-Pin server at an address, and shows its public settings.
import MPinCurl
import MPinProof
import MPinWire

/// What a server publishes about itself.
package struct BackendReport: Report {
    struct Service: Encodable {
        let name: String
        let url: String
        let online: Bool
    }
    let address: String
    /// Whether time permits are used.
    let permits: Bool
    /// Absent if the server publishes no service details.
    private(set) var service: Service?

    /// The answer of the server at `address`, which may name `alsoOrigins` beside its own origin. `caFile`
    /// has the certificates that may vouch for it; nil: the system's. Throws if the server cannot be reached
    /// or trusted, or is not an M-Pin server.
    package init(asking address: String, alsoOrigins: [String], caFile: [UInt8]?) throws(Failure) {
        let home = PersonalBackend(
            alsoOrigins: alsoOrigins.map { [UInt8](serverAddress($0).utf8) }, caFile: caFile)
        let address = serverAddress(address)
        let settings = try personalSettings([UInt8](address.utf8), home, isSecret: false)
        let (answer, service): (RelayResponse, DeviceResponse)
        do throws(TransportError) {
            var line = try connected(settings)
            answer = try line.exchange(.settings)
            service = try line.exchange(.service)
        } catch { throw Failure(personal: .transport(error), settings) }
        guard case .settings(let usesPermits, _)? = answer.body else { throw Failure(answer, settings) }
        self.address = address
        permits = usesPermits
        if case .service(let name, let url, let isOnline, _)? = service.body {
            self.service = Service(name: text(name), url: text(url), online: isOnline)
        }
    }

    /// A sentence that it is an M-Pin server, and its name if there is one.
    package var lines: [String] {
        let permits = permits ? "with time permits" : "without time permits"
        var lines = ["\(shown(address)) is an M-Pin server, \(permits)."]
        if let service {
            let state = service.online ? "" : ", but not online"
            lines.append("It calls itself \(shown(service.name)) at \(shown(service.url))\(state).")
        }
        return lines
    }
}
