// SPDX-License-Identifier: Apache-2.0
// `mpin authcode`: gets an authorization code, with which the user logs in to an application.
import ArgumentParser
import MPinAdmin

struct AuthcodeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "authcode", abstract: "Get an authorization code for an application.",
        discussion: """
            AUTHORIZE-URL comes from the application's own server (/authzurl). Shows which application asks,
            asks for your PIN, and prints the code, which that server exchanges (/authtoken). It is valid
            once and for a short time.
            """)

    @Argument(help: "The authorize URL.") var url: String
    @Option(help: ArgumentHelp("The client id that the URL must be for.", valueName: "client-id")) var app:
        String
    @OptionGroup var token: TokenOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try token.choice.authorise(url, of: app, Dialogue(pin: pin.pinFd))
    }
}
