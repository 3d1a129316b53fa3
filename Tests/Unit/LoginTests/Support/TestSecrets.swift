// SPDX-License-Identifier: Apache-2.0
// Secrets for tests: from octets and back.
import MPin
import Secrets

/// The host key of every test: name `prod-db1`, octets 00 to 1f.
func testHostKey(name: String = "prod-db1") throws -> HostKey {
    try HostKey(name: Array(name.utf8), epoch: 1, key: secret(Array(0..<32)))
}

func secret(_ octets: [UInt8]) throws -> Secret { try unsafe Secret(copying: octets.span.bytes) }

func secret(_ text: String) throws -> Secret { try secret(Array(text.utf8)) }

func octets(_ secret: borrowing Secret) -> [UInt8] {
    secret.withBytes(copied)
}

func copied(_ octets: RawSpan) -> [UInt8] {
    (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
}
