// SPDX-License-Identifier: Apache-2.0
// A registration without its secret, which is stored so that an interrupted enrolment can be continued.
package import Octets

/// A registration that waits for its activation, with what a later run needs to continue it.
package struct PendingRegistration: Equatable, Sendable {
    package let userID: [UInt8]
    package let mpinID: [UInt8]
    package let regOTT: [UInt8]
    /// The hash A of the question with which it was registered, for which the shares are sealed; nil if there
    /// was none.
    package let a: QuestionHash?
    /// The backend at which it was begun; it is sent to no other backend.
    package let backend: [UInt8]
    /// The code for a new registration if the response with the secret was lost, because a secret is issued
    /// only once. Empty if the user is asked for the code again.
    package let activationCode: [UInt8]

    package init(
        userID: [UInt8], mpinID: [UInt8], regOTT: [UInt8], a: QuestionHash?, backend: [UInt8],
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
