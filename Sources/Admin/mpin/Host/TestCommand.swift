// SPDX-License-Identifier: Apache-2.0
// `mpin test`: one login without PAM, with the module's login machine; shows the time of each step.
import ArgumentParser
import MPinAdmin

struct TestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Log in once without PAM, and show each step with its time.",
        discussion: "The server counts a wrong PIN here like any other.")

    @Argument(help: "The account.") var user: String
    @OptionGroup var pin: PINOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        try testLogin(of: user, at: server.choice(store), Dialogue(pin: pin.pinFd))
    }
}
