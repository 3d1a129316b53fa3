// SPDX-License-Identifier: Apache-2.0
// A registration, from PUT user to the issue of its client secret.
import MPinDatabase
import Octets

/// An activation code and what it permits.
struct ActivationCode: Equatable, Sendable {
    /// What is stored of the letters.
    let hash: OneTimeCodeHash
    /// The older identities are revoked when a client secret is issued for the code.
    let replaces: Bool
    /// The code lives ten minutes and can only enrol a bound identity, which is unconfirmed at first.
    var isByQRCode: Bool = false
    /// How many wrong PINs in a row block an identity that is enrolled with it; nil for no such limit.
    var blockAfter: Int64? = nil
}

/// What authorises a registration.
enum Authorization: Equatable, Sendable {
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

/// What PUT user requests.
struct RegistrationRequest: Equatable, Sendable {
    let description: IdentityDescription
    /// What the client must show when it asks for the client secret.
    let regOTTHash: RegistrationTicketHash
    /// Limits how many registrations one source, and one network, may leave waiting.
    let requester: Requester
    /// Where the PIN is chosen, as the host that asks reports it: this source becomes known at once.
    var origin: TryOrigin? = nil
    /// How many wrong PINs in a row block the identity; the smaller one counts if its activation code has
    /// such a limit too. If it is set for a Milagro client, tries from all sources are counted together and
    /// there is no other counter.
    var blockAfter: Int64? = nil
}

/// The result of a registration.
enum RegistrationOutcome: Equatable, Sendable {
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
struct RegistrationRecord: Equatable, Sendable {
    let description: IdentityDescription
    let active: Bool
    let source: String
    let createdAt: UnixMilliseconds
    let expiresAt: UnixMilliseconds
    /// Whether an external RPA may make it active.
    var awaitsExternalRPA: Bool = false
}

/// The result of an administrator's confirmation.
enum Confirmation: Equatable, Sendable {
    /// The pending registration with this id is active now, or the identity is confirmed.
    case confirmed(id: IdentityHash)
    /// Nothing waits under that userID with such an id.
    case nobody
    /// These ids all begin with the given prefix and wait.
    case several(ids: [IdentityHash])
}

/// The result of an issue: the identity is live, and its client secret may be sent.
struct Issue: Equatable, Sendable {
    let identity: IdentityRecord
    /// The ids that were revoked for it (by `replaces`, or because they were enrolled with the same code).
    /// The authority must learn them too.
    let revoked: [IdentityHash]
}
