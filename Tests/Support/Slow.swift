// SPDX-License-Identifier: Apache-2.0
// The suites that `make check` leaves out.
import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Of a suite that starts programs, waits, needs what `make pam` or `make page` makes, or proves or
    /// stretches many times: `make test` runs it, and `make check`, which sets MPIN_CHECK, does not.
    package static var slow: Self {
        .enabled(if: ProcessInfo.processInfo.environment["MPIN_CHECK"] == nil, "make check leaves it out")
    }
}
