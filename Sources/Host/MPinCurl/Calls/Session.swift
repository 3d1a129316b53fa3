// SPDX-License-Identifier: Apache-2.0
// The calls of one login to its backend: JSON is sent and received, and clientSettings are read once.
import FoundationEssentials
import MPinWire
import Octets
import Secrets

/// Answers the questions of one login by HTTP calls.
final class Session {
    let client: BackendClient
    private var known: Endpoints?
    /// Whether the last pass 1 had a sealed question, so that the server is mpind, whose paths are fixed.
    var isSealed = false
    /// The sessions that a second device may still approve.
    private var opened: [RelayEndRequest] = []

    init(_ hello: Hello, caller: UInt32, ending: CInt) throws(CallFailure) {
        client = try BackendClient(hello, caller: caller, ending: ending)
    }

    /// The answer to a question other than `hello`; a failure is its status.
    func answer(_ request: RelayRequest) throws(TransportError) -> FramedResponse {
        let limit = client.due(isAbandoned: !request.opensSession)
        let response: RelayResponse
        do {
            response = try self.answer(request, limit)
        } catch {
            response = RelayResponse(
                kind: request.kind, status: error.status, retryAfter: UInt32(clamping: error.retryAfter),
                origin: [UInt8](error.origin.utf8))
        }
        let framed = try FramedResponse(response)
        if framed.response.status == 200 { settle(request) }
        return framed
    }

    /// Forgets a session that was granted, used or ended: it need not be ended any more.
    private func settle(_ request: RelayRequest) {
        switch request {
        case .authenticate(let login): opened.removeAll { $0.a == login.a }
        case .bindDone(let done): opened.removeAll { $0.a == done.a }
        case .end(let end): opened.removeAll { $0 == end }
        default: break
        }
    }

    private func answer(_ request: RelayRequest, _ limit: Limit) throws(CallFailure) -> RelayResponse {
        let body: RelayResponse.Body
        switch request {
        case .hello, .connect: throw .notUnderstood
        case .settings:
            let endpoints = try endpoints(limit)
            body = .settings(usesPermits: endpoints.usesPermits, pins: endpoints.pins)
        case .permits(let mpinID): body = .permits(try permits(mpinID, limit))
        case .passOne(let pass): body = .passOne(try passOne(pass, limit))
        case .passTwo(let pass): body = .passTwo(try passTwo(pass, limit))
        case .authenticate(let login): return try authenticate(login, limit)
        case .session(let sealed): body = .session(try opening(sealed, for: .login, within: limit))
        case .bind(let sealed): body = .bind(try opening(sealed, for: .bind, within: limit))
        case .bindAnswer(let a): body = .bindAnswer(try bindAnswer(a, limit))
        case .bindDone(let done): body = .bindDone(isConfirmed: try bindDone(done, limit))
        case .end(let end):
            try self.end(end, limit)
            body = .end
        case .otp(let sealed): body = .otp(tags: try otpTags(sealed, limit))
        case .standing(let sealed): body = .standing(try standing(sealed, limit))
        case .register(let new): body = .register(try register(new, limit))
        case .clientSecret(let new): body = .clientSecret(try clientSecret(new, limit))
        case .join(let join): body = .join(try self.join(join, limit))
        case .inspect: body = .inspect(try inspect(limit))
        }
        return RelayResponse(kind: request.kind, status: 200, body: body)
    }

    /// Opens a session, which `endOpened` ends unless it was granted before.
    private func opening(
        _ sealed: TaggedQuestion, for purpose: RelaySessionPurpose, within limit: Limit
    ) throws(CallFailure) -> RelaySessionResponse {
        let session = try session(sealed, for: purpose, within: limit)
        guard let a = QuestionHash(sha256(sealed.question)) else { throw .notUnderstood }
        opened.append(RelayEndRequest(wid: session.wid, a: a))
        return session
    }

    /// Ends the sessions that were opened and neither granted nor ended, within 1.5 seconds, although nobody
    /// waits for that.
    func endOpened() {
        let limit = Limit(milliseconds: 1_500)
        for end in opened { try? self.end(end, limit) }
        opened = []
    }

    /// The addresses from clientSettings, which are requested once.
    func endpoints(_ limit: Limit) throws(CallFailure) -> Endpoints {
        if let known { return known }
        let response = try client.atBackend(limit) {
            BackendRequest(method: .get, address: $0.address(route: Route.clientSettings))
        }
        let settings = try decoded(ClientSettings.self, response)
        let endpoints = try Endpoints(settings, at: client.backend, also: client.alsoOrigins)
        known = endpoints
        return endpoints
    }

    /// The server's clock and the end of its certificate, over a new connection.
    private func inspect(_ limit: Limit) throws(CallFailure) -> RelayInspectResponse {
        let response = try client.atBackend(limit) {
            BackendRequest(method: .get, address: $0.address(route: Route.clientSettings), isInspection: true)
        }
        guard response.status == 200 else { throw CallFailure(status: response.status) }
        return RelayInspectResponse(time: response.time, certificateEnd: response.certificateEnd)
    }

    func get<T: Decodable>(_ type: T.Type, from address: Address, within limit: Limit) throws(CallFailure)
        -> T
    {
        try decoded(type, client.send(BackendRequest(method: .get, address: address), limit))
    }

    /// Sends JSON and decodes the JSON of an answer of status 200. A proof must not be sent again: it counts
    /// as a try.
    func send<T: Decodable>(
        _ method: BackendMethod, _ message: some Encodable, to address: Address, within limit: Limit,
        isProof: Bool = false, isAsk: Bool = false, as type: T.Type
    ) throws(CallFailure) -> T {
        try decoded(type, raw(method, message, to: address, within: limit, isProof: isProof, isAsk: isAsk))
    }

    /// Sends JSON and returns the answer, whatever its status and body.
    func raw(
        _ method: BackendMethod, _ message: some Encodable, to address: Address, within limit: Limit,
        isProof: Bool = false, isAsk: Bool = false
    ) throws(CallFailure) -> BackendResponse {
        let body = try encoded(message)
        return client.send(
            BackendRequest(method: method, address: address, body: body, mayRepeat: !isProof, isAsk: isAsk),
            limit)
    }

    /// Sends JSON to a fixed path of the protocol at the backend, without clientSettings. A message that
    /// `isSecret` is not sent over plain http.
    func post<T: Decodable>(
        _ message: some Encodable, toRoute route: String, _ limit: Limit, isSecret: Bool = false,
        isProof: Bool = false, as type: T.Type
    ) throws(CallFailure) -> T {
        try decoded(type, raw(message, toRoute: route, limit, isSecret: isSecret, isProof: isProof))
    }

    /// The same, and returns the answer, whatever its status and body.
    func raw(
        _ message: some Encodable, toRoute route: String, _ limit: Limit, isSecret: Bool = false,
        isProof: Bool = false
    ) throws(CallFailure) -> BackendResponse {
        let body = try encoded(message)
        return try client.atBackend(limit) { place throws(CallFailure) in
            let address = place.address(route: route)
            return BackendRequest(
                method: .post, address: isSecret ? try protected(address) : address, body: body,
                mayRepeat: !isProof, isAsk: !isSecret)
        }
    }
}

extension RelayRequest {
    /// Whether the answer names a session, without which nobody could end it.
    fileprivate var opensSession: Bool {
        switch self {
        case .session, .bind: true
        default: false
        }
    }
}

/// The same address; throws if it is plain http. The messages of an enrolment are secret and are never sent
/// over plain http, not even to this machine.
func protected(_ address: Address) throws(CallFailure) -> Address {
    guard address.place.isProtected else { throw CallFailure(status: Distrust.tls.status) }
    return address
}

func encoded(_ message: some Encodable) throws(CallFailure) -> [UInt8] {
    do { return [UInt8](try JSONEncoder().encode(message)) } catch { throw .notUnderstood }
}

/// Decodes the body of an answer of status 200; any other status is thrown.
func decoded<T: Decodable>(_ type: T.Type, _ response: BackendResponse) throws(CallFailure) -> T {
    guard response.status == 200 else {
        throw CallFailure(status: response.status, retryAfter: response.retryAfter)
    }
    guard let message = message(type, response) else { throw .notUnderstood }
    return message
}

/// Decodes the body of an answer of any status; nil if it is not a message of this type.
func message<T: Decodable>(_ type: T.Type, _ response: BackendResponse) -> T? {
    guard JSONShape(response.body).depth <= JSONShape.mostLevels else { return nil }
    return try? JSONDecoder().decode(type, from: Data(response.body))
}
