// SPDX-License-Identifier: Apache-2.0
// The key that a login host shares with mpind, and the keys derived from it (seal.md, section 2).
import Octets
package import Secrets

/// K_host with its host's name and epoch, and K_ask, K_answer, K_code, derived once.
public struct HostKey: ~Copyable, Sendable {
    package let name: [UInt8]
    package let epoch: UInt32
    /// K_host, 32 octets.
    package let key: Secret
    let askKey: Secret
    let answerKey: Secret
    let codeKey: Secret

    /// The key as host and mpind keep it; `malformed` for a key of other than 32 octets, or a name that is
    /// empty or longer than 255.
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

/// Of the two authorities, the one that a share of a client secret comes from.
package enum ShareIndex: UInt8, Sendable {
    case first = 1
    case second = 2
}

extension HostKey {
    /// Seals a share of a client secret (65 octets) for the host: 81 octets. `a` names the enrolment's
    /// question, `id` the identity's hash.
    package borrowing func seal(
        _ share: borrowing Secret, _ index: ShareIndex, a: [UInt8], id: [UInt8]
    ) throws(SealFailure) -> [UInt8] {
        guard share.count == 65 else { throw .malformed }
        let shareKey = try shareKey(a: a, id: id)
        do {
            return try AESGCM.seal(share, key: shareKey, nonce: nonce(index), associated: id)
        } catch { throw SealFailure(error) }
    }

    /// Opens what `seal` sealed.
    package borrowing func open(
        _ sealed: [UInt8], _ index: ShareIndex, a: [UInt8], id: [UInt8]
    ) throws(SealFailure) -> Secret {
        guard sealed.count == 81 else { throw .malformed }
        let shareKey = try shareKey(a: a, id: id)
        do {
            return try AESGCM.open(sealed, key: shareKey, nonce: nonce(index), associated: id)
        } catch { throw SealFailure(error) }
    }

    /// One key for each question, so that a nonce may be the share's number.
    private borrowing func shareKey(a: [UInt8], id: [UInt8]) throws(SealFailure) -> Secret {
        guard a.count == 32, id.count == 32 else { throw .malformed }
        var writer = SealWriter("mpin key share 1")
        writer.fixed(a)
        return try derived(key, writer.octets)
    }

    private borrowing func nonce(_ index: ShareIndex) -> [UInt8] {
        [UInt8](repeating: 0, count: 11) + [index.rawValue]
    }
}
