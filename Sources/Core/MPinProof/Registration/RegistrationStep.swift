// SPDX-License-Identifier: Apache-2.0
// The input, steps, events and outcomes of an enrolment.
package import MPin
package import MPinWire
package import Octets

/// Everything an enrolment needs besides the PIN and the host's key.
package struct RegistrationRequest: Sendable {
    /// The account, and where the administrator is. The login that proves the token uses its service.
    package let context: LoginContext
    package let userID: [UInt8]
    /// The name of the identity in the account's file.
    package let label: [UInt8]
    /// As typed; empty for a server that does not use codes.
    package let activationCode: [UInt8]
    package let deviceName: [UInt8]
    /// The backend's address, for people who read the file.
    package let backend: [UInt8]
    /// The time, in the form `2026-11-21T12:00:00Z`.
    package let enrolled: [UInt8]
    /// Whether the PIN may also be typed in remote logins.
    package let remote: Bool
    /// The server's requirements for the PIN.
    package let demand: PINDemand
    /// The rule by which the PIN becomes the factor: scrypt with a new salt.
    package let rule: PINRule
    /// The hashes of the identities that the account's file lists.
    package let known: [IdentityHash]
    /// The registration of an enrolment that was interrupted.
    package let pending: PendingRegistration?
    /// nil for a PIN on this host.
    package let personal: PersonalBackend?

    package init(
        context: LoginContext, userID: [UInt8], activationCode: [UInt8], deviceName: [UInt8],
        backend: [UInt8],
        enrolled: [UInt8], remote: Bool, rule: PINRule, known: [IdentityHash], pending: PendingRegistration?,
        personal: PersonalBackend? = nil, label: [UInt8]? = nil, demand: PINDemand = .none
    ) {
        self.context = context
        self.userID = userID
        self.label = label ?? userID
        self.activationCode = activationCode
        self.deviceName = deviceName
        self.backend = backend
        self.enrolled = enrolled
        self.remote = remote
        self.demand = demand
        self.rule = rule
        self.known = known
        self.pending = pending
        self.personal = personal
    }
}

/// What the driver of a registration must do next.
package enum RegistrationStep: Equatable, Sendable {
    case exchange(RelayRequest)
    case save(PendingRegistration)
    /// Store the identity in addition to the existing ones; `Registration.withToken` gives its token.
    case store(Identity)
    /// Remove the PINs that this one replaces.
    case settle(Identity)
    /// Remove this identity again: the login that should prove it was refused.
    case withdraw(Identity)
    case finished(RegistrationOutcome)
}

/// The result of a step, which the driver passes to the registration.
package enum RegistrationEvent: Equatable, Sendable {
    case begin
    case received(RelayResponse)
    case transportBroken(TransportError)
    /// The step changed the store as requested.
    case done
    case storeBroken(StoreError)
}

/// How a registration ends.
package enum RegistrationOutcome: Equatable, Sendable {
    /// The identity is enrolled and proved by a login.
    case enrolled(Identity)
    /// The identity is enrolled, but the login that should prove it was not possible, so an older PIN was
    /// kept.
    case unproved(Identity, Outcome)
    /// The login that should prove the identity was refused; the account is as before.
    case withdrawn(Outcome)
    /// The code or the old PIN was wrong, or an administrator must confirm the registration first. A
    /// registration that was begun with a code is kept.
    case notVerified
    case notAuthorized
    /// Too many registrations from this source wait for a confirmation; the seconds until another one is
    /// possible, 0 if the server did not report it.
    case full(seconds: UInt32)
    /// The registration took too long and must be begun again.
    case expired
    case unavailable(Unavailable)
    case failed(Reason)
}

/// Why an enrolment cannot begin.
package enum RegistrationError: Error, Equatable, Sendable {
    case pin(PINFault)
    case failed(Reason)
}
