// SPDX-License-Identifier: Apache-2.0
// What the login and enrolment machines get from outside: nonces, the time, and the machine's name.
import CPlatform
import MPin
package import MPinProof
package import Octets
import Secrets

/// A nonce for one question: the time and 24 random octets.
package func freshNonce() throws(Reason) -> QuestionNonce {
    guard let random = try? randomOctets(24),
        let nonce = SealedQuestion.nonce(at: unixSeconds(), random: random)
    else { throw .noRandomness }
    return nonce
}

/// Seconds since 1970-01-01 UTC by the system's clock; 0 before that.
func unixSeconds() -> UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0, now.tv_sec > 0 else { return 0 }
    return UInt64(now.tv_sec)
}

/// The machine's host name, empty on error; users/UID has it where there is no host key.
package func machineName() -> [UInt8] {
    var name = [CChar](repeating: 0, count: 256)
    let result = unsafe name.withUnsafeMutableBufferPointer { name in
        unsafe name.baseAddress.map { unsafe gethostname($0, name.count - 1) } ?? -1
    }
    guard result == 0 else { return [] }
    return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
}
