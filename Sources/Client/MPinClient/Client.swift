// SPDX-License-Identifier: Apache-2.0
// The client: its settings, its backend, and how it sends requests.
import MPin
import MPinCurl
import MPinWire
import Octets

/// A client of a Milagro server or of mpind: it registers users, logs them in, and lets them approve logins
/// in browsers and at consoles. It does what the core of Milagro's mobile SDK does.
///
/// Every call blocks until it is done, up to ``Configuration/timeout`` seconds for each of its requests,
/// which it sends one after the other. A client is not `Sendable`: use it in an actor of your own or on one
/// thread, but not on the main thread.
///
/// Everything that must survive the program is in the two storages before a call returns. Only in memory are:
/// the shares of a secret between ``confirmRegistration(_:pushMessageIdentifier:)`` and
/// ``finishRegistration(_:pin:)``, time permits, the details of sessions, the last notice, and what
/// ``logout(_:)`` needs.
public final class Client {
    /// The version of this library, `0.1.0` for example.
    public static var version: String { Release.version }

    let userStore: UserStore
    private let http: any HTTP
    private let timeout: Int
    private var headers: [String: String]
    private(set) var trusted = TrustedDomains()
    private(set) var backend: BackendParameters?
    /// What is kept only in memory, by the name of the user's record.
    private var held: [String: ClientMemory] = [:]
    /// The approval details that the app was given to show, by access code.
    var details: [String: ApprovalDetails] = [:]

    /// Reads the storages and, if `settings` name a backend, fetches the backend's settings.
    ///
    /// Throws ``Status/storageError`` if a storage cannot be read or understood, which leaves it unchanged;
    /// ``Status/flowError`` for a malformed header or trusted domain; and what ``setBackend(_:rpsPrefix:)``
    /// throws.
    ///
    /// - Parameters:
    ///   - secure: the storage for tokens and other secrets.
    ///   - plain: the storage for names and states.
    ///   - settings: the configuration.
    ///   - http: carries the client's requests out.
    public init(
        secure: any Storage, plain: any Storage, settings: Configuration = Configuration(),
        http: any HTTP = CurlHTTP()
    ) throws(ClientFailure) {
        userStore = UserStore(secure: secure, plain: plain)
        self.http = http
        timeout = max(1, settings.timeout)
        headers = settings.headers
        for (name, value) in settings.headers { try Client.check(header: name, value) }
        for domain in settings.trustedDomains { try trusted.add(domain) }
        _ = try userStore.records()
        if let backend = settings.backend { try setBackend(backend, rpsPrefix: settings.rpsPrefix) }
    }

    /// Names the app to the server: from now on every request has the header `X-MIRACL-Client-ID`. An empty
    /// id removes the header. Throws ``Status/flowError`` for an id with control characters.
    public func setClientID(_ id: String) throws(ClientFailure) {
        let name = "X-MIRACL-Client-ID"
        try Client.check(header: name, id)
        headers[name] = id.isEmpty ? nil : id
    }

    /// Trusts one more domain, origin or socket, in the form of ``Configuration/trustedDomains``. Throws
    /// ``Status/flowError`` for malformed text.
    public func addTrustedDomain(_ domain: String) throws(ClientFailure) { try trusted.add(domain) }

    /// Fetches the settings of a server without using the server as the backend. Throws what
    /// ``setBackend(_:rpsPrefix:)`` throws.
    public func testBackend(_ url: String, rpsPrefix: String = "rps") throws(ClientFailure) {
        _ = try reached(url, rpsPrefix)
    }

    /// Uses another backend from now on. If this throws, the old one stays.
    ///
    /// Throws ``Status/flowError`` for a malformed address or prefix, ``Status/networkError`` with
    /// ``ClientFailure/untrustedURL`` for a server that ``Configuration/trustedDomains`` do not cover, and
    /// ``Status/responseParseError`` if the server does not answer with its settings.
    ///
    /// - Parameters:
    ///   - url: the address, in the form of ``Configuration/backend``.
    ///   - rpsPrefix: the path between the address and `/clientSettings`, `rps` for example.
    public func setBackend(_ url: String, rpsPrefix: String = "rps") throws(ClientFailure) {
        backend = try reached(url, rpsPrefix)
        held = [:]
        details = [:]
    }

    private func reached(_ url: String, _ rpsPrefix: String) throws(ClientFailure) -> BackendParameters {
        guard let place = NamedBackend(url) else { throw .flow("this is not a backend: \(url)") }
        guard place.isAmong(trusted) else { throw .untrusted(url) }
        let words = rpsPrefix.split(separator: "/").map { "/" + $0 }.joined()
        guard words.isEmpty || isPath(words) else { throw .flow("this is not a prefix: \(rpsPrefix)") }
        return try BackendParameters(
            place, send(.clientSettings, method: .get, to: place.target(path: words + "/clientSettings")))
    }

    /// What a server says about itself, after its address was scanned: its name, and the backend to set. No
    /// backend need be set before.
    ///
    /// Throws ``Status/flowError`` for a malformed address, ``Status/networkError`` with
    /// ``ClientFailure/untrustedURL`` for a server that ``Configuration/trustedDomains`` do not cover, and
    /// ``Status/responseParseError`` for an invalid answer.
    ///
    /// - Parameter url: the address that was scanned; a `#` and everything after it is ignored.
    public func serviceDetails(_ url: String) throws(ClientFailure) -> ServiceDetails {
        let landing = url.prefix { $0 != "#" }
        guard let place = NamedBackend(String(landing)) else { throw .flow("this is not an address: \(url)") }
        guard place.isAmong(trusted) else { throw .untrusted(url) }
        let body = try send(.service, method: .get, to: place.target(path: Route.service))
        guard let details = message(MPinWire.ServiceDetails.self, body), details.type == "online" else {
            throw .answer("the answer is not a valid service message")
        }
        // A server that names no address is at the one that was asked.
        let isHere = details.url.isEmpty || isPath(details.url)
        return ServiceDetails(
            name: details.name, backend: isHere ? place.text + details.url : details.url,
            rpsPrefix: details.rpsPrefix, logoURL: details.logoURL)
    }

    /// One of the settings that the backend published (clientSettings), as text: `true` or `false`, numbers
    /// in decimal, paths as absolute addresses, lists and objects as JSON. nil without a backend, and for an
    /// unknown key.
    public func clientParameter(_ key: String) -> String? { backend?.parameter(key) }

    /// What this client keeps of a user only in memory.
    func memory(of record: StoredRecord) -> ClientMemory {
        if let known = held[record.name] { return known }
        let new = ClientMemory()
        held[record.name] = new
        return new
    }

    func forget(_ record: StoredRecord) { held[record.name] = nil }

    func currentBackend() throws(ClientFailure) -> BackendParameters {
        guard let backend else { throw .noBackend }
        return backend
    }
}

/// What a server says about itself, see ``Client/serviceDetails(_:)``.
public struct ServiceDetails: Equatable, Sendable {
    /// The server's name, for display.
    public let name: String
    /// The address to pass to ``Client/setBackend(_:rpsPrefix:)``.
    public let backend: String
    /// The prefix to pass to ``Client/setBackend(_:rpsPrefix:)``.
    public let rpsPrefix: String
    /// The URL of the server's logo; may be empty.
    public let logoURL: String
}

extension Client {
    private static func check(header name: String, _ value: String) throws(ClientFailure) {
        let isName = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x3a }
        let isValue = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        guard isName, isValue else { throw .flow("this is not a valid header: \(name)") }
    }

    /// Sends a request and returns the body of an answer of status 200. Any other status is thrown as the
    /// ``Status`` that it means for this call.
    func send(
        _ call: Call, method: HTTPRequest.Method, to target: Target, body: [UInt8] = []
    ) throws(ClientFailure) -> [UInt8] {
        let request = HTTPRequest(
            method: method, url: target.url, socket: target.socket, headers: headers(for: method), body: body,
            timeout: timeout)
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try http.send(request) } catch {
            throw ClientFailure(.networkError, error.message)
        }
        let status = Status(call, http: response.status)
        guard status == .ok else {
            let place = target.url.prefix { $0 != "?" }
            // The address comes last, because a long message is cut off.
            var failure = ClientFailure(
                status, "status \(response.status): \(method.rawValue) \(place)", httpStatus: response.status)
            if call == .authenticate || call == .mobileAuthenticate {
                let word = message(AuthenticateResponse.self, response.body).map(DeviceWord.init)
                if word?.isRevoked == true, response.status == 403 {
                    failure = ClientFailure(.revoked, failure.message, httpStatus: response.status)
                }
                (failure.triesLeft, failure.retryAfter) = (word?.triesLeft, word?.retryAfter)
            }
            if call == .user, response.status == 429 { failure = .full(response) }
            throw failure
        }
        return response.body
    }

    /// The same with a message as the body, and a message as the answer.
    func exchange<T: Decodable>(
        _ call: Call, method: HTTPRequest.Method, to target: Target, message: some Encodable,
        as type: T.Type
    ) throws(ClientFailure) -> T {
        try decoded(type, send(call, method: method, to: target, body: written(message)))
    }

    func written(_ message: some Encodable) throws(ClientFailure) -> [UInt8] {
        guard let octets = octets(of: message) else { throw .flow("a value cannot be written as JSON") }
        return octets
    }

    func decoded<T: Decodable>(_ type: T.Type, _ body: [UInt8]) throws(ClientFailure) -> T {
        guard let message = message(type, body) else { throw .answer("the answer is not a valid \(type)") }
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
