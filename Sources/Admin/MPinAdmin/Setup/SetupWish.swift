// SPDX-License-Identifier: Apache-2.0
// What setup is to do on this host, after all options and questions.
import MPinLogin
import MPinProof
import MPinHostStore

/// What setup is to do.
struct SetupWish {
    struct Person {
        let account: Account
        let identity: String
    }
    let places: HostPlaces
    /// Whether the server runs, or is to run, on this host.
    let isHere: Bool
    /// The keys to write into mpin.conf.
    let settings: HostSettings
    /// The certificates of `--ca-file`.
    let authority: SetupAuthority?
    /// The name of this host.
    let host: String
    /// Whether the host has its key already.
    let hasKey: Bool
    let services: [String]
    /// The siblings of these services that let nobody in, so that setup leaves them alone.
    let closed: [String]
    /// The factor that the options give; nil: as setup left each stack.
    let factor: Factor?
    let people: [Person]
    /// Whether somebody is to have backup codes.
    let wantsCodes: Bool

    /// Whether a user without a PIN is asked for the password.
    func passesUnenrolled(_ service: String) -> Bool {
        let written = settings.services
        let holding = sections(for: service, in: service).first { name in written.contains { $0.name == name }
        }
        return written.contains { $0.name == holding && $0.ignoresUnenrolled }
    }

    /// The settings of a service, or of mpin itself (nil), from a file; nil: from mpin.conf.
    func loaded(
        for service: String?, from file: String? = nil
    ) throws(Failure) -> Settings {
        let file = file ?? places.settings
        do throws(SettingsError) {
            return try Settings.load(
                arguments: [[UInt8]("config=\(file)".utf8)], service: service.map { [UInt8]($0.utf8) })
        } catch { throw Failure(error) }
    }
}
