// SPDX-License-Identifier: Apache-2.0
// A registration, from PUT user to the issue of its client secret.
package import Octets

/// An activation code and what it permits.
package struct ActivationCode: Equatable, Sendable {
    /// What is stored of the letters.
    package let hash: OneTimeCodeHash
    /// The older identities are revoked when a client secret is issued for the code.
    package let replaces: Bool
    /// The code lives ten minutes and can only enrol a bound identity, which is unconfirmed at first.
    package let isByQRCode: Bool
    /// How many wrong PINs in a row block an identity that is enrolled with it; nil for no such limit.
    package let blockAfter: Int64?

    package init(hash: OneTimeCodeHash, replaces: Bool, isByQRCode: Bool = false, blockAfter: Int64? = nil) {
        (self.hash, self.replaces) = (hash, replaces)
        (self.isByQRCode, self.blockAfter) = (isByQRCode, blockAfter)
    }
}

/// What authorises a registration.
package enum Authorization: Equatable, Sendable {
    /// The activation code that was typed.
    case code(hash: OneTimeCodeHash, CodeTry)
    /// Nothing yet: an administrator will confirm it.
    case confirmation
    /// A login with the old PIN, made to change it (`VerdictPurpose.changePIN`): its ticket, and the
    /// account that the new PIN is for. The new identity must be for the same host, account and userID.
    /// It replaces the identity that logged in, which is revoked when the new one is first granted a login.
    case login(authOTTHash: TicketHash, account: [UInt8])
    /// Nothing yet: an external RPA will confirm it with this key (`activate`).
    case externalRPA(activateKeyHash: ActivateKeyHash)
}

/// A try of an activation or join code, and its audit event. Wrong tries are counted by source and by
/// network, so that a flood leaves nothing. Only the first one in an hour from a source is recorded, so that
/// a flood makes one record.
package struct CodeTry: Equatable, Sendable {
    package let requester: Requester
    package let event: AuditEvent

    package init(by requester: Requester, event: AuditEvent) {
        self.requester = requester
        self.event = event
    }
}

/// What PUT user requests.
package struct RegistrationRequest: Equatable, Sendable {
    package let description: IdentityDescription
    /// What the client must show when it asks for the client secret.
    package let regOTTHash: RegistrationTicketHash
    /// Limits how many registrations one source, and one network, may leave waiting.
    package let requester: Requester
    /// Where the PIN is chosen, as the host that asks reports it: this source becomes known at once.
    package let origin: TryOrigin?
    /// How many wrong PINs in a row block the identity; the smaller one counts if its activation code has
    /// such a limit too. If it is set for a Milagro client, tries from all sources are counted together and
    /// there is no other counter.
    package let blockAfter: Int64?

    package init(
        description: IdentityDescription, regOTTHash: RegistrationTicketHash, requester: Requester,
        origin: TryOrigin? = nil,
        blockAfter: Int64? = nil
    ) {
        self.blockAfter = blockAfter
        self.origin = origin
        self.description = description
        self.regOTTHash = regOTTHash
        self.requester = requester
    }
}

/// The result of a registration.
package enum RegistrationOutcome: Equatable, Sendable {
    /// Stored; the client secret may be issued at once.
    case active
    /// Stored; it waits for `confirm`.
    case waiting
    /// Refused: a wrong code, a login that does not authorise it, or a revoked userID.
    case refused
    /// Not stored, because too many registrations wait for a confirmation, from that source, from its network
    /// or in all. The first of them expires after this number of seconds.
    case full(seconds: Int64)
}

/// A pending registration.
package struct RegistrationRecord: Equatable, Sendable {
    package let description: IdentityDescription
    package let active: Bool
    package let source: String
    package let createdAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// Whether an external RPA may make it active.
    package let awaitsExternalRPA: Bool

    package init(
        description: IdentityDescription, active: Bool, source: String, createdAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds, awaitsExternalRPA: Bool = false
    ) {
        self.description = description
        self.active = active
        self.source = source
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.awaitsExternalRPA = awaitsExternalRPA
    }
}

/// The result of an administrator's confirmation.
package enum Confirmation: Equatable, Sendable {
    /// The pending registration with this id is active now, or the identity is confirmed.
    case confirmed(id: IdentityHash)
    /// Nothing waits under that userID with such an id.
    case nobody
    /// These ids all begin with the given prefix and wait.
    case several(ids: [IdentityHash])
}

/// The result of an issue: the identity is live, and its client secret may be sent.
package struct Issue: Equatable, Sendable {
    package let identity: IdentityRecord
    /// The ids that were revoked for it (by `replaces`, or because they were enrolled with the same code).
    /// The authority must learn them too.
    package let revoked: [IdentityHash]

    package init(identity: IdentityRecord, revoked: [IdentityHash]) {
        self.identity = identity
        self.revoked = revoked
    }
}
