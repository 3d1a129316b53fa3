// SPDX-License-Identifier: Apache-2.0
// The backends of one login: choosing the one that answers, and sending requests to it.
import MPinWire

final class BackendClient {
    private let curl: Curl
    private let backends: [BackendEndpoint]
    let alsoOrigins: [BackendEndpoint]
    private let destinations: Destinations
    /// The attempt id, which names this login in the server's log.
    var attempt: [UInt8]
    private let totalMilliseconds: Int
    private let ending: CInt
    /// The backend that answered last; the next request goes to it first.
    private var bound: Int?

    /// Reads all files and resolves all names that are needed; after that the sandbox may close.
    /// - Parameter ending: a descriptor that becomes readable when nobody waits for answers any more; -1:
    ///   none.
    init(_ hello: Hello, caller: UInt32, ending: CInt) throws(CallFailure) {
        let places = hello.backends.map {
            BackendEndpoint(backend: String(decoding: $0, as: UTF8.self), caller: caller)
        }
        let others = hello.alsoOrigins.map {
            BackendEndpoint(alsoOrigin: String(decoding: $0, as: UTF8.self))
        }
        backends = places.compactMap(\.self)
        alsoOrigins = others.compactMap(\.self)
        guard !backends.isEmpty, backends.count == places.count, alsoOrigins.count == others.count else {
            throw .cannotStart
        }
        let proxy = try BackendClient.proxy(hello.proxy)
        let origins = Set((backends + alsoOrigins).filter { $0.socket == nil }.map(\.origin))
        let certificates =
            origins.contains(where: \.isHTTPS)
            ? try authorities(file: String(decoding: hello.caFile, as: UTF8.self), caller: caller) : []
        let connect = Int(clamping: hello.connectMilliseconds)
        destinations = try Destinations(
            origins, through: proxy, recorded: hello.addresses,
            within: Limit(milliseconds: connect, ending: ending))
        curl = try Curl(
            addresses: destinations.entries, authorities: certificates, connectMilliseconds: connect,
            proxy: proxy?.text)
        attempt = hello.attempt
        totalMilliseconds = Int(clamping: hello.totalMilliseconds)
        self.ending = ending
    }

    /// The proxy; nil if there is none. Throws if the text is not the URL of a proxy.
    private static func proxy(_ octets: [UInt8]) throws(CallFailure) -> Origin? {
        guard !octets.isEmpty else { return nil }
        guard let (origin, path) = Origin.split(String(decoding: octets, as: UTF8.self)), !origin.isHTTPS,
            path.isEmpty
        else { throw .cannotStart }
        return origin
    }

    /// The time by which a question that arrives now must be answered.
    /// - Parameter isAbandoned: whether it ends earlier if nobody waits any more.
    func due(isAbandoned: Bool = true) -> Limit {
        Limit(milliseconds: totalMilliseconds, ending: isAbandoned ? ending : -1)
    }

    /// The backend that answered; before that, the first.
    var backend: BackendEndpoint { backends[bound ?? 0] }

    /// Whether a backend is on a Unix socket.
    var hasSocket: Bool { backends.contains { $0.socket != nil } }

    /// Sends a request to the backend that answered before, or to the first. If there is no connection, or it
    /// ends without an answer, the others are tried one after the other; a request that must not be repeated
    /// only if it was not sent. The result is `unreachable` only if all of them are: if one failed otherwise,
    /// its status is the answer.
    func atBackend(_ limit: Limit, _ request: (BackendEndpoint) throws(CallFailure) -> BackendRequest)
        throws(CallFailure)
        -> BackendResponse
    {
        let first = bound ?? 0
        var last = BackendResponse(status: RelayResponse.unreachable)
        for index in [first] + backends.indices.filter({ $0 != first }) {
            guard limit.milliseconds > 0 else { return BackendResponse(status: RelayResponse.timedOut) }
            let request = try request(backends[index])
            let response = send(request, limit)
            let isStillCut = last.isCut && request.isStillCut(response, after: last)
            guard response.isCut || isStillCut || BackendClient.isUnreachable(response.status) else {
                bound = index
                return response
            }
            if last.status == RelayResponse.unreachable { last = response }
        }
        return last
    }

    /// Whether a status says that no server accepted the request, so that the next backend may be tried.
    private static func isUnreachable(_ status: UInt16) -> Bool {
        status == RelayResponse.unreachable || status == RelayResponse.machineFailed
            || Distrust(status: status) != nil
            || RelayResponse.proxysWord(status) != nil
    }

    /// The last system call that the kernel refused.
    var refused: RefusedCall? { curl.refused }

    /// Closes the connections that are kept.
    func rest() { curl.closeConnections() }

    /// Sends one request, and repeats it if the server asks for that and there is time.
    func send(_ request: BackendRequest, _ limit: Limit) -> BackendResponse {
        let place = request.address.place
        if place.socket == nil, let failure = destinations.failure(of: place.origin) {
            return BackendResponse(status: failure)
        }
        let type = request.method == .get ? [] : ["Content-Type: application/json; charset=UTF-8"]
        let headers =
            ["Accept: application/json", "Expect:", "\(HeaderName.attempt): \(HexOctets(attempt).text)"]
            + type
        while true {
            let response = curl.perform(request, headers: headers, within: limit)
            guard request.mayRepeat, !request.isAsk, response.status == 429 || response.status == 503 else {
                return response
            }
            guard (1...60).contains(response.retryAfter), limit.outlasts(seconds: response.retryAfter) else {
                return response
            }
        }
    }
}
