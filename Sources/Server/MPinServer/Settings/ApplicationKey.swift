// SPDX-License-Identifier: Apache-2.0
// The credentials of an application, which only an RPS and its D-TAs know.
import MPinWire
package import Secrets

/// Signs what the RPS sends to a D-TA, and checks it there: HMAC-SHA256 over concatenated texts, as in
/// Milagro's programs.
package final class ApplicationKey: Sendable {
    /// The application's id, which is public. Ours has 32 hex digits.
    package let id: String
    /// The octets of the key as they stand in the file. Hex digits are not decoded.
    private let key: Secret

    package init(id: String, key: consuming Secret) {
        self.id = id
        self.key = key
    }

    /// The signature of `text`: 64 hex digits in lower case.
    func signature(_ text: String) throws(OutOfMemory) -> String {
        hexText(try hmac(key: key, [UInt8](text.utf8)))
    }

    /// Whether `signature` is the one of `text`; compared in constant time.
    func hasSigned(_ text: String, as signature: String) throws(OutOfMemory) -> Bool {
        constantTimeEqual([UInt8](try self.signature(text).utf8), [UInt8](signature.utf8))
    }
}
