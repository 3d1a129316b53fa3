// SPDX-License-Identifier: Apache-2.0
// mpin.conf as `mpin setup` writes it, and reads it again when it is run once more.
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

    /// The first line of a file that setup may write anew.
    package static let mark = "# Written by mpin setup. Without this line, setup leaves the file alone."

    /// nil for a file that is not setup's own, or that says more than setup would.
    package init?(text: [UInt8]) {
        guard text.starts(with: HostSettings.mark.utf8), let sections = try? parse(text) else { return nil }
        self.init(backend: "")
        for section in sections {
            for entry in section.entries {
                let value = String(decoding: entry.value, as: UTF8.self)
                switch (section.name, String(decoding: entry.key, as: UTF8.self)) {
                case (nil, "backend") where backend.isEmpty: backend = value
                case (nil, "backend-address"): addresses.append(value)
                case (nil, "ca-file"): caFile = value
                case (nil, "phone-address"): phoneAddress = value
                case (let name?, "unenrolled"):
                    set(String(decoding: name, as: UTF8.self), ignoresUnenrolled: value == "ignore")
                case (let name?, "remote"): atHost.insert(String(decoding: name, as: UTF8.self))
                default: return nil
                }
            }
        }
        guard !backend.isEmpty, Array(self.text.utf8) == text else { return nil }
    }

    package mutating func set(_ service: String, ignoresUnenrolled: Bool) {
        services.removeAll { $0.name == service }
        services.append((service, ignoresUnenrolled))
        services.sort { $0.name < $1.name }
    }

    /// As mpin.conf(5) has it.
    package var text: String {
        var lines = [HostSettings.mark, "backend = \(backend)"]
        lines += addresses.map { "backend-address = \($0)" }
        if let caFile { lines.append("ca-file = \(caFile)") }
        if let phoneAddress { lines.append("phone-address = \(phoneAddress)") }
        for service in services {
            lines += [
                "", "[\(service.name)]",
                "# Whoever has no PIN here "
                    + (service.ignoresUnenrolled ? "is asked for the password." : "is not let in."),
                "unenrolled = \(service.ignoresUnenrolled ? "ignore" : "deny")",
            ]
            guard atHost.contains(service.name) else { continue }
            lines += ["# Only people at this host reach this service.", "remote = no"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func == (a: HostSettings, b: HostSettings) -> Bool { a.text == b.text }
}
