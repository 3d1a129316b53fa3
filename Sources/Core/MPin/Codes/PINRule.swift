// SPDX-License-Identifier: Apache-2.0
// The rules by which a PIN becomes the factor that the token lacks.
import Pairing
package import Secrets

/// The rule by which a PIN becomes the factor of a token. A token works only with the rule with which it was
/// made.
package enum PINRule: Sendable, Equatable {
    /// Tokens of this project: 48 octets of scrypt, modulo r.
    case scrypt(StretchCost, salt: [UInt8])
    /// Tokens of Milagro's C++ core: h = 31h + c over the characters as a signed number of 32 bits, then h
    /// modulo 10000 with the sign of h, then the low 14 bits of that.
    case milagroString
    /// Tokens of Milagro's other clients: the digits as a number, modulo 10000 or 1000000.
    case number(modulus: Int)

    /// The factor: a scalar of 32 octets, which may be zero. Throws `invalidScalar` for an empty PIN, for a
    /// PIN with other characters if the rule needs digits, and for another modulus than the two above. The
    /// time depends only on the rule and the length of the PIN.
    package func factor(of pin: borrowing Secret) throws(MPinError) -> Secret {
        defer { clearStack() }
        return try computed(pin)
    }

    @inline(never)
    private func computed(_ pin: borrowing Secret) throws(MPinError) -> Secret {
        guard pin.count > 0 else { throw .invalidScalar }
        switch self {
        case .scrypt(let cost, let salt):
            let stretched: Secret
            do { stretched = try stretch(pin, salt: salt, cost: cost, count: 48) } catch {
                throw .outOfMemory
            }
            return try stretched.withBytes { Scalar(reducing: $0) }.encodedSecret()
        case .milagroString:
            return try pin.withBytes { Scalar(milagroRemainder($0)) }.encodedSecret()
        case .number(modulus: 10_000):
            return try number(pin, lastDigits: 4)
        case .number(modulus: 1_000_000):
            return try number(pin, lastDigits: 6)
        case .number:
            throw .invalidScalar
        }
    }

    /// The number of the last digits, which is the remainder modulo a power of ten.
    private func number(_ pin: borrowing Secret, lastDigits: Int) throws(MPinError) -> Secret {
        var value: UInt64 = 0
        var strange: UInt64 = 0
        pin.withBytes { octets in
            for index in 0..<octets.byteCount {
                let digit = UInt64(truncatingIfNeeded: octets.octet(index)) &- 0x30
                strange |= (digit | (9 &- digit)) &>> 63
                if index >= octets.byteCount - lastDigits { value = value &* 10 &+ digit }
            }
        }
        guard !revealed(strange) else { throw .invalidScalar }
        return try Scalar(value).encodedSecret()
    }
}

/// The number of `PINRule.milagroString`. It is computed without a division, whose time would depend on the
/// PIN: for m < 2^32 the quotient by 10000 is floor(m 0xd1b71759 / 2^45) (T. Granlund, P. Montgomery,
/// "Division by Invariant Integers using Multiplication", PLDI 1994).
private func milagroRemainder(_ octets: RawSpan) -> UInt64 {
    var hash: UInt32 = 0
    for index in 0..<octets.byteCount {
        // `char` is signed in the C++ core.
        let character = Int8(bitPattern: octets.octet(index))
        hash = hash &* 31 &+ UInt32(truncatingIfNeeded: character)
    }
    let sign = 0 &- (hash &>> 31)
    let magnitude = UInt64(truncatingIfNeeded: (hash ^ sign) &- sign)
    let remainder = magnitude &- ((magnitude &* 0xd1b7_1759) &>> 45) &* 10_000
    let mask = UInt64(truncatingIfNeeded: Int64(Int32(bitPattern: sign)))
    return ((remainder ^ mask) &- mask) & 0x3fff
}
