// SPDX-License-Identifier: Apache-2.0
// Options that several commands take: the store, the settings, and where the server is.
import ArgumentParser
import CPlatform
import MPinLogin
import MPinProof

struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of tokens, in place of /var/lib/mpin (with --personal, of ~/.local/state/mpin).",
            valueName: "dir"))
    var store: String?

    var path: [UInt8] { store.map(absolute) ?? Settings.standardStore }
}

struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server: unix:PATH, an https URL, or http to a literal loopback address. May repeat.",
            valueName: "address"))
    var backend: [String] = []

    @Option(help: ArgumentHelp("Certificates that may vouch for the server.", valueName: "file"))
    var caFile: String?

    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The program mpin-relay.", valueName: "path"))
    var relay: String?

    /// The settings of mpin.conf with what was given here over them. Whoever names a server needs no
    /// mpin.conf. Those over which a secret would come, for an `enrolment`, are checked for that.
    func settings(_ store: StoreOptions, enrolment: Bool = false) throws(Failure) -> Settings {
        var arguments: [[UInt8]] = backend.map { [UInt8]("backend=\($0)".utf8) }
        func add(_ key: String, _ value: [UInt8]?) {
            if let value { arguments.append([UInt8]("\(key)=".utf8) + value) }
        }
        add("ca-file", caFile.map(absolute))
        add("relay", relay.map(absolute))
        add("store", store.store.map(absolute))
        add("config", config.map(absolute))
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
            guard config == nil, !backend.isEmpty, error.problem == .unreadable(.missing) else { throw error }
            return try Settings(
                text: [], file: Settings.standardFile, arguments: arguments, service: service, remote: false)
        }
    }
}

/// The settings of this host, as mpin.conf has them.
func hostSettings(_ store: StoreOptions) throws(Failure) -> Settings {
    do throws(SettingsError) {
        return try Settings.load(
            arguments: store.store.map { [[UInt8]("store=".utf8) + absolute($0)] } ?? [],
            service: [UInt8]("mpin".utf8), remote: false)
    } catch { throw Failure(error) }
}

/// A path as the store and the settings want it.
func absolute(_ path: String) -> [UInt8] {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return [UInt8](path.utf8) }
    defer { unsafe free(folder) }
    return unsafe [UInt8]("\(String(cString: folder))/\(path)".utf8)
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
