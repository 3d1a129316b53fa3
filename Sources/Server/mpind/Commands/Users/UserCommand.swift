// SPDX-License-Identifier: Apache-2.0
// `mpind user`: identities, their codes and their registrations.
import ArgumentParser
import MPinServer
import MPinWire
import Octets

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Add, list, show, suspend, revoke, remove, unlock and confirm people.",
        subcommands: [
            Add.self, List.self, Show.self, Suspend.self, Resume.self, Revoke.self, Remove.self, Unlock.self,
            Confirm.self,
        ])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let people enrol: prints an activation code for each.",
            discussion: """
                A code is for one enrolment, for a day. Adding a person again gives a new code. Of several
                names all are checked before anybody is added; they give a table, and with --json an object
                with `added`, a list.

                With --qr, it stands in a QR code for a phone, and is good for ten minutes; a phone enrolled
                by it approves logins once a host's administrator has bound it to an account (`mpin enroll
                USER --bind`), or after `mpind user confirm NAME --id ID`.

                Wrong PINs lock for a while. With --block-after, so many in a row block the registration
                until `mpind user unlock NAME`. A client then erases its token, and the person enrols again.
                For a PIN on a host, only wrong PINs count that come from where the person has logged in
                before.
                """)
        @Argument(help: ArgumentHelp("Who, for example alice@example.org.", valueName: "name"))
        var names: [String] = []
        @Option(help: ArgumentHelp("Names, one on each line; - is standard input.", valueName: "file"))
        var file: String?
        @ArgumentParser.Flag(help: "The new enrolment revokes the older ones.") var replace = false
        @Option(
            help: ArgumentHelp("Block the registration after so many wrong PINs, 1 to 100.", valueName: "n"))
        var blockAfter: Int64?
        @ArgumentParser.Flag(help: "Draw a QR code on this terminal, which a phone scans.") var qr = false
        @ArgumentParser.Flag(
            name: .customLong("print"),
            help: "With --qr: print the address in place of the QR code. Anyone who reads it can enrol.")
        var asText = false
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard qr || !asText else { throw ValidationError("--print needs --qr.") }
            guard !names.isEmpty || file != nil else { throw ValidationError("Say who: a name, or --file.") }
            guard !qr || names.count == 1 && file == nil else {
                throw ValidationError("--qr takes one name.")
            }
        }

        func run() throws {
            func request(_ name: String) -> AddUserRequest {
                AddUserRequest(userId: name, replace: replace, byQRCode: qr, blockAfter: blockAfter)
            }
            guard let name = names.first, names.count == 1, file == nil else {
                return try NameList(names, file: file).add(options, request)
            }
            let request = request(name)
            guard qr, !options.json else {
                return try options.call(AdminRoute.users, request, show: showActivationCode)
            }
            let qrCode = EnrolmentQRCode(request: request, options: options)
            try asText ? qrCode.printAddress() : qrCode.draw()
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut a person out, at once and for good.",
            discussion: """
                What is revoked stays revoked; `mpind user add NAME` lets the person enrol again.
                `mpind user suspend NAME` keeps a person out for a while.
                """)
        @OptionGroup var who: Who
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.revokeUser, who.request) { (answer: UserResponse) in
                show("Revoked: \(answer.identities) registration\(answer.identities == 1 ? "" : "s").")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut a person out for good, and forget them.",
            discussion: """
                Does what `mpind user revoke NAME` does, and then removes everything that is known of the
                person, except the audit trail. Who is added under the same name later begins anew.
                """)
        @Argument(help: "Who, for example alice@example.org.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.removeUser, UserRequest(userId: name)) { (answer: UserResponse) in
                show(
                    "Removed: \(name), with \(answer.identities) valid registration"
                        + "\(answer.identities == 1 ? "" : "s").")
            }
        }
    }

    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End locks and blocks after wrong PINs, and the pause after \"This was not me\".",
            discussion: """
                The exit status is 1 if the person is neither locked nor blocked. A revoked person must enrol
                again.
                """)
        @OptionGroup var who: Who
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.unlockUser, who.request) { (answer: UserResponse) in
                show(
                    answer.wasLocked == false
                        ? "Nothing was locked or blocked. The wrong PINs that were counted are forgotten."
                        : "Unlocked.")
            }
        }
    }

    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Confirm a registration that waits, or a phone that was enrolled by a QR code.",
            discussion: """
                Anybody can register under any name (registration = confirm), and anybody who sees a QR code
                can enrol by it. Ask the person for the id that their own device shows, and confirm that one;
                `mpind user list` shows what waits, from where and since when. A phone that has been bound to
                an account under its name (`mpin enroll USER --phone`) is confirmed already.
                """)
        @Argument(help: "Who, for example alice@example.org.") var name: String
        @Option(help: ArgumentHelp("The id, or its first 8 hex digits or more.", valueName: "hex"))
        var id: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            guard let prefix = octets(id), (4...32).contains(prefix.count) else {
                throw ValidationError("--id takes 8 or more of the hex digits, an even number.")
            }
            let request = UserRequest(userId: name, idPrefix: prefix)
            try options.call(AdminRoute.confirmUser, request) { (_: UserResponse) in
                show("Confirmed: \(name), \(id).")
            }
        }
    }
}

func showActivationCode(_ answer: AddUserResponse) {
    show("Activation code for \(answer.userId): \(answer.activationCode)")
    show("Good for one enrolment, until \(time(answer.expires)).")
}

/// Names a user, or one registration of a user.
struct Who: ParsableArguments {
    @Argument(help: "Who, for example alice@example.org: all registrations of that name.") var name: String?
    @Option(help: ArgumentHelp("One registration by its id, 64 hex digits.", valueName: "hex")) var id:
        String?

    var request: UserRequest {
        get throws {
            if let id {
                guard let id = octets(id).flatMap({ IdentityHash($0) }), name == nil else {
                    throw ValidationError(
                        "--id takes the 64 hex digits that `mpind user show NAME` shows, and no name.")
                }
                return UserRequest(id: id)
            }
            guard let name else { throw ValidationError("Say who: a name, or --id.") }
            return UserRequest(userId: name)
        }
    }
}
