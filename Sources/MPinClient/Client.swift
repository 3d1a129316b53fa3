// SPDX-License-Identifier: Apache-2.0
// The client: what it is made of, and what it knows about its backend.
import MPin
import MPinCurl
import MPinWire
import Octets

/// A client of a Milagro server or of mpind: registers users, logs them in, and lets them log browsers and
/// consoles in.
///
/// Every call blocks until it is done, for as long as ``Settings/timeout`` for each request, and does one
/// thing after the other. A client is not `Sendable`: give it to an actor of your own, or to one thread, and
/// keep it off the main one.
///
/// Everything that must survive the program is in the two storages before a call returns. What a call leaves
/// in memory alone is said with it: the shares of a secret between
/// ``confirmRegistration(_:pushMessageIdentifier:)`` and ``finishRegistration(_:pin:)``, permits between the
/// start of a login and its end, and the way to a logout.
public final class Client {
    /// Of this library.
    public static var version: String { Release.version }

    let book: UserStore
    private let http: any HTTP
    private let timeout: Int
    private var headers: [String: String]
    private(set) var trusted = TrustedDomains()
    private(set) var backend: BackendParameters?
    /// By the name of the user's record.
    private var held: [String: ClientMemory] = [:]
    /// What the app was given to show, by the access code that it asked with.
    var details: [String: ApprovalDetails] = [:]

    /// Opens the storages, and asks the backend for its settings where one is named.
    ///
    /// Throws ``Status/storageError`` where a storage cannot be read as a whole; it is left as it is.
    public init(
        secure: any Storage, plain: any Storage, settings: Settings = Settings(), http: any HTTP = CurlHTTP()
    ) throws(Failure) {
        book = UserStore(secure: secure, plain: plain)
        self.http = http
        timeout = max(1, settings.timeout)
        headers = settings.headers
        for (name, value) in settings.headers { try Client.check(header: name, value) }
        for domain in settings.trustedDomains { try trusted.add(domain) }
        _ = try book.records()
        if let backend = settings.backend { try setBackend(backend, rpsPrefix: settings.rpsPrefix) }
    }

    /// Names the app to the server, in the header `X-MIRACL-Client-ID` of every request from now on; empty:
    /// no more.
    public func setClientID(_ id: String) throws(Failure) {
        let name = "X-MIRACL-Client-ID"
        try Client.check(header: name, id)
        headers[name] = id.isEmpty ? nil : id
    }

    /// Trusts one more domain or origin, as ``Settings/trustedDomains`` has it.
    public func addTrustedDomain(_ domain: String) throws(Failure) { try trusted.add(domain) }

    /// Asks a server for its settings, without using it from then on. Throws what
    /// ``setBackend(_:rpsPrefix:)`` would.
    public func testBackend(_ url: String, rpsPrefix: String = "rps") throws(Failure) {
        _ = try reached(url, rpsPrefix)
    }

    /// Uses another backend from now on. When it throws, the old one stays.
    public func setBackend(_ url: String, rpsPrefix: String = "rps") throws(Failure) {
        backend = try reached(url, rpsPrefix)
        held = [:]
        details = [:]
    }

    private func reached(_ url: String, _ rpsPrefix: String) throws(Failure) -> BackendParameters {
        guard let place = NamedBackend(url) else { throw .flow("this is no backend: \(url)") }
        guard place.isAmong(trusted) else { throw .untrusted(url) }
        let words = rpsPrefix.split(separator: "/").map { "/" + $0 }.joined()
        guard words.isEmpty || isPath(words) else { throw .flow("this is no prefix: \(rpsPrefix)") }
        return try BackendParameters(
            place, send(.clientSettings, method: .get, to: place.target(path: words + "/clientSettings")))
    }

    /// What a server tells about itself to somebody who has scanned its address: its name, and the backend to
    /// set.
    ///
    /// - Parameter url: as it was scanned; a `#` and what follows it does not count. No backend need be set.
    public func serviceDetails(_ url: String) throws(Failure) -> ServiceDetails {
        let landing = url.prefix { $0 != "#" }
        guard let place = NamedBackend(String(landing)) else { throw .flow("this is no address: \(url)") }
        guard place.isAmong(trusted) else { throw .untrusted(url) }
        let body = try send(.service, method: .get, to: place.target(path: Route.service))
        guard let details = message(MPinWire.ServiceDetails.self, body), details.type == "online" else {
            throw .answer("this is not what a service looks like")
        }
        // A server without a name for itself is where it was asked.
        let isHere = details.url.isEmpty || isPath(details.url)
        return ServiceDetails(
            name: details.name, backend: isHere ? place.text + details.url : details.url,
            rpsPrefix: details.rpsPrefix, logoURL: details.logoURL)
    }

    /// One of the settings that the backend published, as text: `true` and `false`, numbers in decimal,
    /// addresses whole. nil without a backend, and for a key that it did not name.
    public func clientParameter(_ key: String) -> String? { backend?.parameter(key) }

    /// What this client remembers of a user until it ends.
    func memory(of record: StoredRecord) -> ClientMemory {
        if let known = held[record.name] { return known }
        let new = ClientMemory()
        held[record.name] = new
        return new
    }

    func forget(_ record: StoredRecord) { held[record.name] = nil }

    func currentBackend() throws(Failure) -> BackendParameters {
        guard let backend else { throw .noBackend }
        return backend
    }
}

/// What a server says of itself, see ``Client/serviceDetails(_:)``.
public struct ServiceDetails: Equatable, Sendable {
    /// What the server calls itself, for people.
    public let name: String
    /// For ``Client/setBackend(_:rpsPrefix:)``.
    public let backend: String
    /// For ``Client/setBackend(_:rpsPrefix:)`` as well.
    public let rpsPrefix: String
    /// The URL of the server's picture; may be empty.
    public let logoURL: String
}

extension Client {
    private static func check(header name: String, _ value: String) throws(Failure) {
        let isName = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x3a }
        let isValue = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        guard isName, isValue else { throw .flow("this is no header: \(name)") }
    }

    /// Sends a request and gives the body of an answer of status 200; every other is a failure by the table
    /// of the call.
    func send(
        _ call: Call, method: HTTPRequest.Method, to target: Target, body: [UInt8] = []
    ) throws(Failure) -> [UInt8] {
        let request = HTTPRequest(
            method: method, url: target.url, socket: target.socket, headers: headers(for: method), body: body,
            timeout: timeout)
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try http.send(request) } catch {
            throw Failure(.networkError, error.message)
        }
        let status = Status(call, http: response.status)
        guard status == .ok else {
            let place = target.url.prefix { $0 != "?" }
            // What comes last is cut off where the address is long.
            var failure = Failure(
                status, "status \(response.status): \(method.rawValue) \(place)", httpStatus: response.status)
            if call == .authenticate || call == .mobileAuthenticate {
                let word = message(AuthenticateResponse.self, response.body).map(DeviceWord.init)
                if word?.isRevoked == true, response.status == 403 {
                    failure = Failure(.revoked, failure.message, httpStatus: response.status)
                }
                (failure.triesLeft, failure.retryAfter) = (word?.triesLeft, word?.retryAfter)
            }
            if call == .user, response.status == 429 { failure = .full(response) }
            throw failure
        }
        return response.body
    }

    /// The same with a message, and for one.
    func exchange<T: Decodable>(
        _ call: Call, method: HTTPRequest.Method, to target: Target, message: some Encodable,
        as type: T.Type
    ) throws(Failure) -> T {
        try decoded(type, send(call, method: method, to: target, body: written(message)))
    }

    func written(_ message: some Encodable) throws(Failure) -> [UInt8] {
        guard let octets = octets(of: message) else { throw .flow("a value cannot be written as JSON") }
        return octets
    }

    func decoded<T: Decodable>(_ type: T.Type, _ body: [UInt8]) throws(Failure) -> T {
        guard let message = message(type, body) else { throw .answer("this is not what \(type) looks like") }
        return message
    }

    private func headers(for method: HTTPRequest.Method) -> [String: String] {
        var defaults: [String: String] = [:]
        switch method {
        case .get: break
        case .put, .post:
            defaults = ["Content-Type": "application/json; charset=UTF-8", "Accept": "text/plain"]
        }
        let named = Set(headers.keys.map { $0.lowercased() })
        return headers.merging(defaults.filter { !named.contains($0.key.lowercased()) }) { own, _ in own }
    }
}
