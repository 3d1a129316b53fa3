// SPDX-License-Identifier: Apache-2.0
// The report of `mpin show`: one account and its identities.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore

/// One account and its identities.
package struct UserReport: Report {
    let user: String
    let uid: UInt32
    let host: String
    let identities: [IdentityReport]
    /// The number of unused backup codes; nil if no set was made.
    let backupCodes: Int?

    init(_ file: borrowing UserFile, backupCodes: Int?) {
        user = String(decoding: file.name, as: UTF8.self)
        uid = file.uid
        host = String(decoding: file.host, as: UTF8.self)
        identities = file.identities.map { IdentityReport($0) }
        self.backupCodes = backupCodes
    }

    /// The account, the host, and each identity in full.
    package var lines: [String] {
        let codes = backupCodes.map { ["  backup codes left: \($0)"] } ?? []
        let head = ["\(shown(user)) (uid \(uid)) on \(shown(host))"]
        return head + codes
            + identities.flatMap { identity in
                ["", "  \(shown(identity.label))"]
                    + identity.details.map { "    " + aligned($0.0, 11) + $0.1 }
            }
    }
}

extension UserReport {
    /// The report of the account `user`, from the store at `store`. Throws if it has no identity on this
    /// host.
    package static func read(_ user: String, from store: [UInt8]) throws(Failure) -> UserReport {
        let store = try openStore(store)
        let account = try findAccount(user)
        let codes = try Failure.ofStore(store.codesLeft(uid: account.uid))
        return try readUser(account.uid, named: user, in: store) { UserReport($0, backupCodes: codes) }
    }
}
