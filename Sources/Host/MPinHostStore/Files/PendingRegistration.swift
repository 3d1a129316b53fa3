// SPDX-License-Identifier: Apache-2.0
// users/UID.pending: a registration without its secret, so that an interrupted enrolment can be continued.
import MPin
package import MPinProof
import MPinWire
import Octets
import Secrets

extension FileStore {
    private func name(of account: Account) -> [UInt8] { decimal(account.uid) + ascii(".pending") }

    private borrowing func path(ofPending account: Account) -> [UInt8] {
        path + ascii("/users/") + name(of: account)
    }

    /// The registration of an account that can be continued; nil without one. If the account's file has its
    /// token already, the registration is complete and is removed: two tokens of one mpinId would reveal both
    /// PINs.
    package borrowing func pending(
        _ account: Account, host: [UInt8]
    ) throws(StoreError) -> PendingRegistration? {
        if let file = try user(account, host: host) {
            try removePending(account, host: host, among: file.identities.map { $0.id })
        }
        return try readPending(account, host: host)
    }

    private borrowing func readPending(
        _ account: Account, host: [UInt8]
    ) throws(StoreError) -> PendingRegistration? {
        do throws(StoreError.Fault) {
            guard let octets = try users.secret(name(of: account)) else { return nil }
            let sections = try octets.sections(leaving: [])
            do throws(KeyError) {
                return try PendingRegistration(sections, of: account, host: host)
            } catch { throw .key(error) }
        } catch {
            throw StoreError(file: path(ofPending: account), fault: error)
        }
    }

    package borrowing func save(
        _ pending: PendingRegistration, of account: Account, host: [UInt8]
    ) throws(StoreError) {
        try locked(path(ofPending: account)) { () throws(StoreError.Fault) in
            var writer = try SecretFileWriter()
            try writer.append([
                Entry(key: ascii("mpin-pending"), value: ascii("1")),
                Entry(key: ascii("uid"), value: decimal(account.uid)),
                Entry(key: ascii("name"), value: account.name), Entry(key: ascii("host"), value: host),
                Entry(key: ascii("user-id"), value: pending.userID),
                Entry(key: ascii("mpin-id"), value: hex(pending.mpinID)),
                Entry(key: ascii("registration"), value: pending.regOTT),
                Entry(key: ascii("question"), value: hex(pending.a?.octets ?? [])),
                Entry(key: ascii("backend"), value: pending.backend),
            ])
            try writer.replace(name(of: account), in: users)
        }
    }

    /// Removes the pending registration if it belongs to one of these identities.
    borrowing func removePending(
        _ account: Account, host: [UInt8], among ids: [IdentityHash]
    ) throws(StoreError) {
        guard let pending = try readPending(account, host: host) else { return }
        if ids.contains(identityHash(pending.mpinID)) { try removePending(account) }
    }

    package borrowing func removePending(_ account: Account) throws(StoreError) {
        try locked(path(ofPending: account)) { () throws(StoreError.Fault) in
            try users.remove(name(of: account))
        }
    }
}

extension PendingRegistration {
    fileprivate init(_ sections: [Section], of account: Account, host: [UInt8]) throws(KeyError) {
        let head = try sections.head(
            of: "mpin-pending",
            keys: ["uid", "name", "host", "user-id", "mpin-id", "registration", "question", "backend"])
        _ = try head.value("uid") { $0 == decimal(account.uid) ? true : nil }
        _ = try head.value("name") { $0 == account.name ? true : nil }
        _ = try head.value("host") { $0 == host ? true : nil }
        let userID = try head.value("user-id") { $0 }
        let mpinID = try head.value("mpin-id") { text in
            octets(fromHex: text).flatMap { (1...Bound.mpinID).contains($0.count) ? $0 : nil }
        }
        let regOTT = try head.value("registration") { (1...Bound.ticket).contains($0.count) ? $0 : nil }
        let a = try head.value("question") { text -> QuestionHash?? in
            if text.isEmpty { return .some(nil) }
            guard let hash = octets(fromHex: text).flatMap({ QuestionHash($0) }) else { return nil }
            return .some(hash)
        }
        let backend = try head.value("backend") { $0 }
        self.init(userID: userID, mpinID: mpinID, regOTT: regOTT, a: a, backend: backend)
    }
}
