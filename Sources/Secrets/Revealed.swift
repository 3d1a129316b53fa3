// SPDX-License-Identifier: Apache-2.0
// The places where a fact about a secret becomes public.
import CPlatform

/// Whether `fact` is not zero, which everybody may know from here on: a point was refused, a sum was
/// infinity. Every branch on something computed from secrets goes through here; `make ct` reports those that
/// do not.
package func revealed(_ fact: UInt64) -> Bool { mpin_reveal(fact) != 0 }
