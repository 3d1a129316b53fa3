// SPDX-License-Identifier: Apache-2.0
// What is to be set up on this host, when everything has been said or asked.
import MPinHost
import MPinLogin
import MPinProof
import MPinStore

/// What setup is to do.
struct SetupWish {
    struct Person {
        let account: Account
        let identity: String
    }
    let places: HostPlaces
    /// Whether the server is to be made on this host, or was.
    let isHere: Bool
    /// What mpin.conf is to say.
    let settings: HostSettings
    /// What `--ca-file` names.
    let authority: SetupAuthority?
    /// The name of this host.
    let host: String
    /// Whether it has its key already.
    let hasKey: Bool
    let services: [String]
    /// What was said; nil: as setup left each stack.
    let factor: Factor?
    let people: [Person]

    /// Whether somebody without a PIN goes on with the password.
    func passesUnenrolled(_ service: String) -> Bool {
        settings.services.contains { $0.name == service && $0.ignoresUnenrolled }
    }

    /// The settings of a service, as they stand in a file; nil: mpin.conf.
    func loaded(
        for service: String, from file: String? = nil
    ) throws(Failure) -> Settings {
        let file = file ?? places.settings
        do throws(SettingsError) {
            return try Settings.load(
                arguments: [[UInt8]("config=\(file)".utf8)], service: [UInt8](service.utf8),
                remote: service == "sshd")
        } catch { throw Failure(error) }
    }
}
