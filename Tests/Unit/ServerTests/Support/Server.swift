// SPDX-License-Identifier: Apache-2.0
// A whole server for a test: real secrets, real SQLite in its own folder, and a clock that tests can move.
import FoundationEssentials
import Glibc
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Synchronization
import Testing

/// The clock of the daemon and of its database. It moves only by `advance`, so that nothing expires on a slow
/// machine.
final class TestClock: Sendable {
    private let time: Atomic<Int64>

    init() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        self.time = Atomic(Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    func advance(seconds: Int64) { time.add(seconds * 1000, ordering: .sequentiallyConsistent) }
    var milliseconds: Int64 { time.load(ordering: .sequentiallyConsistent) }
    var now: UnixTime { UnixTime(microseconds: milliseconds * 1000) }

    /// Moves to the next day's `second`-th second.
    func toTomorrow(second: Int64) { advance(seconds: (Int64(now.day) + 1) * 86_400 + second - now.seconds) }
}

final class Server: Sendable {
    let clock: TestClock
    let folder: String
    let metrics = Metrics()
    let storage: ServerDatabase
    let book: AuthorityBook
    let secrets: ServerSecrets
    let context: ServiceContext
    let router: PublicRouter
    let admin: AdminRouter
    /// The log fields of every public request, with the names of the routes.
    let notes = Mutex<[LogField]>([])

    static let address = Peer.address("192.0.2.1")
    static let name = "login.example.org"

    let settings: ServiceSettings
    private let outgoing: Outgoing

    convenience init(
        registration: RegistrationPolicy = .code, requestsOTP: Bool = false,
        compatibility: Compatibility? = nil, service: ServiceDescription = ServiceDescription(),
        lives: Lives = Lives(), outgoing: @escaping Outgoing = { _ in nil }
    ) throws {
        let folder = try newFolder()
        try ServerSecrets.create(folder: folder)
        try MasterFile.create(folder: folder)
        try self.init(
            folder: folder, clock: TestClock(),
            settings: ServiceSettings(
                publicURL: "https://" + Server.name, registration: registration,
                requestsOTP: requestsOTP, compatibility: compatibility, service: service, lives: lives),
            outgoing: outgoing)
    }

    private init(
        folder: String, clock: TestClock, settings: ServiceSettings, outgoing: @escaping Outgoing
    ) throws {
        self.folder = folder
        self.clock = clock
        self.settings = settings
        self.outgoing = outgoing
        storage = try ServerDatabase(
            sqlite: .file(folder + "/mpind.db"), lives: settings.lives, clock: { clock.milliseconds },
            observer: metrics)
        book = try AuthorityBook(sqlite: .file(folder + "/book.db"))
        secrets = try ServerSecrets(folder: folder)
        // A waiting request pauses forty times: here long enough for other requests on a busy machine.
        let effects = Effects(
            now: { clock.now }, random: { try randomOctets($0) },
            pause: { try await Task.sleep(for: .milliseconds(25)) })
        let authority = try MasterFile(folder: folder).authority(book: book, now: effects.now)
        context = try ServiceContext(
            storage: storage, authority: authority,
            serverSecret: serverSecret(
                authority.serverSecretShare(.first), authority.serverSecretShare(.second)),
            secrets: secrets, settings: settings, effects: effects, outgoing: outgoing,
            metrics: metrics)
        router = PublicRouter(
            context: context, policy: RequestPolicy(names: [Server.name], origins: ["https://" + Server.name])
        )
        admin = AdminRouter(context: context)
    }

    deinit { removeFolder(folder) }

    /// Closes this server, and starts another on the same folder; this one must outlive it.
    func restarted() async throws -> Server {
        await storage.close()
        await book.close()
        return try replica()
    }

    /// The same, with another profile.
    func restarted(as compatibility: Compatibility?) async throws -> Server {
        await storage.close()
        await book.close()
        return try Server(
            folder: folder, clock: clock,
            settings: ServiceSettings(
                publicURL: settings.publicURL, registration: settings.registration,
                requestsOTP: settings.requestsOTP, compatibility: compatibility), outgoing: outgoing)
    }

    /// The server of an attacker who has copied the folder.
    func copied() throws -> Server {
        let copy = try newFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy + "/" + name)
        }
        return try Server(folder: copy, clock: clock, settings: settings, outgoing: outgoing)
    }

    /// Another server beside this one, on the same database.
    func replica() throws -> Server {
        try Server(folder: folder, clock: clock, settings: settings, outgoing: outgoing)
    }

    /// The key that signs requests to a D-TA, from its file.
    var appKey: String {
        get throws {
            let file = try String(contentsOf: URL(filePath: folder + "/server"), encoding: .utf8)
            let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("app-key = ") })
            return String(line.dropFirst(10))
        }
    }

    /// One request to the public listener.
    func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], client: String? = nil,
        peer: Peer = Server.address
    ) async -> Response {
        let response = await router.respond(
            to: Request(
                method: method, target: target, host: Server.name,
                contentType: body.isEmpty ? nil : "application/json; charset=UTF-8",
                attempt: "00112233AABBCCDD", peer: peer,
                headers: client.map { [(HeaderName.clientID, $0)] } ?? [], body: body))
        notes.withLock { $0 += response.notes + [LogField("route", response.route.text)] }
        return response
    }

    func send(
        _ method: String, _ target: String, _ message: some Encodable, client: String? = nil,
        peer: Peer = Server.address
    ) async throws -> Response {
        await send(method, target, [UInt8](try JSONEncoder().encode(message)), client: client, peer: peer)
    }

    /// One request of an administrator.
    func administer(_ method: String, _ target: String, _ message: (some Encodable)?) async throws -> Response
    {
        let body = try message.map { [UInt8](try JSONEncoder().encode($0)) } ?? []
        return await admin.respond(
            to: Request(
                method: method, target: target, host: "localhost", peer: .local(user: 0, process: 1),
                body: body))
    }

    /// A new activation code for a userID.
    func add(_ userID: String, replace: Bool = false) async throws -> String {
        let answer = try await administer(
            "POST", AdminRoute.users, AddUserRequest(userId: userID, replace: replace))
        return try read(AddUserResponse.self, answer).activationCode
    }

    /// A host with the key that joining gave it.
    func join(_ name: String, rotate: Bool = false, leaked: Bool? = nil) async throws -> TestHost {
        let route = rotate ? AdminRoute.rotateHost : AdminRoute.hosts
        let added = try read(
            HostCodeResponse.self,
            await administer("POST", route, HostRequest(host: name, hasLeaked: leaked)))
        let code = try OneTimeCode(typed: secret(added.joinCode))
        let joined = try read(
            HostJoinResponse.self,
            await send("POST", Route.host, HostJoinRequest(host: name, joinId: code.joinID())))
        return TestHost(
            key: try HostKey(
                name: [UInt8](name.utf8), epoch: joined.epoch, sealedKey: joined.sealedKey.octets,
                joinKey: code.joinKey(host: [UInt8](name.utf8))))
    }
}

/// The message in an answer, which must have status 200.
func read<T: Decodable>(
    _ type: T.Type, _ response: Response, at location: SourceLocation = #_sourceLocation
) throws -> T {
    try #require(
        response.status == 200, "\(String(decoding: response.body, as: UTF8.self))", sourceLocation: location)
    return try JSONDecoder().decode(type, from: Data(response.body))
}

func secret(_ text: String) throws -> Secret { try unsafe Secret(copying: [UInt8](text.utf8).span.bytes) }
func secret(_ octets: [UInt8]) throws -> Secret { try unsafe Secret(copying: octets.span.bytes) }
func revealed(_ secret: borrowing Secret) -> [UInt8] {
    secret.withBytes { bytes in
        (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}

/// A new folder of mode 0700.
func newFolder() throws -> String {
    var template = Array(("/tmp/mpind-test-" + String(repeating: "X", count: 6)).utf8CString)
    let path = unsafe try #require(unsafe mkdtemp(&template))
    return unsafe String(cString: path)
}

/// A folder with the secret files of a new server and its authority.
func withSecrets(_ body: (String) throws -> Void) throws {
    let folder = try newFolder()
    defer { removeFolder(folder) }
    try ServerSecrets.create(folder: folder)
    try MasterFile.create(folder: folder)
    try body(folder)
}

func removeFolder(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
