// SPDX-License-Identifier: Apache-2.0
// What `mpin setup` says in mpin.conf, and reads there when it is run once more, whoever wrote the file.
import MPinWire

package struct HostSettings: Equatable, Sendable {
    package var backend: String
    /// `NAME ADDRESS` of the backend.
    package var addresses: [String] = []
    package var caFile: String?
    package var phoneAddress: String?
    /// Of each service: whether somebody who has no PIN here is asked for the Unix password.
    package var services: [(name: String, ignoresUnenrolled: Bool)] = []
    /// The services that only people at this host can reach.
    package var atHost: Set<String> = []

    package init(backend: String, caFile: String? = nil, phoneAddress: String? = nil) {
        self.backend = backend
        self.caFile = caFile
        self.phoneAddress = phoneAddress
    }

    /// Desktop services: a daemon of root's asks there, which by itself shows nothing of where the person is.
    package static func isDesktop(_ service: String) -> Bool {
        service.hasPrefix("gdm") || ["lightdm", "sddm", "polkit-1"].contains(service)
    }

    /// The first line of a file that setup makes.
    package static let mark = "# Written by mpin setup, which sets single keys and keeps what you add."

    /// What a file says; of several backends the first. A service counts where its section says `unenrolled`.
    package init(_ text: SettingsText) {
        self.init(
            backend: text.values("backend").first ?? "", caFile: text.values("ca-file").first,
            phoneAddress: text.values("phone-address").first)
        addresses = text.values("backend-address")
        for service in text.sections {
            if let said = text.values("unenrolled", in: service).first {
                set(service, ignoresUnenrolled: said == "ignore")
            }
            if text.values("remote", in: service).first == "no" { atHost.insert(service) }
        }
    }

    package mutating func set(_ service: String, ignoresUnenrolled: Bool) {
        services.removeAll { $0.name == service }
        services.append((service, ignoresUnenrolled))
        services.sort { $0.name < $1.name }
    }

    /// A file that says all this, and what it said besides.
    package func said(in text: SettingsText) -> SettingsText {
        var text = text
        if !text.values("backend").contains(backend) { text.set("backend", [backend]) }
        text.set("backend-address", addresses, after: "backend")
        if let caFile { text.set("ca-file", [caFile]) }
        if let phoneAddress { text.set("phone-address", [phoneAddress]) }
        for (name, ignores) in services {
            text.set(
                "unenrolled", [ignores ? "ignore" : "deny"], in: name,
                comments: ignores
                    ? [HostSettings.asked, HostSettings.refused]
                    : [HostSettings.refused, HostSettings.asked])
            if atHost.contains(name) {
                text.set("remote", ["no"], in: name, comments: [HostSettings.near])
            } else if text.values("remote", in: name) == ["no"] {
                text.set("remote", [], in: name, comments: [HostSettings.near])
            }
        }
        return text
    }

    private static let asked = "# People without a PIN here are asked for the password."
    private static let refused = "# People without a PIN here are not let in."
    private static let near = "# Only people at this host reach this service."

    package static func == (a: HostSettings, b: HostSettings) -> Bool {
        a.backend == b.backend && a.addresses == b.addresses && a.caFile == b.caFile
            && a.phoneAddress == b.phoneAddress && a.atHost == b.atHost
            && a.services.elementsEqual(b.services, by: ==)
    }
}
