// SPDX-License-Identifier: Apache-2.0
// The key that a login host shares with mpind, and the keys derived from it (seal.md, section 2).
package import Octets
package import Secrets

/// K_host with its host's name and epoch, and the keys K_ask, K_answer and K_code derived from it.
public struct HostKey: ~Copyable, Sendable {
    /// The host's registered name.
    package let name: [UInt8]
    package let epoch: UInt32
    /// K_host, 32 octets.
    package let key: Secret
    let askKey: Secret
    let answerKey: Secret
    let codeKey: Secret

    /// Takes the key as host and mpind store it; throws `malformed` unless the key has 32 octets and the name
    /// 1 to 255.
    package init(name: [UInt8], epoch: UInt32, key: consuming Secret) throws(SealFailure) {
        guard key.count == 32, (1...SealBound.text).contains(name.count) else { throw .malformed }
        let askKey = try derived(key, ascii("mpin key ask 1"))
        let answerKey = try derived(key, ascii("mpin key answer 1"))
        let codeKey = try derived(key, ascii("mpin key code 1"))
        self.askKey = askKey
        self.answerKey = answerKey
        self.codeKey = codeKey
        self.name = name
        self.epoch = epoch
        self.key = key
    }
}

/// Which of the two authorities a share of a client secret comes from.
package enum ShareIndex: UInt8, Sendable {
    case first = 1
    case second = 2
}

extension HostKey {
    /// Encrypts a share of a client secret (65 octets) for the host: 81 octets (seal.md, section 7). `a` is
    /// the hash A of the enrolment's question, `id` the identity hash.
    package borrowing func seal(
        _ share: borrowing Secret, _ index: ShareIndex, a: QuestionHash, id: IdentityHash
    ) throws(SealFailure) -> [UInt8] {
        guard share.count == 65 else { throw .malformed }
        let shareKey = try shareKey(a: a, id: id)
        do {
            return try AESGCM.seal(share, key: shareKey, nonce: nonce(index), associated: id.octets)
        } catch { throw SealFailure(error) }
    }

    /// Decrypts the result of `seal`. Throws `notAuthentic` if it was not sealed with these arguments.
    package borrowing func open(
        _ sealed: [UInt8], _ index: ShareIndex, a: QuestionHash, id: IdentityHash
    ) throws(SealFailure) -> Secret {
        guard sealed.count == 81 else { throw .malformed }
        let shareKey = try shareKey(a: a, id: id)
        do {
            return try AESGCM.open(sealed, key: shareKey, nonce: nonce(index), associated: id.octets)
        } catch { throw SealFailure(error) }
    }

    /// K_share. Each question has its own key, so the number of the share can serve as the nonce.
    private borrowing func shareKey(a: QuestionHash, id: IdentityHash) throws(SealFailure) -> Secret {
        var writer = SealWriter("mpin key share 1")
        writer.fixed(a)
        return try derived(key, writer.octets)
    }

    private borrowing func nonce(_ index: ShareIndex) -> [UInt8] {
        [UInt8](repeating: 0, count: 11) + [index.rawValue]
    }
}
