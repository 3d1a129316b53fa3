// SPDX-License-Identifier: Apache-2.0
// `mpin enroll`: a PIN on this host for an account, a second device for one, or this device for oneself.
import ArgumentParser
import MPinLogin
import MPinProof

struct EnrollCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "enroll", abstract: "Give an account a PIN on this host, or a second device.",
        discussion: """
            On the server, `mpind user add ID` prints the activation code. PIN and code are asked for before
            anything is sent; an older PIN ends only when one login with the new one has succeeded.

            `mpin enroll USER --identity ID` makes a PIN on this host. Where the server runs on this machine,
            `mpin enroll USER --here` does it without a code. `mpin enroll --personal --identity ID --backend
            ADDRESS` lets this device approve logins elsewhere, with `mpin approve`; it needs no root.

            `mpin enroll USER --phone` enrols a phone and binds it to an account of this host: it draws two
            pictures for the phone, and asks for the letters that the phone shows. With --bind, the phone is
            enrolled already. Where the server runs on another machine, `mpind user add ID --qr` there shows
            the code for the first picture.
            """)

    @Argument(help: "The account; leave it out with --personal.") var user: String?
    @Option(
        name: .customLong("identity"),
        help: ArgumentHelp(
            "The person's name at the server. Default with --here and --phone: USER@HOST.",
            valueName: "id"))
    var named: String?
    @ArgumentParser.Flag(help: "The server runs on this machine: root takes the activation code from it.")
    var here = false
    @ArgumentParser.Flag(help: "A token of your own, on this device.") var personal = false
    @ArgumentParser.Flag(help: "A phone, or another second device: by two pictures.") var phone = false
    @ArgumentParser.Flag(help: "The phone is enrolled already: the second picture alone.") var bind = false
    @ArgumentParser.Flag(
        name: .customLong("print"),
        help: "With --phone: text in place of pictures. Whoever reads the first address can enrol.")
    var asText = false
    @ArgumentParser.Flag(
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
    @OptionGroup var pin: PINOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    /// Empty where it is yet to be made of account and host.
    var identity: String { named ?? "" }

    func validate() throws {
        guard named != nil || here || isPhone else {
            throw ValidationError(
                "Name the person: --identity ID, or --here if the server runs on this machine.")
        }
        guard !here || !personal && !isPhone && code.codeFd == nil else {
            throw ValidationError("--here is for a PIN on this host, and takes its code from the server.")
        }
        guard (user == nil) == personal, !(personal && isPhone) else {
            throw ValidationError("Name an account, or say --personal.")
        }
        guard !personal || server.backend.count == 1 else {
            throw ValidationError("With --personal, name one server: --backend ADDRESS.")
        }
        guard !remote || (!personal && !isPhone) else {
            throw ValidationError("--remote is for a PIN on this host.")
        }
        guard isPhone || !asText else { throw ValidationError("--print is for --phone and --bind.") }
        guard !bind || code.codeFd == nil else {
            throw ValidationError("With --bind the phone is enrolled already, and needs no code.")
        }
        guard alsoOrigin.isEmpty || personal else {
            throw ValidationError("--also-origin is for --personal.")
        }
    }

    func act() throws(Failure) -> EnrollDone {
        if named != nil { _ = try readLabel(identity) }
        guard let user else { return .personal(try enrolPersonally()) }
        return isPhone ? .phone(try bindPhone(to: user)) : .pin(try enrolHere(user))
    }

    func progress(_ line: String) { if !output.json { say(line) } }
}

enum EnrollDone: Report {
    case pin(EnrollReport)
    case phone(BindReport)
    case personal(PersonalReport)

    private var report: any Report {
        switch self {
        case .pin(let report): report
        case .phone(let report): report
        case .personal(let report): report
        }
    }

    var lines: [String] { report.lines }
    var failures: [Failure] { report.failures }
    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
}
