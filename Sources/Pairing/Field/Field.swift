// SPDX-License-Identifier: Apache-2.0
// What the tower and the curves ask of a field.

/// A finite field. No operation branches on a value.
package protocol Field: Sendable {
    static var zero: Self { get }
    static var one: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    static prefix func - (a: Self) -> Self
    /// ab + cd.
    static func sum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
    var squared: Self { get }
    /// The inverse; zero for zero.
    var inverse: Self { get }
    /// All ones for zero, else zero.
    var zeroMask: UInt64 { get }
    /// This element where `mask` is all ones, `other` where it is zero.
    func chosen(by mask: UInt64, over other: Self) -> Self
}

extension Field {
    @inline(__always)
    package var doubled: Self { self + self }

    /// By two products; a field that can delay its reductions does it in one.
    package static func sum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self { a * b + c * d }

    /// All ones where both are equal.
    package func equalMask(_ other: Self) -> UInt64 { (self - other).zeroMask }
}
