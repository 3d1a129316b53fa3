// SPDX-License-Identifier: Apache-2.0
// What all handlers of the daemon share: database, authority, secrets and settings.
import MPin
import MPinDatabase
import MPinWire
import Octets
package import Secrets
import Synchronization

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

/// The state that all handlers share.
package final class ServiceContext: Sendable {
    let storage: ServerDatabase
    let authority: any Authority
    let permits = PermitCache()
    let givenPermits = GivenPermits()
    let hostKeys = HostKeyCache()
    let secrets: ServerSecrets
    let verifier: Verifier
    let serverSecretCheck: SecretCheck
    let settings: ServiceSettings
    let effects: Effects
    /// Sends requests to other servers.
    let outgoing: Outgoing
    let metrics: Metrics
    let started: UnixTime
    /// The registrations whose client secret is being issued now.
    private let issuing = Mutex<Set<[UInt8]>>([])

    /// - Parameter serverSecret: the sum of the authority's two shares, 128 octets; it is kept only in
    ///   memory.
    package init(
        storage: ServerDatabase, authority: any Authority, serverSecret: borrowing Secret,
        secrets: ServerSecrets, settings: ServiceSettings, effects: Effects,
        outgoing: @escaping Outgoing = { _ in nil }, metrics: Metrics = Metrics()
    ) throws {
        self.verifier = try Verifier(serverSecret: serverSecret)
        self.serverSecretCheck = SecretCheck(
            name: "server secret \(authority.epoch)",
            value: try hmac(key: serverSecret, [UInt8]("mpin check server secret 1".utf8)))
        self.storage = storage
        self.authority = MeasuredAuthority(authority: authority, metrics: metrics)
        self.secrets = secrets
        self.settings = settings
        self.effects = effects
        self.outgoing = outgoing
        self.metrics = metrics
        self.started = effects.now()
    }

    /// Reports to the authority's book the revocations of which it may not know: the daemon may have died
    /// before it told the book, or the authority may have been away. What fails is tried again the next time.
    package func tellRevocations() async {
        while let untold = try? await storage.untoldRevocations(limit: 100), !untold.isEmpty {
            guard (try? await tell(untold)) != nil else { return }
        }
    }

    /// Reports revocations to the authority's book. A failure does not fail the request: the database has the
    /// revocation, permits and shares are given only after a look there, and `tellRevocations` tries again
    /// later.
    func tellBook(of revoked: [IdentityHash]) async -> [LogField] {
        guard !revoked.isEmpty else { return [] }
        do {
            try await tell(revoked)
            return []
        } catch {
            return [LogField("book", "\(error)")]
        }
    }

    private func tell(_ revoked: [IdentityHash]) async throws {
        for id in revoked { try await authority.revoke(id) }
        try await storage.noteTold(revoked)
    }

    /// Runs `body` for one request at a time for this registration; returns nil to another request meanwhile.
    /// The authority gives a secret only once, so the second request would take it for lost.
    func issuing<R>(_ key: [UInt8], _ body: () async throws -> R) async throws -> R? {
        guard issuing.withLock({ $0.insert(key).inserted }) else { return nil }
        defer { issuing.withLock { _ = $0.remove(key) } }
        return try await body()
    }

    /// Removes what has expired, in steps short enough for requests to be served in between. What cannot be
    /// removed now is invalid already and is removed the next time.
    package func purge() async {
        while let revoked = try? await storage.revokeUnconfirmed(), !revoked.isEmpty {
            _ = await tellBook(of: revoked)
        }
        _ = try? await storage.purge()
    }

    /// `count` random octets in hex.
    func randomText(_ count: Int) throws -> String { hexText(try effects.random(count)) }
}

/// The first 8 hex digits of an id: what logs may show of an mpinId.
func id8(_ id: IdentityHash) -> String { hexText([UInt8](id.octets.prefix(4))) }
