// SPDX-License-Identifier: Apache-2.0
// Fields of messages that hold secrets.
package import Secrets

/// A secret from a field; nil if there is no memory for it.
package func secret(_ octets: [UInt8]) -> Secret? { try? Secret(copying: unsafe octets.span.bytes) }

/// The octets of a secret, for a field.
package func copied(_ octets: RawSpan) -> [UInt8] {
    octets.byteOffsets.map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
}
