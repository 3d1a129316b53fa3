// SPDX-License-Identifier: Apache-2.0
// The backup codes of an account, and the question to the server whether the account is revoked.
import MPin
import MPinProof
import MPinStore
import MPinWire
import Octets

/// The unused backup codes of an account, their place in the store, and the key for the sealed question
/// whether the account is revoked.
struct HostCodes: ~Copyable {
    let set: BackupCodes
    let place: CodePlace
    /// Hashes of the account's identities, of PINs and of devices.
    private let ids: [IdentityHash]
    /// nil where a Milagro server decides: it cannot be asked this question.
    private let hostKey: HostKey?

    /// Reads the codes of an account. An account without an identity has none: a backup code stands in for a
    /// PIN or a device.
    static func find(
        _ file: borrowing UserFile, _ store: borrowing FileStore, hostKey: consuming HostKey?
    ) throws(Unavailability) -> HostCodes {
        guard !file.identities.isEmpty else { throw .account(.noBackupCodes) }
        let place = CodePlace(store: store.path, uid: file.uid, name: file.name, host: file.host)
        let codes: BackupCodes?
        do throws(StoreError) { codes = try store.codes(at: place) } catch { throw .failed(.store(error)) }
        guard let codes, codes.left > 0 else { throw .account(.noBackupCodes) }
        var ids: [IdentityHash] = []
        for identity in file.identities.prefix(Bound.identities) { ids.append(identity.id) }
        return HostCodes(set: codes, place: place, ids: ids, hostKey: hostKey)
    }

    private init(set: BackupCodes, place: CodePlace, ids: [IdentityHash], hostKey: consuming HostKey?) {
        (self.set, self.place, self.ids) = (set, place, ids)
        self.hostKey = hostKey
    }

    var isSealed: Bool { hostKey != nil }

    /// The question whether the account is revoked, with its tag.
    borrowing func question(
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
    borrowing func standing(_ answer: RelayResponse, to question: SealedQuestion) -> SealedStanding? {
        guard case .standing(let sealed)? = answer.body else { return nil }
        switch hostKey {
        case .none: return nil
        case .some(let key): return key.open(standing: sealed.answer, tag: sealed.tag, to: question.a)
        }
    }
}
