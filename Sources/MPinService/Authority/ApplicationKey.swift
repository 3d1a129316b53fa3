// SPDX-License-Identifier: Apache-2.0
// The credentials of an application: what an RPS and its D-TAs know, and nobody else.
import MPinWire
package import Secrets

/// Signs what the RPS sends to a D-TA, and checks it there: HMAC-SHA256 over texts put together, as Milagro's
/// programs do it.
package final class ApplicationKey: Sendable {
    /// Public. Of ours, 32 hex digits.
    package let id: String
    /// Its octets as they stand in the file, also where they are hex digits.
    private let key: Secret

    package init(id: String, key: consuming Secret) {
        self.id = id
        self.key = key
    }

    /// 64 hex digits in lower case.
    func signature(_ text: String) throws(OutOfMemory) -> String {
        hexText(try hmac(key: key, [UInt8](text.utf8)))
    }

    /// In constant time.
    func hasSigned(_ text: String, as signature: String) throws(OutOfMemory) -> Bool {
        constantTimeEqual([UInt8](try self.signature(text).utf8), [UInt8](signature.utf8))
    }
}
