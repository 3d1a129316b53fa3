// SPDX-License-Identifier: Apache-2.0
// The backup codes of an account, the question to the server whether the account is revoked, and the last
// answer to it.
package import MPin
package import MPinProof
package import MPinHostStore
package import MPinWire
package import Octets

/// The unused backup codes of an account, their place in the store, and the key for the sealed question
/// whether the account is revoked.
package struct HostCodes: ~Copyable {
    let set: BackupCodes
    let place: BackupCodePlace
    /// Hashes of the account's identities, of PINs and of devices.
    private let ids: [IdentityHash]
    /// nil where a Milagro server decides: it cannot be asked this question.
    private let hostKey: HostKey?
    /// nil if there is none, or it cannot be read: then no code is good without the server.
    private let kept: KeptStanding?

    /// Reads the codes of an account. An account without an identity has none: a backup code stands in for a
    /// PIN or a device.
    package static func find(
        _ file: borrowing UserFile, _ store: borrowing FileStore, hostKey: consuming HostKey?
    ) throws(Unavailability) -> HostCodes {
        guard !file.identities.isEmpty else { throw .account(.noBackupCodes) }
        let place = BackupCodePlace(store: store.path, uid: file.uid, name: file.name, host: file.host)
        let codes: BackupCodes?
        do throws(StoreError) { codes = try store.codes(at: place) } catch { throw .failed(.store(error)) }
        guard let codes, codes.left > 0 else { throw .account(.noBackupCodes) }
        var ids: [IdentityHash] = []
        for identity in file.identities.prefix(Bound.identities) { ids.append(identity.id) }
        let kept = try? store.keptStanding(uid: file.uid)
        return HostCodes(set: codes, place: place, ids: ids, hostKey: hostKey, kept: kept)
    }

    private init(
        set: BackupCodes, place: BackupCodePlace, ids: [IdentityHash], hostKey: consuming HostKey?,
        kept: KeptStanding?
    ) {
        (self.set, self.place, self.ids, self.kept) = (set, place, ids, kept)
        self.hostKey = hostKey
    }

    /// Whether there is a server that can be asked about the account.
    package var isSealed: Bool { hostKey != nil }

    /// The question whether the account is revoked, with its tag.
    package borrowing func question(
        _ nonce: QuestionNonce, in context: LoginContext, life: Int
    ) throws(Reason) -> (question: SealedQuestion, tagged: TaggedQuestion) {
        switch hostKey {
        case .none: throw .outOfTurn
        case .some(let key):
            let question = context.at(service: SealedQuestion.standingService).question(
                host: key.name, nonce: nonce, ids: ids, life: life)
            guard let question else { throw .questionTooLong }
            return (question, try key.sealed(question))
        }
    }

    /// What mpind reports about the account; nil for an answer that is not sealed for this question.
    borrowing func standing(_ response: RelayResponse, to question: SealedQuestion) -> SealedStanding? {
        guard case .standing(let sealed)? = response.body else { return nil }
        switch hostKey {
        case .none: return nil
        case .some(let key): return key.open(standing: sealed.answer, tag: sealed.tag, to: question.a)
        }
    }

    /// What to keep of an answer of mpind, and what it says; nil unless it is sealed for this question.
    package borrowing func keepable(
        _ response: RelayResponse, to question: SealedQuestion
    ) -> (standing: KeptStanding, isRevoked: Bool)? {
        guard let standing = standing(response, to: question), case .standing(let sealed)? = response.body
        else {
            return nil
        }
        let kept = KeptStanding(question: question.octets, answer: sealed.answer, tag: sealed.tag)
        return (kept, standing.isRevoked)
    }

    /// What mpind last reported about the account, in place of an answer to `question`; nil if nothing is
    /// kept, or what is kept is older than these days or does not speak about this account: it must be
    /// sealed under the host's present key, and answer a question of this host that listed identities which
    /// the account still has, and no other ones.
    borrowing func kept(for question: SealedQuestion, days: Int) -> OfflineStanding? {
        guard let kept, let asked = SealedQuestion(decoding: kept.question) else { return nil }
        guard asked.service == SealedQuestion.standingService, asked.host == question.host,
            asked.account == question.account, !asked.ids.isEmpty, asked.ids.allSatisfy(ids.contains)
        else { return nil }
        let standing: SealedStanding? =
            switch hostKey {
            case .none: nil
            case .some(let key): key.open(standing: kept.answer, tag: kept.tag, to: asked.a)
            }
        // A clock that was set back by more than clocks differ tells no age.
        let age = Int(clamping: question.seconds) - Int(clamping: asked.seconds)
        guard let standing, age >= -600, days > 0, age <= days * 86_400 else { return nil }
        return OfflineStanding(isRevoked: standing.isRevoked, age: max(0, age))
    }
}

/// What mpind reported about an account.
struct OfflineStanding {
    let isRevoked: Bool
    /// Seconds since this host asked.
    let age: Int
}
