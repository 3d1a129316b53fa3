// SPDX-License-Identifier: Apache-2.0
// `mpin standing`, which a timer runs: asks the server about every account with backup codes, and
// keeps its sealed answers, by which logins decide about codes while the server gives none.
import CPlatform
import MPin
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// What the server said about the accounts that have backup codes.
package struct StandingReport: Report {
    /// The accounts about which the server answered.
    private(set) var answered: [String] = []
    /// Those of them that are revoked or suspended: their codes let nobody in.
    private(set) var revoked: [String] = []
    /// The accounts about which there is no sealed answer.
    private(set) var unanswered: [String] = []
    /// Whether there is a server to ask: one of Milagro knows nothing about revoked accounts.
    let asks: Bool
    /// Why there are accounts without an answer, and what could not be written.
    package private(set) var failures: [Failure] = []

    enum CodingKeys: CodingKey { case answered, revoked, unanswered }

    /// Asks about every account in the store. Throws if settings or store cannot be read.
    package init(asking server: ServerChoice) throws(Failure) {
        let settings = try server.settings()
        let store = try openStore(settings.store)
        let uids = try Failure.ofStore(store.uids())
        self.init(about: uids, in: store, settings)
    }

    /// Asks about these accounts.
    init(about uids: [UInt32], in store: borrowing FileStore, _ settings: Settings) {
        asks = settings.answer == .sealed
        guard asks else { return }
        for uid in uids {
            do throws(Failure) {
                guard let file = try Failure.ofStore(store.user(uid: uid)),
                    let codes = try codes(of: file, in: store)
                else { continue }
                let name = text(file.name)
                // A fault of one account's files says nothing about the others; a server that fails does.
                guard failures.allSatisfy({ $0.kind == .store }) else {
                    unanswered.append(name)
                    continue
                }
                do throws(Failure) {
                    try keep(codes, of: file, in: store, settings)
                } catch {
                    unanswered.append(name)
                    throw error
                }
            } catch { failures.append(error) }
        }
    }

    /// A sentence on the answers, the accounts that are revoked, and those without an answer.
    package var lines: [String] {
        guard asks else { return ["A Milagro server knows nothing about revoked accounts."] }
        guard !(answered + unanswered).isEmpty else { return ["No account on this host has backup codes."] }
        let accounts = answered.count == 1 ? "1 account" : "\(answered.count) accounts"
        return ["The server answered about \(accounts) with backup codes."]
            + revoked.map { "\(shown($0)) is revoked or suspended: the backup codes let nobody in." }
            + unanswered.map { "There is no answer about \(shown($0))." }
    }

    private mutating func keep(
        _ codes: borrowing HostCodes, of file: borrowing UserFile, in store: borrowing FileStore,
        _ settings: Settings
    ) throws(Failure) {
        let account = Account(uid: file.uid, gid: 0, name: file.name)
        let context = LoginContext(service: settings.service, askedFor: account, realUID: getuid())
        let nonce: QuestionNonce
        do { nonce = try freshNonce() } catch { throw .noRandomness }
        let (asked, tagged): (SealedQuestion, TaggedQuestion)
        do {
            (asked, tagged) = try codes.question(nonce, in: context, life: settings.deadline)
        } catch { throw Failure(error, settings) }
        let response = try TimedRelay.answer(to: .standing(tagged), settings)
        guard let kept = codes.keepable(response, to: asked) else {
            guard response.status == 200 else { throw Failure(response, settings) }
            throw Failure(.seal(.wrongTag), settings)
        }
        if kept.isRevoked {
            revoked.append(text(file.name))
            // A full disk must not keep an older answer.
            try? store.forgetStanding(uid: file.uid)
        }
        try Failure.ofStore(store.keep(kept.standing, uid: file.uid))
        answered.append(text(file.name))
    }
}

/// nil for an account without unused codes.
private func codes(
    of file: borrowing UserFile, in store: borrowing FileStore
) throws(Failure) -> HostCodes? {
    let key = try Failure.ofStore(store.hostKey())
    do throws(Unavailability) { return try HostCodes.find(file, store, hostKey: key) } catch {
        if case .failed(.store(let error)) = error { throw Failure(error) }
        return nil
    }
}
