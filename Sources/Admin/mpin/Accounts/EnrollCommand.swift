// SPDX-License-Identifier: Apache-2.0
// `mpin enroll`: enrols a PIN on this host or a second device for an account, or the user's own device.
import ArgumentParser
import MPinAdmin

struct EnrollCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "enroll", abstract: "Give an account a PIN on this host, or a second device.",
        discussion: """
            On the server, `mpind user add ID` prints the activation code. PIN and code are asked for before
            anything is sent; an older PIN ends only when one login with the new one has succeeded.

            `mpin enroll USER` makes a PIN on this host. Where the server runs on this machine,
            `mpin enroll USER --here` does it without a code. `mpin enroll --personal --identity ID --backend
            ADDRESS` lets this device approve logins elsewhere, with `mpin approve`; it needs no root.

            `mpin enroll USER --phone` enrols a phone and binds it to an account of this host: it draws two
            QR codes for the phone, and asks for the approval code that the phone shows. With --bind, the
            phone is enrolled already. Where the server runs on another machine, `mpind user add ID --qr`
            there shows the activation code for the first QR code.
            """)

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
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    private var enrolment: Enrolment {
        let dialogue = Dialogue(pin: pin.pinFd, code: code.codeFd, showsProgress: !output.json)
        var enrolment = Enrolment(at: server.choice(store), dialogue)
        (enrolment.user, enrolment.name, enrolment.device) = (user, named, device)
        (enrolment.isHere, enrolment.isRemote, enrolment.isPersonal) = (here, remote, personal)
        (enrolment.isPhone, enrolment.isBound, enrolment.isText) = (phone || bind, bind, asText)
        enrolment.alsoOrigins = alsoOrigin
        return enrolment
    }

    func validate() throws {
        if let contradiction = enrolment.contradiction { throw ValidationError(contradiction) }
    }

    func act() throws(Failure) -> any Report { try enrolment.run() }
}
