// SPDX-License-Identifier: Apache-2.0
// users/UID.approved: what a person's own device has approved, and how each of these logins is ended.
package import MPin
package import MPinProof
package import MPinWire
import Octets
import Secrets

package struct Approved: Equatable, Sendable {
    /// 8 octets, the console's.
    package let attempt: [UInt8]
    /// The server that was asked.
    package let backend: [UInt8]
    package let logout: Logout
    /// Who asked; a browser's account may be empty.
    package let host: [UInt8]
    package let account: [UInt8]
    package let service: [UInt8]
    /// `2026-11-21T12:00:00Z`.
    package let time: [UInt8]

    /// nil if a text is none for a file.
    package init?(
        attempt: [UInt8], backend: [UInt8], logout: Logout, seen details: ApprovalDetails, time: [UInt8]
    ) {
        let needed = [backend, logout.url, logout.userID, logout.token]
        let texts = needed + [details.host, details.account, details.service]
        guard attempt.count == 8, !needed.contains([]),
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
        time = try section.text("time")
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
    /// As many as are remembered: the oldest goes first.
    private static var most: Int { 16 }

    private func name(of account: Account) -> [UInt8] { decimal(account.uid) + ascii(".approved") }

    /// What was approved and not ended yet, the oldest first.
    package borrowing func approved(by account: Account) throws(StoreError) -> [Approved] {
        do throws(StoreError.Fault) { return try readApproved(account) } catch {
            throw StoreError(file: path + ascii("/users/") + name(of: account), fault: error)
        }
    }

    /// Remembers one more.
    package borrowing func remember(_ new: Approved, by account: Account) throws(StoreError) {
        try changeApproved(account) {
            ($0.filter { $0.attempt != new.attempt } + [new]).suffix(FileStore.most)
        }
    }

    /// Forgets what has ended.
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
            var draft = try SecretFileWriter()
            try draft.append([
                Entry(key: ascii("mpin-approved"), value: ascii("1")),
                Entry(key: ascii("uid"), value: decimal(account.uid)),
            ])
            for one in left {
                try draft.append(ascii("\n[") + hex(one.attempt) + ascii("]\n"))
                try draft.append(one.entries)
            }
            try draft.replace(name(of: account), in: users)
        }
    }

    private borrowing func readApproved(_ account: Account) throws(StoreError.Fault) -> [Approved] {
        let octets: Secret
        do throws(StoreError.Fault) {
            octets = try users.file(name(of: account), forbidden: 0o077).contents()
        } catch {
            if error == .missing { return [] }
            throw error
        }
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
