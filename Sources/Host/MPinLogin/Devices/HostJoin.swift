// SPDX-License-Identifier: Apache-2.0
// How a host gets its key: a join code from an administrator opens the sealed key that mpind sends.
package import MPin
package import MPinWire
package import Secrets

package struct HostJoin: ~Copyable {
    private let host: [UInt8]
    private let code: OneTimeCode

    /// Throws `malformed` for an invalid join code, and for a name that is empty or longer than 255 octets.
    package init(host: [UInt8], typed: borrowing Secret) throws(SealFailure) {
        guard (1...SealBound.text).contains(host.count) else { throw .malformed }
        code = try OneTimeCode(typed: typed)
        self.host = host
    }

    /// The request for the key. It has an id of the code, not the code itself.
    package borrowing func question() throws(SealFailure) -> RelayRequest {
        .join(RelayJoinRequest(host: host, joinID: try code.joinID()))
    }

    /// The key, for the store; throws `notAuthentic` if the code does not open it.
    package borrowing func key(from answer: RelayJoinResponse) throws(SealFailure) -> HostKey {
        let joinKey = try code.joinKey(host: host)
        return try HostKey(name: host, epoch: answer.epoch, sealedKey: answer.sealedKey, joinKey: joinKey)
    }
}
