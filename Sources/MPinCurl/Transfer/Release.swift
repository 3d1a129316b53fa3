// SPDX-License-Identifier: Apache-2.0
// The release this was built as.

package enum Release {
    /// What `User-Agent` says behind `mpin/`.
    package static let version = "0.1.0"
}
