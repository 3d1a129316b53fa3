// SPDX-License-Identifier: Apache-2.0
// Marks a value that was computed from secrets as public.
import CPlatform

/// Whether `fact` is not zero, which is public from here on: for example, that a point was refused or that a
/// sum was the point at infinity. Every branch on a value computed from secrets must use this function;
/// `make ct` reports those that do not.
package func revealed(_ fact: UInt64) -> Bool { mpin_reveal(fact) != 0 }
