// SPDX-License-Identifier: Apache-2.0
// The settings that describe this server to its clients, which are published unchanged.
import MPinWire
import Octets

/// How the server presents itself to clients.
package struct ServiceDescription: Equatable, Sendable {
    var name = "M-Pin"
    /// The logo of the service; empty if there is none.
    var logoURL = ""
    /// The icon that a second device shows with each session; empty if there is none.
    var iconURL = ""
    /// The first component of the RPS's paths in `clientSettings`; `/rps` itself always works too.
    var prefix = "rps"
    /// Whether clients ask their users for a name of the device.
    var asksDeviceName = false
    /// What clients require of new PINs.
    var pins = PINDemand.none
    /// Whether the phone page may keep a PIN that a fingerprint, a face or a security key unlocks.
    var allowsFingerprint = true

    init() {}

    /// The rows about what clients are told.
    mutating func read(_ row: inout RowReader) {
        row.text("service-name", &name, shownName)
        row.text("logo-url", &logoURL, published)
        row.text("icon-url", &iconURL, published)
        row.text("rps-prefix", &prefix, pathPrefix)
        row.choice("set-device-name", &asksDeviceName, yesOrNo)
        var (length, refusesDates) = (pins.length, pins.refusesDates)
        row.number("pin-length", &length, PINDemand.lengths)
        row.choice("pin-kinds", &refusesDates, [("any", false), (PINDemand.noDates, true)])
        pins = PINDemand(length: length, refusesDates: refusesDates)
        row.choice("fingerprint", &allowsFingerprint, yesOrNo)
    }

    /// A path of the RPS as `clientSettings` has it.
    func path(_ route: String) -> String {
        let own = "/" + ServiceDescription.usualPrefix
        guard route == own || route.hasPrefix(own + "/") else { return route }
        return "/" + prefix + route.dropFirst(own.count)
    }

    /// The path in the table of routes, for a path that a client requested.
    func route(_ path: [String]) -> [String] {
        path.first == prefix ? [ServiceDescription.usualPrefix] + path.dropFirst() : path
    }

    fileprivate static let usualPrefix = "rps"
}

private func shownName(_ text: String) -> String? {
    (1...64).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(isPresentable) ? text : nil
}

/// The routes outside of the RPS's prefix.
private let otherRoutes = [
    Route.authenticate, Route.logout, Route.authorizeURL, Route.authorizationCode, Route.authorize,
    Route.service, Route.status, Route.authority,
]

/// One path component that no other path of this server begins with; nil for other text.
private func pathPrefix(_ text: String) -> String? {
    let isOthers =
        text != ServiceDescription.usualPrefix
        && otherRoutes.contains { $0.split(separator: "/").first.map(String.init) == text }
    let isWord = text.utf8.allSatisfy { octet in
        octet == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= octet
    }
    return (1...32).contains(text.utf8.count) && isWord && !isOthers ? text : nil
}
