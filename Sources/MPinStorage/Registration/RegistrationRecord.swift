// SPDX-License-Identifier: Apache-2.0
// A registration between PUT user and the issue of its client secret.

/// An activation code, and what it is good for.
package struct ActivationCode: Equatable, Sendable {
    /// SHA-256 of the code, 32 octets.
    package let hash: [UInt8]
    /// The older mpinIds are revoked when the code's client secret is issued.
    package let replaces: Bool
    /// The code lives ten minutes and is good for a bound mpinId alone, which is unconfirmed.
    package let isByPicture: Bool
    /// So many wrong PINs in a row block what is enrolled with it.
    package let blockAfter: Int64?

    package init(hash: [UInt8], replaces: Bool, isByPicture: Bool = false, blockAfter: Int64? = nil) {
        (self.hash, self.replaces) = (hash, replaces)
        (self.isByPicture, self.blockAfter) = (isByPicture, blockAfter)
    }
}

/// Why a registration may be made.
package enum Authorization: Equatable, Sendable {
    /// SHA-256 of the activation code that was typed.
    case code(hash: [UInt8], CodeTry)
    /// None yet: an administrator will confirm it.
    case confirmation
    /// A login with the old PIN, made to change it (`VerdictPurpose.changePIN`): SHA-256 of its authOTT, and
    /// the account that the new one is for. The new mpinId, at the same host, for the same account and under
    /// the same name, takes the place of the one that logged in, which is revoked when the new one is first
    /// granted.
    case login(authOTTHash: [UInt8], account: [UInt8])
    /// None yet: a foreign RPA will confirm it with a key, whose SHA-256 this is (`activate`).
    case party(activateKeyHash: [UInt8])
}

/// Who tries an activation or join code, and what the audit trail says of it. Wrong ones are counted by
/// source and by network; the first of an hour from a source is recorded, so that a flood makes one record.
package struct CodeTry: Equatable, Sendable {
    package let source: String
    package let network: String
    package let event: AuditEvent

    package init(source: String, network: String, event: AuditEvent) {
        self.source = source
        self.network = network
        self.event = event
    }
}

/// What PUT user asks for.
package struct RegistrationRequest: Equatable, Sendable {
    package let description: MpinDescription
    /// SHA-256 of the regOTT, 32 octets.
    package let regOTTHash: [UInt8]
    /// Where the request came from; bounds what one source may leave waiting.
    package let source: String
    /// From where the host that asks says that the PIN is chosen: it is known at once.
    package let origin: TryOrigin?
    /// So many wrong PINs in a row block the mpinId, or fewer if its activation code says so. Of one that a
    /// Milagro client registers, tries of all sources are counted together then, and nothing else is.
    package let blockAfter: Int64?

    package init(
        description: MpinDescription, regOTTHash: [UInt8], source: String, origin: TryOrigin? = nil,
        blockAfter: Int64? = nil
    ) {
        self.blockAfter = blockAfter
        self.origin = origin
        self.description = description
        self.regOTTHash = regOTTHash
        self.source = source
    }
}

/// What became of a registration.
package enum RegistrationOutcome: Equatable, Sendable {
    /// Stored; the client secret may be issued at once.
    case active
    /// Stored; it waits for `confirm`.
    case waiting
    /// Nothing came of it: no right code, a login that does not authorise it, or a revoked name.
    case refused
    /// Nothing stored: as many wait for a confirmation as may, from that source or in all. In so many seconds
    /// the first of them ends.
    case full(seconds: Int64)
}

/// A pending registration.
package struct RegistrationRecord: Equatable, Sendable {
    package let description: MpinDescription
    package let active: Bool
    package let source: String
    package let createdAt: UnixMilliseconds
    package let expiresAt: UnixMilliseconds
    /// Whether an RPA may make it active.
    package let awaitsParty: Bool

    package init(
        description: MpinDescription, active: Bool, source: String, createdAt: UnixMilliseconds,
        expiresAt: UnixMilliseconds, awaitsParty: Bool = false
    ) {
        self.description = description
        self.active = active
        self.source = source
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.awaitsParty = awaitsParty
    }
}

/// What became of an administrator's confirmation.
package enum Confirmation: Equatable, Sendable {
    /// The pending registration with this id is active now, or the mpinId confirmed.
    case confirmed(id: [UInt8])
    /// Nothing waits under that name with such an id.
    case nobody
    /// Several wait whose ids begin so: these.
    case several(ids: [[UInt8]])
}

/// The client secret may leave: the mpinId is live.
package struct Issue: Equatable, Sendable {
    package let mpin: MpinRecord
    /// The ids that were revoked for it (`replace`, or enrolled with the same code); the authority wants to
    /// know them too.
    package let revoked: [[UInt8]]

    package init(mpin: MpinRecord, revoked: [[UInt8]]) {
        self.mpin = mpin
        self.revoked = revoked
    }
}
