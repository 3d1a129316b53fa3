// SPDX-License-Identifier: Apache-2.0
// The yardstick: one Montgomery multiplication modulo p of BN254CX, unrolled by hand over four words.

struct Yardstick {
    var l0: UInt64
    var l1: UInt64
    var l2: UInt64
    var l3: UInt64

    static func chain(_ count: Int) -> UInt64 {
        let factor = Yardstick(l0: 3, l1: 5, l2: 7, l3: 11)
        var product = factor
        for _ in 0..<count { product = product * factor }
        return product.l0
    }

    @inline(__always)
    private static func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
        let sum =
            UInt128(truncatingIfNeeded: b) &* UInt128(truncatingIfNeeded: c)
            &+ UInt128(truncatingIfNeeded: a) &+ UInt128(truncatingIfNeeded: carry)
        carry = UInt64(truncatingIfNeeded: sum &>> 64)
        return UInt64(truncatingIfNeeded: sum)
    }

    @inline(__always)
    private static func subtract(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
        let difference =
            UInt128(truncatingIfNeeded: a) &- UInt128(truncatingIfNeeded: b)
            &- UInt128(truncatingIfNeeded: borrow)
        borrow = UInt64(truncatingIfNeeded: difference &>> 64) & 1
        return UInt64(truncatingIfNeeded: difference)
    }

    @inline(__always)
    private mutating func row(_ a: Yardstick, _ b: UInt64) {
        var carry: UInt64 = 0
        l0 = Self.multiplyAdd(l0, a.l0, b, &carry)
        l1 = Self.multiplyAdd(l1, a.l1, b, &carry)
        l2 = Self.multiplyAdd(l2, a.l2, b, &carry)
        l3 = Self.multiplyAdd(l3, a.l3, b, &carry)
        let m = l0 &* 0xef4e_205b_f978_9e85
        var carry2: UInt64 = 0
        _ = Self.multiplyAdd(l0, m, 0xbe66_23ef_5c1b_55b3, &carry2)
        l0 = Self.multiplyAdd(l1, m, 0x243f_d6ee_1809_3ee1, &carry2)
        l1 = Self.multiplyAdd(l2, m, 0xb0bd_df64_7a63_66d3, &carry2)
        l2 = Self.multiplyAdd(l3, m, 0x2400_0000_0870_2a0d, &carry2)
        l3 = carry &+ carry2
    }

    static func * (a: Yardstick, b: Yardstick) -> Yardstick {
        var t = Yardstick(l0: 0, l1: 0, l2: 0, l3: 0)
        t.row(a, b.l0)
        t.row(a, b.l1)
        t.row(a, b.l2)
        t.row(a, b.l3)
        var borrow: UInt64 = 0
        let d0 = subtract(t.l0, 0xbe66_23ef_5c1b_55b3, &borrow)
        let d1 = subtract(t.l1, 0x243f_d6ee_1809_3ee1, &borrow)
        let d2 = subtract(t.l2, 0xb0bd_df64_7a63_66d3, &borrow)
        let d3 = subtract(t.l3, 0x2400_0000_0870_2a0d, &borrow)
        let keep = 0 &- borrow
        return Yardstick(
            l0: d0 ^ (keep & (d0 ^ t.l0)), l1: d1 ^ (keep & (d1 ^ t.l1)), l2: d2 ^ (keep & (d2 ^ t.l2)),
            l3: d3 ^ (keep & (d3 ^ t.l3)))
    }
}
