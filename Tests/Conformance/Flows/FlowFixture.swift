// SPDX-License-Identifier: Apache-2.0
// What a flow uses: a device with its two files, an administrator, and sentences that it prints as ok or
// FAIL.
import FoundationEssentials
import Glibc
import MPinClient
import MPinCurl
import MPinWire

final class FlowFixture {
    static let pin = "1234"
    let place: FlowServer
    /// A name that no other user of this server has.
    let user: String
    private(set) var sentences = 0
    private(set) var failures = 0
    private let folder: String

    init(_ place: FlowServer) throws {
        self.place = place
        let number = UInt32.random(in: 0 ... .max)
        user = "alice-\(number)@example.org"
        folder = FileManager.default.temporaryDirectory.path + "/mpin-flows-\(number)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var secure: String { folder + "/secure" }

    /// Starts the app again with the device's files.
    func client(
        withBackend: Bool = true, trusting domains: [String] = [], headers: [String: String] = [:],
        by way: (CurlHTTP) -> any HTTP = { $0 }
    ) throws -> Client {
        let own = place.app.map { ["X-Of-App": $0] } ?? [:]
        return try Client(
            secure: FileStorage(path: secure), plain: FileStorage(path: folder + "/plain"),
            settings: Configuration(
                backend: withBackend ? place.backend : nil, headers: own.merging(headers) { $1 },
                trustedDomains: domains, timeout: 15),
            http: way(CurlHTTP(authorities: place.authorities)))
    }

    // MARK: Sentences

    func equal<T: Equatable>(
        _ sentence: String, _ got: @autoclosure () throws -> T, _ wanted: T
    ) {
        sentences += 1
        do {
            let got = try got()
            guard got != wanted else { return print("ok   \(sentence)") }
            print("FAIL \(sentence): got \(got), wanted \(wanted)")
        } catch { print("FAIL \(sentence): \(error)") }
        failures += 1
    }

    func holds(_ sentence: String, _ isSo: @autoclosure () throws -> Bool) {
        equal(sentence, try isSo(), true)
    }

    // MARK: The administrator

    /// Runs a command of mpind with `--json`, and decodes its output.
    func mpind<T: Decodable>(_ words: [String], as type: T.Type) throws -> T {
        guard let program = place.mpind, let config = place.config else {
            throw Missing(what: "--mpind and --config")
        }
        let said = try output([program] + words + ["--json", "--config", config])
        // The command writes times as RFC 3339; in these types they are seconds.
        let seconds = String(decoding: said, as: UTF8.self)
            .replacing(#/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/#) { found in
                let time = try? Date(String(found.1), strategy: .iso8601)
                return time.map { "\(Int($0.timeIntervalSince1970))" } ?? String(found.0)
            }
        return try JSONDecoder().decode(type, from: Data(seconds.utf8))
    }

    /// A new activation code for a user of this server.
    func code(_ user: String, _ more: String...) throws -> String {
        try mpind(["user", "add", user] + more, as: AddUserResponse.self).activationCode
    }

    /// A user who has registered with a code.
    func registered(_ client: Client, _ name: String? = nil, _ more: String...) throws -> User {
        let name = name ?? user
        let code = try mpind(["user", "add", name] + more, as: AddUserResponse.self).activationCode
        let user = try client.startRegistration(client.makeUser(name), activateCode: code)
        try client.confirmRegistration(user)
        return try client.finishRegistration(user, pin: PIN(FlowFixture.pin))
    }
}

/// A network on which each redemption arrives twice: the second answer comes back.
struct Twice: HTTP {
    let http: CurlHTTP

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        if request.url.hasSuffix(Route.authenticate) { _ = try http.send(request) }
        return try http.send(request)
    }
}

/// A device on which the core of Milagro's SDK registers: it asks for no bound registration.
struct OfMilagro: HTTP {
    let http: CurlHTTP
    let authorities: String?

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard request.method == .put else { return try http.send(request) }
        let body = String(decoding: request.body, as: UTF8.self).replacing(#""bound":1"#, with: #""bound":0"#)
        do throws(WebError) {
            let answer = try Web(authorities: authorities ?? "").send(
                .put, request.url, socket: request.socket, headers: request.headers, body: Array(body.utf8),
                seconds: request.timeout)
            return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
        } catch { throw HTTPFailure(error.message) }
    }
}

/// The result of a call: its status, and what it reports besides.
func outcome(_ call: () throws -> Void) -> Outcome {
    do { try call() } catch let failure as MPinClient.ClientFailure {
        return Outcome(status: failure.status, left: failure.triesLeft, retryAfter: failure.retryAfter)
    } catch { fatalError("\(error)") }
    return Outcome(status: .ok)
}

/// The error that a call throws; nil if it succeeds.
func failure(_ call: () throws -> Void) -> ClientFailure? {
    do { try call() } catch let failure as MPinClient.ClientFailure { return failure } catch {
        fatalError("\(error)")
    }
    return nil
}

struct Outcome: Equatable {
    let status: Status
    var left: Int?
    var retryAfter: Int?
}

func status(_ call: () throws -> Void) -> Status { outcome(call).status }

extension Client {
    func logIn(_ user: User, pin: String = FlowFixture.pin) throws -> String {
        try startAuthentication(user)
        return try finishAuthentication(user, pin: PIN(pin))
    }
}

struct Missing: Error { let what: String }

/// Makes printed lines visible at once to the process that waits for them.
func flushEverything() { fflush(nil) }

/// The output of a program; throws if it fails.
private func output(_ words: [String]) throws -> [UInt8] {
    let quoted = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    guard let pipe = unsafe popen(quoted, "r") else { throw Missing(what: words[0]) }
    var said: [UInt8] = []
    while case let octet = unsafe fgetc(pipe), octet != EOF { said.append(UInt8(octet)) }
    guard unsafe pclose(pipe) == 0 else { throw Missing(what: "success of " + quoted) }
    return said
}
