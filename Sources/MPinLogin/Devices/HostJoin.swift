// SPDX-License-Identifier: Apache-2.0
// How a host gets its key: a code that an administrator hands over opens what mpind sends.
package import MPin
package import MPinWire
package import Secrets

package struct HostJoin: ~Copyable {
    private let host: [UInt8]
    private let code: OneTimeCode

    /// `malformed` for what is no join code, or a name that is empty or longer than 255 octets.
    package init(host: [UInt8], typed: borrowing Secret) throws(SealFailure) {
        guard (1...SealBound.text).contains(host.count) else { throw .malformed }
        code = try OneTimeCode(typed: typed)
        self.host = host
    }

    /// Names the code without showing it.
    package borrowing func question() throws(SealFailure) -> RelayRequest {
        .join(RelayJoinRequest(host: host, joinID: try code.joinID()))
    }

    /// The key, for the store; `notAuthentic` if the code does not open it.
    package borrowing func key(from answer: RelayJoinResponse) throws(SealFailure) -> HostKey {
        let joinKey = try code.joinKey(host: host)
        return try HostKey(name: host, epoch: answer.epoch, sealedKey: answer.sealedKey, joinKey: joinKey)
    }
}
