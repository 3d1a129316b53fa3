// SPDX-License-Identifier: Apache-2.0
// Which server, settings and store a command works with: what was said of them, over what mpin.conf says.
import CPlatform
import MPinLogin
import MPinProof
package import MPinStore

/// What was said of server, settings and store; paths are absolute, and nil or empty is unsaid.
package struct ServerChoice {
    /// Addresses of the server.
    let backends: [String]
    /// Certificates that may vouch for it.
    let caFile: [UInt8]?
    /// In place of /etc/mpin/mpin.conf.
    let config: [UInt8]?
    /// The program mpin-relay.
    let relay: [UInt8]?
    /// In place of /var/lib/mpin.
    let store: [UInt8]?

    /// A choice by addresses and absolute paths; nil and empty leave it to mpin.conf.
    package init(
        backends: [String] = [], caFile: [UInt8]? = nil, config: [UInt8]? = nil, relay: [UInt8]? = nil,
        store: [UInt8]? = nil
    ) {
        (self.backends, self.caFile, self.config) = (backends, caFile, config)
        (self.relay, self.store) = (relay, store)
    }

    /// The settings of mpin.conf with what was said over them. Whoever names a server needs no mpin.conf.
    /// Those over which a secret would come, for an `enrolment`, are checked for that.
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
        let service = [UInt8]("mpin".utf8)
        do throws(SettingsError) {
            return try Settings.load(arguments: arguments, service: service, remote: false)
        } catch {
            guard config == nil, !backends.isEmpty, error.problem == .unreadable(.missing) else {
                throw error
            }
            return try Settings(
                text: [], file: Settings.standardFile, arguments: arguments, service: service, remote: false)
        }
    }
}

/// The settings of this host, as mpin.conf has them.
func hostSettings(store: [UInt8]?) throws(Failure) -> Settings {
    do throws(SettingsError) {
        return try Settings.load(
            arguments: store.map { [[UInt8]("store=".utf8) + $0] } ?? [], service: [UInt8]("mpin".utf8),
            remote: false)
    } catch { throw Failure(error) }
}

/// The module's arguments, with what an option says in the place of what they say.
func moduleArguments(_ arguments: [String], config: [UInt8]?, store: [UInt8]?) -> [[UInt8]] {
    var words = arguments.map { [UInt8]($0.utf8) }
    for (key, value) in [("config=", config), ("store=", store)] {
        guard let value else { continue }
        words.removeAll { $0.starts(with: key.utf8) }
        words.append([UInt8](key.utf8) + value)
    }
    return words
}

/// A path as the store and the settings want it: from the root, whatever folder this process is in.
package func absolute(_ path: String) -> [UInt8] {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return [UInt8](path.utf8) }
    defer { unsafe free(folder) }
    return unsafe [UInt8]("\(String(cString: folder))/\(path)".utf8)
}
