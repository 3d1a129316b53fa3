// SPDX-License-Identifier: Apache-2.0
// The server, settings and store of a command: options of the command line override mpin.conf.
import CPlatform
import MPinLogin
import MPinProof
package import MPinHostStore

/// What the command line says about server, settings and store. Paths are absolute; nil or empty: nothing.
package struct ServerChoice {
    /// Addresses of the server.
    let backends: [String]
    /// The file of certificates that may vouch for the server.
    let caFile: [UInt8]?
    /// A path in place of /etc/mpin/mpin.conf.
    let config: [UInt8]?
    /// The path of the program mpin-relay.
    let relay: [UInt8]?
    /// A path in place of /var/lib/mpin.
    let store: [UInt8]?

    /// A choice by addresses and absolute paths; nil or empty: as mpin.conf has it.
    package init(
        backends: [String] = [], caFile: [UInt8]? = nil, config: [UInt8]? = nil, relay: [UInt8]? = nil,
        store: [UInt8]? = nil
    ) {
        (self.backends, self.caFile, self.config) = (backends.map(serverAddress), caFile, config)
        (self.relay, self.store) = (relay, store)
    }

    /// The settings of mpin.conf, overridden by the options. If the options name a server, mpin.conf may be
    /// missing. For an `enrolment`, throws if the server's address is not safe for a secret.
    package func settings(enrolment: Bool = false) throws(Failure) -> Settings {
        var arguments: [[UInt8]] = backends.map { [UInt8]("backend=\($0)".utf8) }
        for (key, value) in [("ca-file", caFile), ("relay", relay), ("store", store), ("config", config)] {
            if let value { arguments.append([UInt8]("\(key)=".utf8) + value) }
        }
        do throws(SettingsError) {
            let settings = try load(arguments)
            if enrolment { try settings.checkForEnrolment() }
            return settings
        } catch { throw Failure(error) }
    }

    private func load(_ arguments: [[UInt8]]) throws(SettingsError) -> Settings {
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: nil)
        } catch {
            guard config == nil, !backends.isEmpty, error.problem == .unreadable(.missing) else {
                throw error
            }
            return try Settings(
                text: [], file: Settings.standardFile, arguments: arguments, service: nil)
        }
    }
}

/// The module's arguments, with `config=` and `store=` replaced by the options of the command line.
func moduleArguments(_ arguments: [String], config: [UInt8]?, store: [UInt8]?) -> [[UInt8]] {
    var words = arguments.map { [UInt8]($0.utf8) }
    for (key, value) in [("config=", config), ("store=", store)] {
        guard let value else { continue }
        words.removeAll { $0.starts(with: key.utf8) }
        words.append([UInt8](key.utf8) + value)
    }
    return words
}

/// The address of a server as a user types it: a bare name means https.
func serverAddress(_ typed: String) -> String {
    typed.isEmpty || typed.hasPrefix("/") || typed.hasPrefix("unix:") || typed.contains("://")
        ? typed : "https://" + typed
}

/// An absolute path; a relative one is taken from the current folder.
package func absolute(_ path: String) -> [UInt8] {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return [UInt8](path.utf8) }
    defer { unsafe free(folder) }
    return unsafe [UInt8]("\(String(cString: folder))/\(path)".utf8)
}
