// SPDX-License-Identifier: Apache-2.0
// `mpin backend test`: whether there is an M-Pin server at an address, and what it reports about itself.
import ArgumentParser
import MPinAdmin

struct BackendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend", abstract: "Examine a server.", subcommands: [BackendTestCommand.self])
}

struct BackendTestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Ask a server for its settings and its name.",
        discussion: "Needs no token, sends no data about any user, and changes nothing.")

    @Argument(help: "The server: unix:PATH, an https URL, or http to a literal loopback address.")
    var address: String
    @Option(help: ArgumentHelp("Certificates to trust for the server.", valueName: "file"))
    var caFile: String?
    @Option(
        help: ArgumentHelp(
            "An https origin that the server may name besides its own. May repeat.", valueName: "origin"))
    var alsoOrigin: [String] = []
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try BackendReport(asking: address, alsoOrigins: alsoOrigin, caFile: caFile.map(absolute))
    }
}
