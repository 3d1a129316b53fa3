// SPDX-License-Identifier: Apache-2.0
// What all handlers of the daemon share: database, authority, secrets and settings.
import MPin
import MPinDatabase
import MPinWire
import Octets
package import Secrets
import Synchronization

/// The state that all handlers share.
package final class ServiceContext: Sendable {
    let storage: ServerDatabase
    let authority: any Authority
    let permits = PermitCache()
    let givenPermits = GivenPermits()
    let hostKeys = HostKeyCache()
    let listRate = ListRate()
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

    /// Runs `body` for one request at a time for this registration; returns nil to another request meanwhile.
    /// The authority gives a secret only once, so the second request would take it for lost.
    func issuing<R>(_ key: [UInt8], _ body: () async throws -> R) async throws -> R? {
        guard issuing.withLock({ $0.insert(key).inserted }) else { return nil }
        defer { issuing.withLock { _ = $0.remove(key) } }
        return try await body()
    }

    /// `count` random octets in hex.
    func randomText(_ count: Int) throws -> String { hexText(try effects.random(count)) }
}
