// SPDX-License-Identifier: Apache-2.0
// The options of `mpin enroll`: whom it enrols and how.
import ArgumentParser
import MPinAdmin

struct EnrollOptions: ParsableArguments {
    @Argument(help: "The account; leave it out with --personal.") var user: String?
    @Option(
        name: .customLong("identity"),
        help: ArgumentHelp(
            "The user's name at the server. Default: the account, @ and the name of this host.",
            valueName: "id"))
    var named: String?
    @Flag(help: "The server runs on this machine: root takes the activation code from it.")
    var here = false
    @Flag(help: "A token of your own, on this device.") var personal = false
    @Flag(help: "A phone, or another second device: by two QR codes.") var phone = false
    @Flag(help: "The phone is enrolled already: show only the second QR code.") var bind = false
    @Flag(
        name: .customLong("print"),
        help: "With --phone: text in place of QR codes. Anyone who reads the first address can enrol.")
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
            "With --personal: an https origin that the server may name besides its own. May repeat.",
            valueName: "origin"))
    var alsoOrigin: [String] = []

    /// The enrolment at a server that these options describe.
    func enrolment(at server: ServerChoice, _ dialogue: Dialogue) -> Enrolment {
        var enrolment = Enrolment(at: server, dialogue)
        (enrolment.user, enrolment.name, enrolment.device) = (user, named, device)
        (enrolment.isHere, enrolment.isRemote, enrolment.isPersonal) = (here, remote, personal)
        (enrolment.isPhone, enrolment.isBound, enrolment.isText) = (phone || bind, bind, asText)
        enrolment.alsoOrigins = alsoOrigin
        return enrolment
    }
}
