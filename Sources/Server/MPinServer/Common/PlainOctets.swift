// SPDX-License-Identifier: Apache-2.0
// Secrets as plain octets and as text, for messages and screens that show them.
import Secrets

/// A share as plain octets, because Milagro's protocol sends it unencrypted.
func plainOctets(_ share: borrowing Secret) -> [UInt8] { share.withBytes(plainOctets) }

package func plainOctets(_ bytes: RawSpan) -> [UInt8] {
    (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
}

/// A secret that is shown to a user, as text.
func plainText(_ secret: borrowing Secret) -> String { String(decoding: plainOctets(secret), as: UTF8.self) }

/// A number below a million as six digits, made of 8 random octets.
func sixDigits(_ random: [UInt8]) -> String {
    let digits = String(random.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
}
