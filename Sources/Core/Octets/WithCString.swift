// SPDX-License-Identifier: Apache-2.0
// Conversion between octets and C strings, which end with NUL.
import CPlatform

/// Runs `body` with the octets followed by a NUL. The pointer is valid only while `body` runs.
package func withCString<R>(_ text: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    let terminated = text.map { CChar(bitPattern: $0) } + [0]
    return unsafe body(terminated)
}

/// The octets of a C string without its NUL; an empty array for NULL.
package func octets(ofCString text: UnsafePointer<CChar>?) -> [UInt8] {
    guard let text = unsafe text else { return [] }
    let count = unsafe strlen(text)
    return unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
}
