// SPDX-License-Identifier: Apache-2.0
// The error of a call to a server.
import MPinWire

/// Why there is no answer of status 200.
struct CallFailure: Error, Equatable {
    let status: UInt16
    /// As in `BackendResponse`.
    var retryAfter = 0
    /// The origin that was refused, with the status `RelayResponse.foreignOrigin`.
    var origin = ""

    init(status: UInt16, retryAfter: Int = 0) { (self.status, self.retryAfter) = (status, retryAfter) }
    init(foreignOrigin origin: String) { (status, self.origin) = (RelayResponse.foreignOrigin, origin) }

    static let notUnderstood = CallFailure(status: RelayResponse.notUnderstood)
    /// A handle, or what it needs, could not be made with all its options.
    static let cannotStart = CallFailure(status: RelayResponse.machineFailed)
    /// The certificates of the CAs to trust cannot be read.
    static let noCertificates = CallFailure(status: RelayResponse.noCertificates)
}
