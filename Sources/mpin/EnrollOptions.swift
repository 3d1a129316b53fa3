// SPDX-License-Identifier: Apache-2.0
// What `mpin enroll` is told of whom it enrols and how; options that contradict each other are refused.
import ArgumentParser

struct EnrollOptions: ParsableArguments {
    @Argument(help: "The account; leave it out with --personal.") var user: String?
    @Option(
        name: .customLong("identity"),
        help: ArgumentHelp(
            "The person's name at the server. Default with --here and --phone: USER@HOST.",
            valueName: "id"))
    var named: String?
    @Flag(help: "The server runs on this machine: root takes the activation code from it.")
    var here = false
    @Flag(help: "A token of your own, on this device.") var personal = false
    @Flag(help: "A phone, or another second device: by two pictures.") var phone = false
    @Flag(help: "The phone is enrolled already: the second picture alone.") var bind = false
    @Flag(
        name: .customLong("print"),
        help: "With --phone: text in place of pictures. Whoever reads the first address can enrol.")
    var asText = false
    @Flag(
        help: "The PIN is enough over the network (remote-pin = long); it needs ten characters then.")
    var remote = false
    @Option(
        help: ArgumentHelp(
            "The name of this registration in the server's list. Default: this host.", valueName: "name"))
    var device: String?
    @Option(
        help: ArgumentHelp(
            "With --personal: an https origin that the server may name beside its own. May repeat.",
            valueName: "origin"))
    var alsoOrigin: [String] = []

    /// Whether this is about a second device at all.
    var isPhone: Bool { phone || bind }

    /// Refuses what contradicts itself.
    /// - Parameters:
    ///   - servers: how many servers were named.
    ///   - hasCode: whether a descriptor was named for the code.
    func check(servers: Int, hasCode: Bool) throws {
        guard named != nil || here || isPhone else {
            throw ValidationError(
                "Name the person: --identity ID, or --here if the server runs on this machine.")
        }
        guard !here || !personal && !isPhone && !hasCode else {
            throw ValidationError("--here is for a PIN on this host, and takes its code from the server.")
        }
        guard (user == nil) == personal, !(personal && isPhone) else {
            throw ValidationError("Name an account, or say --personal.")
        }
        guard !personal || servers == 1 else {
            throw ValidationError("With --personal, name one server: --backend ADDRESS.")
        }
        guard !remote || (!personal && !isPhone) else {
            throw ValidationError("--remote is for a PIN on this host.")
        }
        guard isPhone || !asText else { throw ValidationError("--print is for --phone and --bind.") }
        guard !bind || !hasCode else {
            throw ValidationError("With --bind the phone is enrolled already, and needs no code.")
        }
        guard alsoOrigin.isEmpty || personal else {
            throw ValidationError("--also-origin is for --personal.")
        }
    }
}
