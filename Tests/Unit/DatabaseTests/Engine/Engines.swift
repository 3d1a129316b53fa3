// SPDX-License-Identifier: Apache-2.0
// The engines that the conformance suite runs on, a clock that tests can set, and records for the tests.
import Foundation
@testable import MPinDatabase
@testable import MPinServer
import Octets
import Synchronization

/// The engines, which must all behave alike.
enum Engine: CaseIterable, Sendable {
    case file
    case memory
    /// If there is a cluster.
    case postgres

    static let allCases: [Engine] =
        TestDatabase.cluster == nil ? [.file, .memory] : [.file, .memory, .postgres]
}

/// The database's clock, which moves only by `pass`, so that nothing expires on a slow machine.
final class TestClock: Sendable {
    private let now = Atomic<Int64>(Int64(Date().timeIntervalSince1970 * 1_000))
    var milliseconds: Int64 { now.load(ordering: .sequentiallyConsistent) }
    func pass(_ milliseconds: Int64) { now.add(milliseconds, ordering: .sequentiallyConsistent) }
}

/// A new folder for a test, removed with the value.
final class Folder: Sendable {
    let path: String
    var database: String { path + "/mpind.db" }

    init() throws {
        path = NSTemporaryDirectory() + "/mpin-storage-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Opens the database in the folder, or creates one, with the time of a clock.
    func open(_ clock: TestClock) throws -> ServerDatabase {
        try ServerDatabase(sqlite: .file(database), clock: { clock.milliseconds })
    }

    /// The size of all its files, in octets.
    var size: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }
}

func withStorage(
    _ engine: Engine, lives: Lives = Lives(), _ body: (ServerDatabase, TestClock) async throws -> Void
) async throws {
    let clock = TestClock()
    let time: @Sendable () -> UnixMilliseconds = { clock.milliseconds }
    switch engine {
    case .memory: try await body(ServerDatabase(sqlite: .memory, lives: lives, clock: time), clock)
    case .file:
        let folder = try Folder()
        try await body(ServerDatabase(sqlite: .file(folder.database), lives: lives, clock: time), clock)
        withExtendedLifetime(folder) {}
    case .postgres:
        try await withDatabase { database in
            let storage = try ServerDatabase(postgres: database.place(), lives: lives, clock: time)
            try await body(storage, clock)
            await storage.close()
        }
    }
}

/// The factor by which long tests run longer: MPIN_FUZZ, 1 by default.
var fuzz: Int { ProcessInfo.processInfo.environment["MPIN_FUZZ"].flatMap { Int($0) } ?? 1 }

/// 32 octets that begin with a label.
func octets(_ label: String) -> [UInt8] {
    Array(Array(label.utf8).prefix(32)) + [UInt8](repeating: 0, count: max(0, 32 - label.utf8.count))
}

/// The same octets as an id, a hash or a nonce.
func octets<Meaning>(_ label: String) -> FixedOctets<32, Meaning> {
    FixedOctets(octets(label) as [UInt8]) ?? .zero
}

extension IdentityKind {
    static let onHost = IdentityKind.host(HostEnrolment(host: "prod-db1", epoch: 1, a: octets("A")))
}

func description(
    _ label: String, of userID: String = "alice", kind: IdentityKind = .onHost
) -> IdentityDescription {
    IdentityDescription(
        id: octets(label), mpinID: Array("{\"userID\": \"\(userID)\", \"salt\": \"\(label)\"}".utf8),
        userID: userID, kind: kind, suite: "BN254CX", epoch: 1)
}

func request(
    _ label: String, of userID: String = "alice", kind: IdentityKind = .onHost,
    from source: String = "192.0.2.1", network: String = "192.0.2.0/24", blockAfter: Int64? = nil
) -> RegistrationRequest {
    RegistrationRequest(
        description: description(label, of: userID, kind: kind), regOTTHash: octets("ott " + label),
        requester: requester(source, network: network), blockAfter: blockAfter)
}

/// A try of an activation or join code.
func codeTry(_ source: String = "192.0.2.1", network: String = "192.0.2.0/24") -> CodeTry {
    CodeTry(
        by: requester(source, network: network),
        event: AuditEvent(kind: "code.wrong", subject: "alice", source: source))
}

func code(_ label: String, by tried: CodeTry = codeTry()) -> Authorization {
    .code(hash: octets(label), tried)
}

func passOne(_ label: String, from source: String = "prod-db1 192.0.2.1") -> PassOneRecord {
    PassOneRecord(
        id: octets(label), source: source, u: [4, 1, 2], ut: [], y: octets("y"),
        binding: .question(octets("A")),
        host: "prod-db1", hostEpoch: 1, origin: TryOrigin(source, learns: true))
}

func verdict(
    _ label: String, _ result: ProofResult, from source: String = "prod-db1 192.0.2.1",
    _ begun: Verification? = nil
) -> VerdictRecord {
    VerdictRecord(
        authOTTHash: octets("authOTT"), id: octets(label), source: source, result: result,
        purpose: .question(octets("A")), host: "prod-db1", hostEpoch: 1,
        origin: TryOrigin(source, learns: true),
        counting: begun?.counting ?? .bySource, tryNumber: begun?.tryNumber)
}

extension ServerDatabase {
    /// Adds an activation code, to be typed or in a QR code.
    @discardableResult func addUser(
        _ userID: String, codeHash: OneTimeCodeHash, replace: Bool, byQRCode: Bool = false,
        blockAfter: Int64? = nil
    ) async throws(StorageError) -> [IdentityHash] {
        try await addUser(
            userID,
            code: ActivationCode(
                hash: codeHash, replaces: replace, isByQRCode: byQRCode, blockAfter: blockAfter))
    }

    func addHost(_ name: String, join: JoinCodeRecord) async throws -> UInt32? {
        try await addHost(name, join: join, key: sealedKey)
    }

    func rotateHost(_ name: String, join: JoinCodeRecord, hasLeaked: Bool = false) async throws -> UInt32? {
        try await rotateHost(name, join: join, hasLeaked: hasLeaked, key: sealedKey)
    }

    func takeJoin(host: String, joinID: [UInt8]) async throws -> Join? {
        try await takeJoin(host: host, joinID: joinID, tried: codeTry())
    }

    /// Registers and issues an mpinId as an administrator and a client would. `blockAfter` comes from the
    /// server's settings for a Milagro client, and from the code for others.
    func enroll(
        _ label: String, of userID: String = "alice", kind: IdentityKind = .onHost, replace: Bool = false,
        blockAfter: Int64? = nil
    ) async throws -> Issue? {
        try await addUser(
            userID, codeHash: octets("code " + label), replace: replace,
            blockAfter: kind == .unbound ? nil : blockAfter)
        let asked = request(
            label, of: userID, kind: kind, blockAfter: kind == .unbound ? blockAfter : nil)
        guard try await register(asked, by: code("code " + label)) == .active else { return nil }
        return try await issue(id: octets(label), regOTTHash: octets("ott " + label))
    }

    func issue(id: IdentityHash, regOTTHash: RegistrationTicketHash) async throws -> Issue? {
        try await issue(
            id: id, regOTTHash: regOTTHash, deviceEpoch: 1, pushToken: ""
        ) { _ in AuditEvent(kind: "registration", subject: "x") }
    }

    /// Runs a pass 1 and a pass 2; nil if no pass 1 was found. The verdict waits for its redemption.
    @discardableResult
    func tryProof(
        _ label: String, _ result: ProofResult, from source: String = "prod-db1 192.0.2.1",
        tagEpoch: UInt32? = nil
    ) async throws -> Verification? {
        try await keepPassOne(passOne(label, from: source), key: .source(source))
        let begun = try await beginVerification(
            id: octets(label), key: .source(source), deviceEpoch: { _, _ in tagEpoch })
        guard let begun else { return nil }
        let looked: ProofResult = begun.counting == .none ? .wrong : result
        let outcome = begun.lockedSeconds == nil ? looked : .locked
        try await finishVerification(verdict(label, outcome, from: source, begun))
        return begun
    }

    func look(
        _ number: String, _ requester: Requester, _ counting: CountedLookUps = .all
    ) async throws -> Waiting? {
        try await lookUpSession(number: number, by: requester, counting: counting)
    }

    /// Redeems the verdict that `tryProof` left.
    func redeemProof() async throws -> Redemption? {
        try await redeem(authOTTHash: octets("authOTT"), purpose: .question(octets("A")))
    }
}

/// A sealed key, as the daemon would make it; here its octets show the epoch.
@Sendable func sealedKey(_ epoch: UInt32) -> [UInt8]? {
    [UInt8](repeating: UInt8(clamping: epoch), count: 60)
}
