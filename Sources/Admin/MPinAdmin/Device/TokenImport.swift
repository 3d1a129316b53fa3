// SPDX-License-Identifier: Apache-2.0
// `mpin import`: imports tokens from the files of an app that uses Milagro's SDK core.
import CPlatform
import MPin
import MPinClient
import MPinLogin
import MPinProof
import MPinHostStore
import MPinSystem
import MPinWire

/// The tokens in the two files of an app, and the user who gets them.
package struct TokenImport {
    private let (secure, plain): (String, String)
    /// An account of this host; nil: the tokens go to the user who runs the command.
    private let user: String?
    /// Imports only tokens of this server and of this name; nil: of any.
    private let (backend, identity): (String?, String?)
    private let caFile: [UInt8]?
    private let alsoOrigins: [String]

    /// `secure` is the file with the tokens, `plain` the one with names and states. The other parameters are
    /// nil or empty where the command line does not give them.
    package init(
        secure: String, plain: String, user: String?, backend: String?, identity: String?,
        caFile: [UInt8]?, alsoOrigins: [String]
    ) {
        (self.secure, self.plain, self.user) = (secure, plain, user)
        (self.backend, self.identity) = (backend.map(serverAddress), identity)
        (self.caFile, self.alsoOrigins) = (caFile, alsoOrigins.map(serverAddress))
    }

    /// Imports the tokens into `store`. If `store` is nil: into the account's usual folder where a user is
    /// given, else into that of the caller. Throws if there are no tokens, or they cannot be kept.
    package func run(store: [UInt8]?) throws(Failure) -> ImportReport {
        let all = try users()
        let chosen = all.filter { (identity ?? $0.identity) == $0.identity && isAtServer($0, all) }
        let complete = chosen.filter(\.isRegistered)
        guard !complete.isEmpty else {
            throw Failure(.refused, "These files hold no such registration.")
        }
        let identities = try complete.map { one throws(Failure) in try taken(one) }
        if let user {
            try keep(identities, complete, of: user, store: store)
        } else {
            try keep(identities, complete, store: store)
        }
        return ImportReport(
            imported: identities.map { IdentityReport($0) },
            left: chosen.filter { !$0.isRegistered }.map(\.identity))
    }

    /// All users in the two files. Throws a sentence that says what is wrong with the files.
    private func users() throws(Failure) -> [StoredUser] {
        for file in [secure, plain] {
            guard unsafe access(file, R_OK) == 0 else {
                throw Failure(.settings, "\(shown(file)): \(systemMessage(mpin_errno())).")
            }
        }
        do {
            return try storedUsers(secure: FileStorage(path: secure), plain: FileStorage(path: plain))
        } catch {
            throw Failure(
                .settings,
                "\(shown(secure)) and \(shown(plain)) cannot be read: \(error.message). The file with "
                    + "the tokens comes first.")
        }
    }

    /// Whether a user belongs to the named server. If the files know one server only, it counts as the named
    /// one: the app may have used another address for it.
    private func isAtServer(_ one: StoredUser, _ all: [StoredUser]) -> Bool {
        guard let backend, Set(all.map(\.backend)).count > 1 else { return true }
        return backend == one.backend || key([UInt8](backend.utf8)) == one.backend
    }

    /// The identity as the files of the store hold it.
    private func taken(_ one: StoredUser) throws(Failure) -> Identity {
        let place = backend.map { [UInt8]($0.utf8) } ?? address(one)
        guard let server = Backend(place) else {
            throw Failure(
                .settings, "\(text(place)) is not the address of a server. Name one: --backend ADDRESS.")
        }
        let home = PersonalBackend(
            alsoOrigins: alsoOrigins.map { [UInt8]($0.utf8) }, caFile: caFile, isBound: one.isBound)
        return Identity(
            id: identityHash(one.mpinID), label: try readLabel(one.identity), enrolled: currentTime(),
            pin: PINIdentity(
                mpinID: one.mpinID, epoch: 1, backend: server.address, rule: one.rule, remote: false,
                personal: user == nil ? home : nil))
    }

    private func keep(
        _ identities: [Identity], _ users: [StoredUser], store: [UInt8]?
    ) throws(Failure) {
        let tokens = try PersonalStore.make(store)
        try checkNew(identities, among: tokens.identities())
        for (identity, one) in zip(identities, users) {
            try add(identity, one, to: tokens.store, of: tokens.account, host: [])
        }
    }

    private func keep(
        _ identities: [Identity], _ users: [StoredUser], of user: String, store given: [UInt8]?
    ) throws(Failure) {
        guard identities.count == 1 else {
            throw Failure(
                .refused, "An account takes one token. Choose it with --identity ID or --backend ADDRESS.")
        }
        let account = try findAccount(user)
        guard try ServerChoice(store: given).settings().answer == .unsealed else {
            throw Failure(
                .refused,
                "This host accepts only sealed answers, and a Milagro server seals nothing: \(shown(user)) "
                    + "could not log in with this token. Set 'answer = unsealed' in mpin.conf first.")
        }
        let store = try makeStore(given ?? Settings.standardStore)
        let host = try hostName(store)
        let known = try MPinAdmin.identities(of: account, host: host, in: store)
        try checkNew(identities, among: known)
        if let old = known.first(where: { $0.pin != nil }) {
            throw Failure(
                .refused,
                "\(shown(user)) has a PIN here already. Remove it first: sudo mpin remove \(shown(user)) "
                    + "--identity \(hexText(old.id).prefix(8))")
        }
        try add(identities[0], users[0], to: store, of: account, host: host)
    }

    private func add(
        _ identity: Identity, _ one: StoredUser, to store: borrowing FileStore, of account: Account,
        host: [UInt8]
    ) throws(Failure) {
        guard let token = one.token() else {
            throw Failure(.store, "The token of \(shown(one.identity)) is damaged.")
        }
        try Failure.ofStore(
            store.add(identity, token: token, deviceKey: one.deviceKey(), of: account, host: host))
    }

    private func checkNew(_ identities: [Identity], among known: [Identity]) throws(Failure) {
        guard let here = identities.first(where: { one in known.contains { $0.id == one.id } }) else {
            return
        }
        throw Failure(
            .refused,
            "\(text(here.label)) (\(hexText(here.id).prefix(8))) is here already. Nothing was changed.")
    }

    /// The server's address. A Milagro app stores it without a scheme; proofs need TLS, so it is https.
    private func address(_ one: StoredUser) -> [UInt8] {
        [UInt8]((one.backend.hasPrefix("unix:") ? "" : "https://").utf8) + [UInt8](one.backend.utf8)
    }

    private func key(_ address: [UInt8]) -> String {
        let words = text(address)
        let rest = words.split(separator: "://", maxSplits: 1).last.map { String($0) } ?? words
        return rest.hasSuffix("/") ? String(rest.dropLast()) : rest
    }
}

/// The imported tokens, and the users that were left out.
package struct ImportReport: Report {
    let imported: [IdentityReport]
    /// Names of the users who are not registered: they have no token.
    let left: [String]

    /// A line for each imported token and each user left out.
    package var lines: [String] {
        imported.map { "Imported \(shown($0.label)) (\($0.id8)) of \(shown($0.backend ?? ""))." }
            + left.map { "\(shown($0)) is not registered and has no token." }
    }
}
