// SPDX-License-Identifier: Apache-2.0
// `mpind host`: the login hosts that share a key with this server.
import ArgumentParser
import MPinServer
import MPinWire

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Add, list, rotate and remove login hosts.",
        subcommands: [Add.self, List.self, Rotate.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a host join: prints its join code.",
            discussion: "On the host, `mpin host join NAME` asks for the code. It is good once, for a day.")
        @Argument(help: "The host's name, as users will see it on their phones.") var name: String
        @Option(help: ArgumentHelp("Add this person too, as `mpind user add NAME` does.", valueName: "name"))
        var user: String?
        @OptionGroup var options: AdminOptions

        func run() throws {
            let request = HostRequest(host: name)
            let setup = "sudo mpin setup --host \(shellWord(name)) \(options.place.backendWords)"
            guard let user else {
                return try options.call(AdminRoute.hosts, request) { showCode($0, setup) }
            }
            let added: HostCodeResponse = try options.answer(AdminRoute.hosts, request)
            if !options.json { showCode(added, setup) }
            let person = Result<AddUserResponse, any Error> {
                try options.answer(AdminRoute.users, AddUserRequest(userId: user, replace: false))
            }
            // Without the user the host is there all the same, and nobody can show its code again.
            if options.json {
                print(try asciiJSON(Codes(host: added, user: try? person.get())))
            } else if case .success(let person) = person {
                showActivationCode(person)
            }
            try flushed()
            _ = try person.get()
        }

        private struct Codes: Encodable {
            let host: HostCodeResponse
            let user: AddUserResponse?
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a host a new key: prints a new join code.",
            discussion: """
                The old key stays valid for seven days, so that the host can join again in time. With --leaked
                it becomes invalid at once, so that a thief cannot use it; users cannot log in at the host
                until it has joined again.
                """)
        @Argument(help: "The host's name.") var name: String
        @ArgumentParser.Flag(help: "The key may have leaked: it becomes invalid at once.") var leaked = false
        @OptionGroup var options: AdminOptions

        func run() throws {
            let request = HostRequest(host: name, hasLeaked: leaked ? true : nil)
            try options.call(AdminRoute.rotateHost, request) { (answer: HostCodeResponse) in
                showCode(answer, "sudo mpin host join \(shellWord(answer.host))")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Invalidate all keys of a host, at once.")
        @Argument(help: "The host's name.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.removeHost, HostRequest(host: name)) { (answer: HostRequest) in
                show("Removed \(answer.host).")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the login hosts.")
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.hosts) { (answer: HostList) in
                for host in answer.hosts { show("\(host.host)  epoch \(host.epoch)") }
                if answer.hosts.isEmpty { show("No host yet; `mpind host add NAME` adds one.") }
            }
        }
    }
}

/// Prints a join code.
/// - Parameter command: the command to run on the host.
private func showCode(_ answer: HostCodeResponse, _ command: String) {
    show("Join code for \(answer.host): \(answer.joinCode)")
    show("Good once, until \(time(answer.expires)). On the host:")
    show("    \(command)")
}

extension SettingsOptions {
    /// The options by which a host reaches this server: its public address, or its Unix socket if it has no
    /// such address.
    fileprivate var backendWords: String {
        guard let settings = try? DaemonSettings(file: config, data: data) else { return "--backend ADDRESS" }
        let isOwn = settings.certificate?.hasPrefix(TLSFolder.usual + "/") == true
        if let url = settings.publicURL {
            return "--backend \(url.origin)" + (isOwn ? " --ca-file ca.pem" : "")
        }
        for case .unix(let path) in settings.listen { return "--backend \(shellWord("unix:\(path)"))" }
        return "--backend ADDRESS"
    }
}
