// SPDX-License-Identifier: Apache-2.0
// users/UID.approved: the logins that a user's own device has approved, and how each one is ended.
package import MPin
package import MPinProof
package import MPinWire
import Octets
import Secrets

/// A login that this device approved.
package struct Approved: Equatable, Sendable {
    /// The attempt id of the login at its console, 8 octets.
    package let attempt: [UInt8]
    /// The address of the server that received the approval.
    package let backend: [UInt8]
    package let logout: Logout
    /// Where the user logged in, and as which account; for a login in a browser the account may be empty.
    package let host: [UInt8]
    package let account: [UInt8]
    package let service: [UInt8]
    /// `2026-11-21T12:00:00Z`.
    package let time: [UInt8]

    /// nil if the attempt does not have 8 octets, the time has another form, or a text cannot be written to
    /// the file.
    package init?(
        attempt: [UInt8], backend: [UInt8], logout: Logout, seen details: ApprovalDetails, time: [UInt8]
    ) {
        let needed = [backend, logout.url, logout.userID, logout.token]
        let texts = needed + [details.host, details.account, details.service]
        guard attempt.count == 8, isTime(time), !needed.contains([]),
            texts.allSatisfy({
                $0.count <= 512 && $0.first != 0x20 && $0.last != 0x20 && isPlainText($0)
            })
        else { return nil }
        self.attempt = attempt
        self.backend = backend
        self.logout = logout
        (host, account, service) = (details.host, details.account, details.service)
        self.time = time
    }

    fileprivate init(_ section: Section) throws(KeyError) {
        try section.allow(only: [
            "backend", "logout", "user", "session", "host", "account", "service", "time",
        ])
        guard let name = section.name, let attempt = octets(fromHex: name), attempt.count == 8 else {
            throw KeyError(line: section.line, key: section.name ?? [], problem: .badValue)
        }
        self.attempt = attempt
        backend = try section.text("backend")
        logout = Logout(
            url: try section.text("logout"), userID: try section.text("user"),
            token: try section.text("session"))
        host = try section.value("host") { $0 }
        account = try section.value("account") { $0 }
        service = try section.value("service") { $0 }
        time = try section.value("time") { isTime($0) ? $0 : nil }
    }

    fileprivate var entries: [Entry] {
        [
            Entry(key: ascii("backend"), value: backend), Entry(key: ascii("logout"), value: logout.url),
            Entry(key: ascii("user"), value: logout.userID),
            Entry(key: ascii("session"), value: logout.token),
            Entry(key: ascii("host"), value: host), Entry(key: ascii("account"), value: account),
            Entry(key: ascii("service"), value: service), Entry(key: ascii("time"), value: time),
        ]
    }
}

extension FileStore {
    /// How many logins the file holds; when it is full, the oldest one is dropped.
    private static var most: Int { 16 }

    private func name(of account: Account) -> [UInt8] { decimal(account.uid) + ascii(".approved") }

    /// The logins that were approved and have not ended, the oldest first.
    package borrowing func approved(by account: Account) throws(StoreError) -> [Approved] {
        do throws(StoreError.Fault) { return try readApproved(account) } catch {
            throw StoreError(file: path + ascii("/users/") + name(of: account), fault: error)
        }
    }

    /// Adds a login, or replaces the one with the same attempt id.
    package borrowing func remember(_ new: Approved, by account: Account) throws(StoreError) {
        try changeApproved(account) {
            ($0.filter { $0.attempt != new.attempt } + [new]).suffix(FileStore.most)
        }
    }

    /// Removes the logins with these attempt ids.
    package borrowing func forget(_ attempts: [[UInt8]], by account: Account) throws(StoreError) {
        try changeApproved(account) { $0.filter { !attempts.contains($0.attempt) }[...] }
    }

    private borrowing func changeApproved(
        _ account: Account, _ change: ([Approved]) -> ArraySlice<Approved>
    ) throws(StoreError) {
        try locked(path + ascii("/users/") + name(of: account)) { () throws(StoreError.Fault) in
            let left = change(try readApproved(account))
            guard !left.isEmpty else {
                _ = try users.remove(name(of: account))
                return
            }
            var writer = try SecretFileWriter()
            try writer.append([
                Entry(key: ascii("mpin-approved"), value: ascii("1")),
                Entry(key: ascii("uid"), value: decimal(account.uid)),
            ])
            for one in left {
                try writer.append(ascii("\n[") + hex(one.attempt) + ascii("]\n"))
                try writer.append(one.entries)
            }
            try writer.replace(name(of: account), in: users)
        }
    }

    private borrowing func readApproved(_ account: Account) throws(StoreError.Fault) -> [Approved] {
        guard let octets = try users.secret(name(of: account)) else { return [] }
        let sections = try octets.sections(leaving: [])
        do throws(KeyError) {
            let head = sections.first ?? Section(name: nil, entries: [])
            try head.allow(only: ["mpin-approved", "uid"])
            _ = try head.value("mpin-approved") { wholeNumber($0, in: 1...1) }
            _ = try head.value("uid") { $0 == decimal(account.uid) ? true : nil }
            var approved: [Approved] = []
            for section in sections.dropFirst() { approved.append(try Approved(section)) }
            return approved
        } catch { throw .key(error) }
    }
}
