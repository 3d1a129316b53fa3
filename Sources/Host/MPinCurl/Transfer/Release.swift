// SPDX-License-Identifier: Apache-2.0
// The version of this release.

package enum Release {
    /// The version, which follows `mpin/` or `mpind/` in `User-Agent`.
    package static let version = "0.1.0"
}
