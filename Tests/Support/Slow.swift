// SPDX-License-Identifier: Apache-2.0
// The trait of suites that `make check` skips.
import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// For a suite that starts programs, waits, needs what `make pam` or `make page` builds, or computes many
    /// proofs or stretchings: `make test` runs it, and `make check`, which sets MPIN_CHECK, skips it.
    package static var slow: Self {
        .enabled(if: ProcessInfo.processInfo.environment["MPIN_CHECK"] == nil, "make check skips it")
    }
}
