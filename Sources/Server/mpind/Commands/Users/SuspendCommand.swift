// SPDX-License-Identifier: Apache-2.0
// `mpind user suspend` and `resume`: refuse a user's logins for a time.
import ArgumentParser
import MPinWire

extension UserCommand {
    struct Suspend: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep a person out for a while, everywhere and at once.",
            discussion: """
                All logins of that name are refused, whatever is typed: with a PIN, a second device, a
                one-time password, an application's code, and with a backup code where its host can ask. The
                person reads that the login is revoked or suspended. Tokens and PINs stay, and are valid again
                afterwards. An approval that nobody has used yet ends; people who are logged in stay so.

                Without --until and --for it lasts until `mpind user resume NAME`. Suspending a person again
                changes end and reason.
                """)
        @Argument(help: "Who, for example alice@example.org.") var name: String
        @Option(
            help: ArgumentHelp(
                "Until when, in UTC: 2026-11-30T08:00:00Z, or 2026-11-30 for the beginning of that day.",
                valueName: "time"))
        var until: String?
        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("For how long: 30m, 12h or 7d.", valueName: "duration"))
        var span: String?
        @Option(
            help: ArgumentHelp(
                "Why, for `mpind user show NAME` and the audit trail. The person does not see it.",
                valueName: "text"))
        var reason: String?
        @OptionGroup var options: AdminOptions

        func validate() throws {
            guard until == nil || span == nil else {
                throw ValidationError("--until and --for both set the end; give one of them.")
            }
            if let until, TimeArgument.seconds(ofTime: until) == nil {
                throw ValidationError(
                    "--until \(until): say a day (2026-11-30) or a time (2026-11-30T08:00:00Z).")
            }
            if let span, (TimeArgument.seconds(ofSpan: span) ?? 0) < 1 {
                throw ValidationError("--for \(span): say how long, for example 30m, 12h or 7d.")
            }
        }

        func run() throws {
            var request = SuspendRequest(userId: name)
            request.until = until.flatMap(TimeArgument.seconds(ofTime:))
            request.seconds = span.flatMap(TimeArgument.seconds(ofSpan:))
            request.reason = reason
            try options.call(AdminRoute.suspendUser, request) { (answer: SuspensionMessage) in
                show("Suspended: \(name), \(answer.end).")
            }
        }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a suspension, at once.",
            discussion: """
                The exit status is 1 if the person is not suspended. Locks and blocks after wrong PINs
                stay; `mpind user unlock NAME` ends them.
                """)
        @Argument(help: "Who, for example alice@example.org.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.resumeUser, UserRequest(userId: name)) { (_: UserResponse) in
                show("Resumed: \(name).")
            }
        }
    }
}
