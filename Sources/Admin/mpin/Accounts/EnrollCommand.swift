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

    @OptionGroup var options: EnrollOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    private var enrolment: Enrolment {
        options.enrolment(
            at: server.choice(store),
            Dialogue(pin: pin.pinFd, code: code.codeFd, showsProgress: !output.json))
    }

    func validate() throws {
        if let contradiction = enrolment.contradiction { throw ValidationError(contradiction) }
    }

    func act() throws(Failure) -> EnrollDone { try enrolment.run() }
}
