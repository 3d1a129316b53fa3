// SPDX-License-Identifier: Apache-2.0
// `mpind user list` and `show`: users and their registrations, as a table and in full.
import ArgumentParser
import MPinConsole
import MPinWire
import Octets

extension AccountState: ExpressibleByArgument {}

extension UserCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show all users, and the state of each registration.",
            discussion: """
                One line for each registration: its user, the first digits of its id, its state, where it
                logs in, when it last did, and the wrong PINs since then. Times are UTC. A lock holds for the
                sources that caused it; `mpind user show NAME` names them, and the whole id.
                """)
        @Option(
            help: ArgumentHelp(
                "Only registrations in this state; may be given several times.", valueName: "state"))
        var state: [AccountState] = []
        @Option(
            help: ArgumentHelp(
                "Only these people; * stands for any characters, ? for one.", valueName: "pattern"))
        var user: String?
        @Option(
            help: ArgumentHelp(
                "Only people who logged in, registered or were added since: a day, a time or an age (7d).",
                valueName: "time"))
        var since: String?
        @OptionGroup var options: AdminOptions

        func validate() throws {
            if let since, TimeArgument.seconds(ofStart: since) == nil {
                throw ValidationError(TimeArgument.unclearStart(since))
            }
        }

        func run() throws {
            var filter = UserFilter()
            filter.states = Set(state)
            filter.pattern = user
            filter.since = since.flatMap(TimeArgument.seconds(ofStart:))
            let all: UserList = try options.answer(AdminRoute.users)
            let list = all.filtered(by: filter)
            if options.json {
                print(try asciiJSON(list))
            } else {
                show(list, filter)
            }
            try flushed()
        }

        private func show(_ list: UserList, _ filter: UserFilter) {
            let rows = list.rows.filter { filter.takes($0.state) }.map(\.cells)
            guard !rows.isEmpty else {
                return mpind.show(
                    filter == UserFilter()
                        ? "There is no user yet; `mpind user add NAME` adds one." : "No user fits this.")
            }
            let head = ["NAME", "ID", "STATE", "WHERE", "LAST LOGIN", "WRONG PINS"]
            for line in alignedColumns([head] + rows.map { $0.map { presentable($0, limit: .max) } }) {
                mpind.show(line)
            }
            if rows.contains(where: { $0[2] == waitsForConfirmation }) {
                mpind.show("`mpind user confirm NAME --id ID` confirms a registration that waits.")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show all that is known of one person and their registrations.",
            discussion: """
                Device, user data and push identifier are what the client said when it
                registered. The server has not checked them.
                """)
        @Argument(help: "Who, for example alice@example.org.") var name: String
        @OptionGroup var options: AdminOptions

        func run() throws {
            try options.call(AdminRoute.showUser, UserRequest(userId: name)) { (answer: UserDetails) in
                if let user = answer.user {
                    show("\(user.userId), \(user.standing)")
                    for fact in user.facts { show("  \(fact)") }
                    for identity in user.identities {
                        show("  \(identity.id.text)")
                        for fact in identity.facts { show("    \(fact)") }
                    }
                }
                for waiting in answer.waiting { list(waiting) }
            }
        }

        private func list(_ waiting: UserList.Waiting) {
            show("  \(waiting.id.text)")
            show(
                "    waits for `mpind user confirm NAME --id ID`, from \(waiting.source), since "
                    + "\(time(waiting.since))"
            )
            for fact in deviceTexts(waiting.deviceName, waiting.userData) { show("    \(fact)") }
        }
    }
}

private let waitsForConfirmation = "waiting for confirmation"

/// A line of the table.
private struct Row {
    let state: AccountState?
    let cells: [String]
}

extension UserList {
    fileprivate var rows: [Row] { users.flatMap(\.rows) + waiting.map(\.row) }
}

extension UserList.User {
    fileprivate var rows: [Row] {
        var rows = identities.map { identity -> Row in
            let login = identity.lastLogin.map { time($0) } ?? "never"
            let wrong = String(identity.wrongTries?.count ?? 0)
            let id = String(identity.id.text.prefix(8))
            return Row(
                state: identity.state,
                cells: [userId, id, identity.standing(self), identity.place, login, wrong])
        }
        if let codeExpires {
            let waits = "waiting for code until \(time(codeExpires))"
            let standing = codeState == .suspended ? "\(suspensionText), \(waits)" : waits
            rows.append(Row(state: codeState, cells: [userId, "-", standing, "-", "-", "-"]))
        } else if identities.isEmpty {
            rows.append(Row(state: state, cells: [userId, "-", standing, "-", "-", "-"]))
        }
        return rows
    }

    fileprivate var standing: String {
        switch state {
        case .suspended: suspensionText
        case .waiting where identities.isEmpty && codeExpires == nil:
            "code has expired, `mpind user add NAME` makes another"
        case .waiting where codeExpires != nil: "waiting for code"
        case .waiting: waitsForConfirmation
        case .active, .locked, .blocked, .revoked, nil: state?.rawValue ?? "unknown"
        }
    }

    fileprivate var suspensionText: String {
        suspended?.until.map { "suspended until \(time($0))" } ?? "suspended"
    }

    fileprivate var facts: [String] {
        let reason = suspended?.reason.map { ": \($0)" } ?? ""
        let facts: [String?] = [
            added.map { "added \(time($0))" },
            revoked.map { "REVOKED \(time($0))" },
            suspended.map { "SUSPENDED \(time($0.since)), \($0.end)\(reason)" },
            codeExpires.map { "activation code until \(time($0))" },
        ]
        return facts.compactMap(\.self)
    }
}

extension SuspensionMessage {
    var end: String { until.map { "until \(time($0))" } ?? "until `mpind user resume NAME`" }
}

extension UserList.Waiting {
    fileprivate var row: Row {
        let (short, place) = (String(id.text.prefix(8)), deviceName ?? "from \(source)")
        return Row(state: .waiting, cells: [userId, short, waitsForConfirmation, place, "never", "0"])
    }
}

extension UserList.Identity {
    fileprivate var place: String { host.map { "on \($0)" } ?? deviceName ?? "a device" }

    fileprivate func standing(_ user: UserList.User) -> String {
        switch state {
        case .suspended: user.suspensionText
        case .locked:
            lockedUntil.map { "locked until \(time($0))" } ?? "locked until `mpind user unlock NAME`"
        case .waiting: waitsForConfirmation
        case .active, .blocked, .revoked, nil: state?.rawValue ?? "unknown"
        }
    }

    fileprivate var facts: [String] {
        let login = lastLogin.map { "last login \(time($0))" + (lastLoginFrom.map { " from \($0)" } ?? "") }
        let wrong = wrongTries.map { wrong in
            "\(wrong.count) wrong PIN\(wrong.count == 1 ? "" : "s") since the last login, the last "
                + "\(time(wrong.last)) from \(wrong.lastFrom)"
        }
        let rule = blockAfter.map { "\($0) wrong PIN\($0 == 1 ? "" : "s") in a row block it" }
        let since = registered.map { " since \(time($0))" } ?? ""
        let place = host.map { "on \($0)" } ?? "on a device"
        let standing: [String?] = [
            place + since, login ?? "no login yet",
            unconfirmed == true ? "enrolled by a QR code, NOT CONFIRMED" : nil,
            blocked.map { "BLOCKED \(time($0)), until `mpind user unlock NAME`" },
            revoked.map { "REVOKED \(time($0))" },
        ]
        var facts = standing.compactMap(\.self)
        for lock in locks ?? [] {
            let end = lock.until.map { time($0) } ?? "`mpind user unlock NAME`"
            facts.append("LOCKED from \(lock.from), until \(end)")
        }
        if let wrong { facts.append(wrong) }
        if let strangeTries {
            facts.append("\(strangeTries) of 100 wrong PINs from new addresses and accounts in 90 days")
        }
        facts.append(rule ?? "wrong PINs lock it for a while")
        facts += deviceTexts(deviceName, userData)
        if let pushToken { facts.append("push identifier: \(pushToken)") }
        return facts
    }
}

private func deviceTexts(_ deviceName: String?, _ userData: String?) -> [String] {
    [deviceName.map { "device: \($0)" }, userData.map { "user data: \($0)" }].compactMap(\.self)
}
