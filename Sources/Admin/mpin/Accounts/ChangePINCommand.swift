// SPDX-License-Identifier: Apache-2.0
// `mpin change-pin`: a new PIN on this host, authorised by a login with the old one.
import ArgumentParser
import MPinAdmin

struct ChangePINCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "change-pin", abstract: "Replace an account's PIN on this host by a new one.",
        discussion: """
            Asks for the old PIN, then twice for the new one, before anything is sent. The old one ends when
            one login with the new one has succeeded. If this is interrupted, one of the two PINs is
            valid; run the command again to finish.
            """)

    @Argument(help: "The account. Default: the one that runs sudo.") var user: String?
    @OptionGroup var pin: PINOptions
    @Option(help: ArgumentHelp("Read the new PIN from this descriptor: one line.", valueName: "n"))
    var newPinFd: Int32?
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> any Report {
        let dialogue = Dialogue(pin: pin.pinFd, newPIN: newPinFd, showsProgress: !output.json)
        return try PINChange(at: server.choice(store), dialogue).run(of: user)
    }
}
