// SPDX-License-Identifier: Apache-2.0
// What an enrolment is given, what it asks of its driver, and how it ends.
package import MPin
package import MPinWire

/// Everything an enrolment needs besides the PIN and the host's key.
package struct RegistrationRequest: Sendable {
    /// The account, and where the administrator sits. Its service stands in the login that proves the token.
    package let context: LoginContext
    package let userID: [UInt8]
    /// What the account's file calls the identity.
    package let label: [UInt8]
    /// As typed; empty for a server that knows no codes.
    package let activationCode: [UInt8]
    package let deviceName: [UInt8]
    /// For people, in the file.
    package let backend: [UInt8]
    /// The time, `2026-11-21T12:00:00Z`.
    package let enrolled: [UInt8]
    /// The PIN is to be typed from afar, too.
    package let remote: Bool
    /// What the server asks of the PIN.
    package let demand: PINDemand
    /// How the PIN becomes the factor: scrypt under a salt of its own.
    package let rule: PINRule
    /// Hashes of the identities that the account's file lists.
    package let known: [[UInt8]]
    /// What a killed enrolment left.
    package let pending: PendingRegistration?
    /// nil: a PIN on this host.
    package let personal: PersonalBackend?

    package init(
        context: LoginContext, userID: [UInt8], activationCode: [UInt8], deviceName: [UInt8],
        backend: [UInt8],
        enrolled: [UInt8], remote: Bool, rule: PINRule, known: [[UInt8]], pending: PendingRegistration?,
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

/// What a registration asks of its driver next.
package enum RegistrationStep: Equatable, Sendable {
    case exchange(RelayRequest)
    case save(PendingRegistration)
    /// Write the identity beside those that are there; its token is `Registration.withToken`'s.
    case store(Identity)
    /// Take away the PINs that this one replaces.
    case settle(Identity)
    /// Take this identity away again: no login with it succeeded.
    case withdraw(Identity)
    case finished(RegistrationOutcome)
}

/// What the driver brings back from a step.
package enum RegistrationEvent: Equatable, Sendable {
    case begin
    case received(RelayResponse)
    case transportBroken(TransportError)
    /// What was to be done with the store is done.
    case done
    case storeBroken(StoreError)
}

/// How a registration ends.
package enum RegistrationOutcome: Equatable, Sendable {
    /// Enrolled, and proved by a login.
    case enrolled(Identity)
    /// Enrolled; the login to prove it could not be made, so an older PIN was kept beside.
    case unproved(Identity, Outcome)
    /// The login to prove it was refused; the account is as it was.
    case withdrawn(Outcome)
    /// The code, or the old PIN, was not the right one, or somebody must confirm first. What was begun with a
    /// code is kept.
    case notVerified
    case notAuthorized
    /// As many registrations from here wait for a confirmation as may; the seconds until one more may, 0 if
    /// the server did not say.
    case full(seconds: UInt32)
    /// Something took too long; begin again.
    case expired
    case unavailable(Unavailable)
    case failed(Reason)
}

/// Why an enrolment does not even begin.
package enum RegistrationError: Error, Equatable, Sendable {
    case pin(PINFault)
    case failed(Reason)
}
