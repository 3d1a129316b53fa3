// SPDX-License-Identifier: Apache-2.0
// `mpind host`: the login hosts that share a key with this server.
import ArgumentParser
import FoundationEssentials
import MPinWire

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Add, list, rotate and remove login hosts.",
        subcommands: [Add.self, List.self, Rotate.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a host join: prints its join code.",
            discussion: "On the host, `mpin host join NAME` asks for the code. It is good once, for a day.")
        @Argument(help: "The host's name, as people will see it on their phones.") var name: String
        @Option(help: ArgumentHelp("Add this person too, as `mpind user add` does.", valueName: "name"))
        var user: String?
        @OptionGroup var options: AdminOptions

        func run() throws {
            let request = HostRequest(host: name)
            guard let user else {
                return try options.call("POST", AdminRoute.hosts, request, show: showCode)
            }
            var added: [HostCodeResponse] = []
            try options.ask("POST", AdminRoute.hosts, request) { added = [$0] }
            if !options.json { added.forEach(showCode) }
            var people: [AddUserResponse] = []
            try options.ask("POST", AdminRoute.users, AddUserRequest(userId: user, replace: false)) {
                people = [$0]
            }
            if options.json {
                let codes = Codes(host: added.first, user: people.first)
                print(String(decoding: try JSONEncoder().encode(codes), as: UTF8.self))
            } else {
                people.forEach(showActivationCode)
            }
            try flushed()
        }

        private struct Codes: Encodable {
            let host: HostCodeResponse?
            let user: AddUserResponse?
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a host a new key: prints a new join code.",
            discussion: """
                The key before goes on for seven days, so that the host can join again in peace. With --leaked
                it ends at once: nobody logs in at the host until it has joined again, and whoever has the
                old key can do nothing with it.
                """)
        @Argument(help: "The host's name.") var name: String
        @ArgumentParser.Flag(help: "Somebody else may have the key: it ends at once.") var leaked = false
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(
                "POST", AdminRoute.rotateHost, HostRequest(host: name, hasLeaked: leaked ? true : nil),
                show: showCode)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End every key of a host, at once.")
        @Argument(help: "The host's name.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call("POST", AdminRoute.removeHost, HostRequest(host: name)) {
                (answer: HostRequest) in
                show("Removed \(answer.host).")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the login hosts.")
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call("GET", AdminRoute.hosts, nothing) { (answer: HostList) in
                for host in answer.hosts { show("\(host.host)  epoch \(host.epoch)") }
                if answer.hosts.isEmpty { show("No host yet; `mpind host add NAME` adds one.") }
            }
        }
    }
}

private func showCode(_ answer: HostCodeResponse) {
    show("Join code for \(answer.host): \(answer.joinCode)")
    show("Good once, until \(time(answer.expires)), for: mpin host join \(answer.host)")
}
