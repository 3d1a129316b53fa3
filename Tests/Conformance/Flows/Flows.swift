// SPDX-License-Identifier: Apache-2.0
// Every flow of Milagro's SDK core through the library, over HTTP or TLS, with a real mpind: one subcommand
// each.
import ArgumentParser

@main struct Flows: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpin-flows", abstract: "Plays a flow of Milagro's documents at a real server.",
        subcommands: [
            Setup.self, Confirmation.self, Code.self, Order.self, Login.self, Lock.self, Revoke.self,
            Password.self, Authorization.self, Damage.self,
            Block.self, BlockPassword.self, BlockAuthorization.self, BlockSession.self,
            AtConsole.self, ConsoleRefusal.self, Number.self, QRCode.self, Refusal.self, Moved.self,
            Approve.self, Presentation.self, Away.self, Party.self, PartyBrowser.self, PartyData.self,
            PartyStatuses.self,
        ])
}

/// The server of a flow, and how to administer it.
struct FlowServer: ParsableArguments {
    @Option(help: "The server's address.") var backend: String
    @Option(help: "Certificates that vouch for it.") var authorities: String?
    @Option(help: "The program mpind.") var mpind: String?
    @Option(help: "The server's settings.") var config: String?
    @Option(help: "The address of the application whose RPA it has.") var party: String?
    @Option(help: "The socket of its authority.") var authority: String?
    @Option(help: "The app's header X-Of-App.") var app: String?
    @Flag(help: "The server has profile = compat.") var compat = false
}

/// A test that plays calls of the library. It fails if it throws, or if a sentence of its fixture fails.
protocol Flow: ParsableCommand {
    var place: FlowServer { get }
    func play(_ fixture: FlowFixture) throws
}

extension Flow {
    func run() throws {
        let fixture = try FlowFixture(place)
        try play(fixture)
        guard fixture.sentences > 0, fixture.failures == 0 else { throw ExitCode.failure }
    }
}
