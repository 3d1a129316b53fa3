// SPDX-License-Identifier: Apache-2.0
// `mpind app`: the applications that let users in by an authorization code.
import ArgumentParser
import MPinWire

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Add, list and remove applications.",
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register an application: prints its client id.",
            discussion: """
                Codes are sent to these redirect URIs only, compared exactly; the first one is used if a
                request names none.
                """)
        @Argument(help: "The application's name, as users will see it on their phones.") var name: String
        @Option(
            name: .customLong("redirect"),
            help: ArgumentHelp("A redirect URI; may be repeated.", valueName: "uri"))
        var redirects: [String]
        @OptionGroup var options: AdminOptions

        func run() throws {
            let request = AddApplicationRequest(app: name, redirectUris: redirects)
            try options.call(AdminRoute.applications, request) { (answer: ApplicationResponse) in
                show("Client id of \(answer.app): \(answer.clientId)")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End an application, with its sessions and codes, at once.")
        @Argument(help: "The application's name.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            let request = ApplicationRequest(app: name)
            try options.call(AdminRoute.removeApplication, request) { (answer: ApplicationRequest) in
                show("Removed \(answer.app).")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the applications.")
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.applications) { (answer: ApplicationList) in
                for app in answer.apps {
                    show("\(app.app)  client id \(app.clientId)")
                    for uri in app.redirectUris { show("  \(uri)") }
                }
                if answer.apps.isEmpty {
                    show("No application yet; `mpind app add NAME --redirect URI` adds one.")
                }
            }
        }
    }
}
