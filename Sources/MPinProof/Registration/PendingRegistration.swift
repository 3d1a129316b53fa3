// SPDX-License-Identifier: Apache-2.0
// A registration without its secret: what is kept so that an interrupted enrolment can go on.

/// A registration that waits for its activation: what a later run needs to go on with it.
package struct PendingRegistration: Equatable, Sendable {
    package let userID: [UInt8]
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    /// Hash of the question that it was registered with: shares come sealed under that one. Empty without.
    package let a: [UInt8]
    /// Where it was begun: nobody else is told of it.
    package let backend: [UInt8]
    /// With it a new registration begins if the answer with the secret was lost, for a secret is issued once.
    /// Empty where the person is asked for it again.
    package let activationCode: [UInt8]

    package init(
        userID: [UInt8], mpinID: [UInt8], regOTT: [UInt8], a: [UInt8], backend: [UInt8],
        activationCode: [UInt8] = []
    ) {
        self.activationCode = activationCode
        self.userID = userID
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.a = a
        self.backend = backend
    }
}
