// SPDX-License-Identifier: Apache-2.0
// Between octets and the C library: strings that end in NUL.
import CPlatform

/// Runs `body` with the octets and a NUL behind them.
package func withCString<R>(_ text: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    let terminated = text.map { CChar(bitPattern: $0) } + [0]
    return unsafe body(terminated)
}

/// The octets of a C string; none for NULL.
package func octets(ofCString text: UnsafePointer<CChar>?) -> [UInt8] {
    guard let text = unsafe text else { return [] }
    let count = unsafe strlen(text)
    return unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
}
