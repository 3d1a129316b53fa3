// SPDX-License-Identifier: Apache-2.0
// The settings that handlers read.

/// Who may register.
package enum RegistrationPolicy: String, Sendable {
    /// Only users with an activation code. Others get the same answer, but nothing is stored.
    case code
    /// Also others, after `mpind user confirm`.
    case confirm
}

package struct ServiceSettings: Sendable {
    /// Scheme, host and port, without a slash at the end; nil if the server has only a Unix socket.
    package let publicURL: String?
    package let registration: RegistrationPolicy
    /// Whether PIN pads in browsers request a one-time password at each login.
    package let requestsOTP: Bool
    /// nil if the server serves only our own clients.
    package let compatibility: Compatibility?
    package let service: ServiceDescription
    /// Must equal those of the storage.
    package let lives: Lives
    /// Whether a proof needs a time permit. Every login checks for a revocation in the database, so permits
    /// are only for Milagro clients, and for an external RPA that decides about them.
    var usesPermits: Bool { compatibility != nil }
    /// Whether clients redeem their logins at an external RPA.
    var redeemsElsewhere: Bool { compatibility?.externalRPA.authenticateURL != nil }

    package init(
        publicURL: String?, registration: RegistrationPolicy, requestsOTP: Bool = false,
        compatibility: Compatibility? = nil, service: ServiceDescription = ServiceDescription(),
        lives: Lives = Lives()
    ) {
        self.publicURL = publicURL
        self.registration = registration
        self.requestsOTP = requestsOTP
        self.compatibility = compatibility
        self.service = service
        self.lives = lives
    }
}
