// SPDX-License-Identifier: Apache-2.0
// The keys of mpin.conf that `mpin setup` writes, and reads again in its next run.
import MPinSystem

/// The keys of mpin.conf that `mpin setup` writes.
struct HostSettings: Equatable, Sendable {
    var backend: String
    /// Values of `backend-address`: `NAME ADDRESS` of the backend.
    var addresses: [String] = []
    var caFile: String?
    var phoneAddress: String?
    /// The value of `backup-codes`; nil: it stays as it is.
    var backupCodes: String?
    /// The services, and for each whether users without a PIN here are asked for the Unix password.
    var services: [(name: String, ignoresUnenrolled: Bool)] = []
    /// Services for which the section of another one holds. They get none, and lose one that an earlier
    /// version of setup wrote.
    private(set) var held: Set<String> = []
    /// The services that only users at this host can reach.
    var atHost: Set<String> = []

    /// Whether a service is one of a desktop: there a daemon of root calls PAM, which does not show where the
    /// user is.
    static func isDesktop(_ service: String) -> Bool {
        service.hasPrefix("gdm") || ["lightdm", "sddm", "polkit-1"].contains(service)
    }

    /// The first line of a file that setup makes.
    static let mark = "# Written by mpin setup, which sets single keys and keeps what you add."

    /// Adds or replaces a service.
    mutating func set(_ service: String, ignoresUnenrolled: Bool) {
        services.removeAll { $0.name == service }
        services.append((service, ignoresUnenrolled))
        services.sort { $0.name < $1.name }
    }

    /// Leaves a service to the section of another one, unless the file says more about it, or something else.
    mutating func leave(_ service: String, to other: String, in text: SettingsText?) {
        let ours = [HostSettings.asked, HostSettings.refused]
        let said = (text?.values("unenrolled", in: other) ?? []).map { "unenrolled = \($0)" }
        guard text?.lines(of: service)?.allSatisfy({ (ours + said).contains($0) }) ?? true else { return }
        services.removeAll { $0.name == service }
        held.insert(service)
    }

    /// The text with these settings in it; its other lines stay.
    func written(in text: SettingsText) -> SettingsText {
        var text = text
        for service in held { text.remove(section: service) }
        if !text.values("backend").contains(backend) { text.set("backend", [backend]) }
        text.set("backend-address", addresses, after: "backend")
        if let caFile { text.set("ca-file", [caFile]) }
        if let phoneAddress { text.set("phone-address", [phoneAddress]) }
        if let backupCodes { text.set("backup-codes", [backupCodes], comments: [HostSettings.codes]) }
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

    private static let codes =
        "# These services take backup codes, also without the server."
    private static let asked = "# People without a PIN here are asked for the password."
    private static let refused = "# People without a PIN here are not let in."
    private static let near = "# Only people at this host reach this service."

    static func == (a: HostSettings, b: HostSettings) -> Bool {
        a.backend == b.backend && a.addresses == b.addresses && a.caFile == b.caFile
            && a.phoneAddress == b.phoneAddress && a.backupCodes == b.backupCodes && a.atHost == b.atHost
            && a.held == b.held
            && a.services.elementsEqual(b.services, by: ==)
    }
}

extension HostSettings {
    /// The settings in a file. Of several backends this takes the first. A service counts if its section has
    /// the key `unenrolled`.
    init(_ text: SettingsText) {
        self.init(
            backend: text.values("backend").first ?? "", addresses: text.values("backend-address"),
            caFile: text.values("ca-file").first, phoneAddress: text.values("phone-address").first)
        for service in text.sections {
            if let said = text.values("unenrolled", in: service).first {
                set(service, ignoresUnenrolled: said == "ignore")
            }
            if text.values("remote", in: service).first == "no" { atHost.insert(service) }
        }
    }
}
