// SPDX-License-Identifier: Apache-2.0
// Arithmetic on limbs (integers as 64-bit words, least significant first), without branches on values.
import CPlatform

/// The lower word of a + bc + carry; the upper word becomes the new carry. The sum cannot overflow:
/// (2^64-1)^2 + 2(2^64-1) = 2^128-1.
@inline(__always)
func multiplyAdd(_ a: UInt64, _ b: UInt64, times c: UInt64, carry: inout UInt64) -> UInt64 {
    let sum =
        UInt128(truncatingIfNeeded: b) &* UInt128(truncatingIfNeeded: c) &+ UInt128(truncatingIfNeeded: a)
        &+ UInt128(truncatingIfNeeded: carry)
    carry = UInt64(truncatingIfNeeded: sum &>> 64)
    return UInt64(truncatingIfNeeded: sum)
}

/// The lower word of a + b + carry; the upper word becomes the new carry.
@inline(__always)
func add(_ a: UInt64, _ b: UInt64, carry: inout UInt64) -> UInt64 {
    let sum =
        UInt128(truncatingIfNeeded: a) &+ UInt128(truncatingIfNeeded: b)
        &+ UInt128(truncatingIfNeeded: carry)
    carry = UInt64(truncatingIfNeeded: sum &>> 64)
    return UInt64(truncatingIfNeeded: sum)
}

/// a - b - borrow modulo 2^64; the new borrow is 0 or 1.
@inline(__always)
func subtract(_ a: UInt64, _ b: UInt64, borrow: inout UInt64) -> UInt64 {
    let difference =
        UInt128(truncatingIfNeeded: a) &- UInt128(truncatingIfNeeded: b)
        &- UInt128(truncatingIfNeeded: borrow)
    borrow = UInt64(truncatingIfNeeded: difference &>> 64) & 1
    return UInt64(truncatingIfNeeded: difference)
}

/// Runs `body` for 0..<n. `n` is known when the compiler specialises the code, so the result is straight-line
/// code with constant indexes; a loop over six limbs takes up to twice as long.
@inline(__always)
func unrolled(_ n: Int, _ body: (Int) -> Void) {
    if n > 0 { body(0) }
    if n > 1 { body(1) }
    if n > 2 { body(2) }
    if n > 3 { body(3) }
    if n > 4 { body(4) }
    if n > 5 { body(5) }
    if n > 6 { for index in 6..<n { body(index) } }
}

/// All ones for 1, zero for 0. The compiler must not learn that only two values are possible: it would
/// branch.
@inline(__always)
func mask(_ bit: UInt64) -> UInt64 { mpin_opaque(0 &- bit) }

/// All ones if the word is zero, otherwise zero.
@inline(__always)
func maskIfZero(_ word: UInt64) -> UInt64 { mask(1 &- ((word | (0 &- word)) &>> 63)) }

/// a if `mask` is all ones, b if it is zero.
@inline(__always)
func choose(by mask: UInt64, _ a: UInt64, _ b: UInt64) -> UInt64 {
    b ^ (mask & (a ^ b))
}

/// An unsigned integer of n limbs, with its octets, remainders and bits.
struct Natural<let n: Int>: Sendable {
    var limbs: InlineArray<n, UInt64>

    init(_ limbs: InlineArray<n, UInt64>) { self.limbs = limbs }

    /// The integer of 8n octets, big-endian, from `offset` on; octets beyond the end of `octets` count as
    /// zero.
    init(_ octets: RawSpan, at offset: Int = 0) {
        limbs = InlineArray(repeating: 0)
        for index in 0..<n {
            var word: UInt64 = 0
            for place in 0..<8 {
                let position = offset + 8 * (n - 1 - index) + place
                word = word &<< 8 | UInt64(truncatingIfNeeded: octets.octet(position))
            }
            limbs[index] = word
        }
    }

    /// An integer of any number of octets, big-endian, modulo `modulus`, whose top limb must be below 2^63.
    /// It is computed bit by bit, in a time that depends only on the number of octets.
    init(_ octets: RawSpan, modulo modulus: InlineArray<n, UInt64>) {
        limbs = InlineArray(repeating: 0)
        for position in 0..<octets.byteCount {
            let octet = UInt64(truncatingIfNeeded: octets.octet(position))
            for bit in 0..<8 {
                var carry = (octet &>> UInt64(truncatingIfNeeded: 7 - bit)) & 1
                unrolled(n) { limbs[$0] = add(limbs[$0], limbs[$0], carry: &carry) }
                self = reduced(modulus)
            }
        }
    }

    /// This integer minus `modulus`, or unchanged if it is smaller than `modulus`.
    @inline(__always)
    func reduced(_ modulus: InlineArray<n, UInt64>) -> Self {
        var result = limbs
        var borrow: UInt64 = 0
        unrolled(n) { result[$0] = subtract(limbs[$0], modulus[$0], borrow: &borrow) }
        let keep = mask(borrow)
        unrolled(n) { result[$0] = choose(by: keep, limbs[$0], result[$0]) }
        return Self(result)
    }

    /// All ones if this is smaller than `other`, otherwise zero.
    func lessMask(_ other: InlineArray<n, UInt64>) -> UInt64 {
        var borrow: UInt64 = 0
        unrolled(n) { _ = subtract(limbs[$0], other[$0], borrow: &borrow) }
        return mask(borrow)
    }

    /// One bit, counted from the least significant.
    @inline(__always)
    func bit(_ index: Int) -> Bool {
        (limbs[index &>> 6] &>> UInt64(truncatingIfNeeded: index & 63)) & 1 == 1
    }

    /// Octet `index` of the big-endian encoding.
    @inline(__always)
    func octet(_ index: Int) -> UInt8 {
        let position = 8 &* n &- 1 &- index
        return UInt8(
            truncatingIfNeeded: limbs[position &>> 3] &>> UInt64(truncatingIfNeeded: 8 &* (position & 7)))
    }
}

extension RawSpan {
    /// One octet; zero outside the span.
    @inline(__always)
    package func octet(_ index: Int) -> UInt8 {
        guard index >= 0, index < byteCount else { return 0 }
        return unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}
