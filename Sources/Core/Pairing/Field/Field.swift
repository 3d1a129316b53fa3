// SPDX-License-Identifier: Apache-2.0
// The field operations that the tower and the curves need.

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
    /// All ones if this is zero, otherwise zero.
    var zeroMask: UInt64 { get }
    /// This element if `mask` is all ones, `other` if it is zero.
    func chosen(by mask: UInt64, over other: Self) -> Self
}

extension Field {
    @inline(__always)
    package var doubled: Self { self + self }

    /// The default: two separate products. A field that can delay its reductions needs only one reduction.
    package static func sum(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self { a * b + c * d }

    /// All ones if both are equal, otherwise zero.
    package func equalMask(_ other: Self) -> UInt64 { (self - other).zeroMask }
}
