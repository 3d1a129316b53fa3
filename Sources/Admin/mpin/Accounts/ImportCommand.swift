// SPDX-License-Identifier: Apache-2.0
// `mpin import`: imports tokens from the files of an app that uses Milagro's SDK core.
import ArgumentParser
import MPinAdmin

struct ImportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import tokens from the two files of a Milagro app.",
        discussion: """
            The tokens keep their PINs; to change a PIN, enrol again. Without USER the tokens become your own,
            for `mpin approve` and `mpin otp`. With USER, as root, the one token becomes that account's on
            this host, which needs `answer = unsealed` in mpin.conf. The app's files stay as they are: delete
            them when you no longer use the app.
            """)

    @Argument(help: "The app's secure storage, with the tokens.") var secure: String
    @Argument(help: "Its other storage, with names and states.") var plain: String
    @Argument(help: "An account of this host.") var user: String?
    @Option(
        help: ArgumentHelp(
            "Only the tokens of this server, at this address: unix:PATH or an https URL.",
            valueName: "address"))
    var backend: String?
    @Option(help: ArgumentHelp("Only the token of this name.", valueName: "id")) var identity: String?
    @Option(
        help: ArgumentHelp(
            "For your own tokens: certificates to trust for the server.", valueName: "file"))
    var caFile: String?
    @Option(
        help: ArgumentHelp(
            "For your own tokens: an https origin that the server may name besides its own. May repeat.",
            valueName: "origin"))
    var alsoOrigin: [String] = []
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard user == nil || caFile == nil && alsoOrigin.isEmpty else {
            throw ValidationError(
                "--ca-file and --also-origin are for your own tokens; for an account, set them in mpin.conf.")
        }
    }

    func act() throws(Failure) -> any Report {
        try TokenImport(
            secure: secure, plain: plain, user: user, backend: backend, identity: identity,
            caFile: caFile.map(absolute), alsoOrigins: alsoOrigin
        ).run(store: store.given)
    }
}
