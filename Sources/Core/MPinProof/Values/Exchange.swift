// SPDX-License-Identifier: Apache-2.0
// Takes a value out of its place, for machines whose states cannot be copied.

/// Replaces the value of `place` by a new one and returns the old one.
package func exchange<T: ~Copyable>(_ place: inout T, with new: consuming T) -> T {
    let old = consume place
    place = new
    return old
}
