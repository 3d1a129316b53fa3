// SPDX-License-Identifier: Apache-2.0
// y, which binds a proof to one identity, one U and one purpose (spec: seal, `y`).
import Secrets

/// X of a proof that is bound to nothing but itself; it opens no console.
package let noPurpose = [UInt8](repeating: 0, count: 32)

/// y as 32 octets, big endian, below the group's order and never zero. `n` and `id` have 32 octets, `u` 65,
/// `ut` 65 or none; `purpose` is A of the sealed question, `Seen.purpose`, or `noPurpose`.
package func challenge(
    n: [UInt8], id: [UInt8], u: [UInt8], ut: [UInt8], purpose: [UInt8]
) throws(SealFailure) -> [UInt8] {
    guard n.count == 32, id.count == 32, u.count == 65, ut.count == 65 || ut.isEmpty, purpose.count == 32
    else { throw .malformed }
    var writer = SealWriter("mpin y 1")
    writer.fixed(n)
    writer.fixed(id)
    writer.text(u)
    writer.text(ut)
    writer.fixed(purpose)
    let y = reduced(sha256(writer.octets))
    guard y.contains(where: { $0 != 0 }) else { throw .malformed }
    return y
}

/// The order r of G1 (BN254CX).
private let order: [UInt8] = [
    0x24, 0x00, 0x00, 0x00, 0x08, 0x70, 0x2a, 0x0d, 0xb0, 0xbd, 0xdf, 0x64, 0x7a, 0x63, 0x66, 0xd2,
    0xc4, 0x3f, 0xd6, 0xee, 0x0c, 0xc9, 0x06, 0xce, 0xbe, 0x11, 0xc0, 0xa6, 0x36, 0xeb, 0x1f, 0x6d,
]

/// A public number of 256 bits modulo r, by at most seven subtractions.
private func reduced(_ octets: [UInt8]) -> [UInt8] {
    var rest = octets
    while !rest.lexicographicallyPrecedes(order) {
        var borrow: Int16 = 0
        for index in rest.indices.reversed() {
            let difference = Int16(rest[index]) - Int16(order[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            rest[index] = UInt8(truncatingIfNeeded: difference)
        }
    }
    return rest
}
