// SPDX-License-Identifier: Apache-2.0
// What all services of the daemon stand on: storage, authority, secrets, settings, time and randomness.
import Glibc
import MPin
package import MPinStorage
import MPinWire
package import Secrets
import Synchronization

/// Time and randomness, passed in.
package struct Effects: Sendable {
    package let now: @Sendable () -> UnixTime
    package let random: @Sendable (Int) throws -> [UInt8]
    /// Lets a quarter of a second pass.
    package let pause: @Sendable () async throws -> Void

    package init(
        now: @escaping @Sendable () -> UnixTime, random: @escaping @Sendable (Int) throws -> [UInt8],
        pause: @escaping @Sendable () async throws -> Void
    ) {
        self.now = now
        self.random = random
        self.pause = pause
    }

    /// This host's clock and libcrypto's generator.
    package static let system = Effects(
        now: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            return UnixTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
        },
        random: { try randomOctets($0) }, pause: { try await Task.sleep(for: .milliseconds(250)) })
}

/// Who may register without an administrator's hand.
package enum RegistrationPolicy: String, Sendable {
    /// Whoever has an activation code; others are answered alike and nothing is stored.
    case code
    /// Also others, once `mpind user confirm` has confirmed them.
    case confirm
}

package struct ServiceSettings: Sendable {
    /// Scheme, host and port, without a slash at the end; nil on a Unix socket alone.
    package let publicURL: String?
    package let registration: RegistrationPolicy
    /// PIN pads in browsers are to ask for a one-time password at each login.
    package let requestsOTP: Bool
    /// Nil: nothing but our own clients' needs.
    package let compatibility: Compatibility?
    package let service: ServiceDescription
    /// The same as storage has.
    package let lives: Lives
    /// Whether a proof needs a time permit. Every login reads whether its identity was revoked, so a permit
    /// says nothing more; but an application's RPA may decide about permits.
    package var usesPermits: Bool { compatibility != nil }

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

package final class ServiceContext: Sendable {
    let storage: any Storage
    let authority: any Authority
    let permits = PermitCache()
    let secrets: ServerSecrets
    let verifier: Verifier
    let settings: ServiceSettings
    let effects: Effects
    /// How other servers are asked.
    let outgoing: Outgoing
    let started: UnixTime
    private let isUntold = Atomic(false)
    /// Whose client secret is being issued now.
    private let issuing = Mutex<Set<[UInt8]>>([])

    /// - Parameter serverSecret: of both shares that the authority gives; it stays in memory only.
    package init(
        storage: any Storage, authority: any Authority, serverSecret: borrowing Secret,
        secrets: ServerSecrets, settings: ServiceSettings, effects: Effects,
        outgoing: @escaping Outgoing = { _ in nil }
    ) throws {
        self.verifier = try Verifier(serverSecret: serverSecret)
        self.storage = storage
        self.authority = authority
        self.secrets = secrets
        self.settings = settings
        self.effects = effects
        self.outgoing = outgoing
        self.started = effects.now()
    }

    /// Tells the authority's book of everybody who is revoked, for between a revocation and the book the
    /// daemon may have died or the disk been full. To be called before anything is served.
    package func tellRevocations() async {
        isUntold.store(true, ordering: .relaxed)
        await tellUntold()
    }

    private func tellBookOfAll() async throws {
        var last: [UInt8]?
        repeat {
            let ids = try await storage.revokedIDs(after: last, limit: 500)
            for id in ids { try await authority.revoke(id) }
            last = ids.last
        } while last != nil
    }

    /// Tells the book who is revoked. What fails here never fails the answer: the database has it, whoever
    /// makes a permit or a share reads it there, and housekeeping tells the book later.
    func tellBook(of revoked: [[UInt8]]) async -> [LogField] {
        do {
            for id in revoked { try await authority.revoke(id) }
            return []
        } catch {
            isUntold.store(true, ordering: .relaxed)
            return [LogField("book", "\(error)")]
        }
    }

    /// Tells the book what it was not told because it could not be reached; that may still be so.
    package func tellUntold() async {
        guard isUntold.exchange(false, ordering: .relaxed) else { return }
        do { try await tellBookOfAll() } catch { isUntold.store(true, ordering: .relaxed) }
    }

    /// What one request at a time does about this registration; nil for another that comes meanwhile. The
    /// authority gives a secret once, so the second would take it for lost.
    func issuing<R>(_ id: [UInt8], _ body: () async throws -> R) async throws -> R? {
        guard issuing.withLock({ $0.insert(id).inserted }) else { return nil }
        defer { issuing.withLock { _ = $0.remove(id) } }
        return try await body()
    }

    /// Removes what has expired, in steps short enough for requests to come between. What cannot be removed
    /// now is dead already and stays for the next time.
    package func purge() async {
        while let revoked = try? await storage.revokeUnconfirmed(), !revoked.isEmpty {
            _ = await tellBook(of: revoked)
        }
        while let removed = try? await storage.purge(), removed > 0 {}
    }

    func randomText(_ count: Int) throws -> String { hexText(try effects.random(count)) }
}

/// The first 8 hex digits of an id: what logs may show of an mpinId.
func id8(_ id: [UInt8]) -> String { hexText([UInt8](id.prefix(4))) }
