// SPDX-License-Identifier: Apache-2.0
// Options that several commands take: output, secrets, store, server and token.
import ArgumentParser
import MPinAdmin

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object on standard output.")
    var json = false
}

struct PINOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the PIN from this descriptor: one line.", valueName: "n"))
    var pinFd: Int32?
}

struct CodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the code from this descriptor: one line, after the PIN's.", valueName: "n"))
    var codeFd: Int32?
}

struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of tokens, in place of /var/lib/mpin (with --personal: ~/.local/state/mpin).",
            valueName: "dir"))
    var store: String?

    /// The folder that `--store` names, as an absolute path.
    var given: [UInt8]? { store.map(absolute) }
    var path: [UInt8] { given ?? HostPlaces.standard.store }
}

struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server: unix:PATH, an https URL, or http to a literal loopback address. May repeat.",
            valueName: "address"))
    var backend: [String] = []
    @Option(help: ArgumentHelp("Certificates to trust for the server.", valueName: "file"))
    var caFile: String?
    @Option(help: ArgumentHelp("Settings, in place of /etc/mpin/mpin.conf.", valueName: "file"))
    var config: String?
    @Option(help: ArgumentHelp("The program mpin-relay.", valueName: "path"))
    var relay: String?

    func choice(_ store: StoreOptions) -> ServerChoice {
        ServerChoice(
            backends: backend, caFile: caFile.map(absolute), config: config.map(absolute),
            relay: relay.map(absolute), store: store.given)
    }
}

struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Which of your tokens: its name, id, or the first eight digits.", valueName: "id"))
    var identity: String?
    @Option(help: ArgumentHelp("Which of your tokens: the one for this server.", valueName: "address"))
    var backend: String?
    @Option(help: ArgumentHelp("The folder of tokens, in place of ~/.local/state/mpin.", valueName: "dir"))
    var store: String?

    var choice: TokenChoice { TokenChoice(identity: identity, backend: backend, store: store.map(absolute)) }
}
