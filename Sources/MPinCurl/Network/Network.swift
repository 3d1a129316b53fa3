// SPDX-License-Identifier: Apache-2.0
// The backends of one login: choosing the one that answers, and sending requests to it.
import CPlatform
import MPinWire

final class Network {
    private let curl: Curl
    private let backends: [Endpoint]
    let alsoOrigins: [Endpoint]
    private let destinations: Destinations
    /// The attempt id, which names this login in the server's log.
    var attempt: [UInt8]
    private let connectMilliseconds: Int
    private let totalMilliseconds: Int
    /// The backend that answered first; from then on only it is used.
    private var bound: Int?

    /// Reads all files and resolves all names that are needed; after that the sandbox may close.
    init(_ hello: Hello, caller: UInt32) throws(CannotStart) {
        let places = hello.backends.map {
            Endpoint(backend: String(decoding: $0, as: UTF8.self), caller: caller)
        }
        let others = hello.alsoOrigins.map { Endpoint(alsoOrigin: String(decoding: $0, as: UTF8.self)) }
        backends = places.compactMap(\.self)
        alsoOrigins = others.compactMap(\.self)
        guard !backends.isEmpty, backends.count == places.count, alsoOrigins.count == others.count else {
            throw CannotStart()
        }
        let proxy = try Network.proxy(hello.proxy)
        let origins = Set((backends + alsoOrigins).filter { $0.socket == nil }.map(\.origin))
        let certificates =
            origins.contains(where: \.isHTTPS)
            ? try authorities(file: String(decoding: hello.caFile, as: UTF8.self), caller: caller) : []
        let connect = Int(clamping: hello.connectMilliseconds)
        destinations = try Destinations(
            origins, through: proxy, recorded: hello.addresses, milliseconds: connect)
        curl = try Curl(
            addresses: destinations.entries, authorities: certificates, connectMilliseconds: connect,
            proxy: proxy?.text)
        attempt = hello.attempt
        connectMilliseconds = connect
        totalMilliseconds = Int(clamping: hello.totalMilliseconds)
    }

    /// The proxy; nil if there is none. Throws if the text is not the URL of a proxy.
    private static func proxy(_ octets: [UInt8]) throws(CannotStart) -> Origin? {
        guard !octets.isEmpty else { return nil }
        guard let (origin, path) = Origin.split(String(decoding: octets, as: UTF8.self)), !origin.isHTTPS,
            path.isEmpty
        else { throw CannotStart() }
        return origin
    }

    /// The time by which a question that arrives now must be answered.
    func due() -> Limit { Limit(milliseconds: totalMilliseconds) }

    /// The backend that answered; before that, the first.
    var backend: Endpoint { backends[bound ?? 0] }

    /// Sends a request to the backend. While none has answered, the backends are tried one after the other.
    /// The result is `unreachable` only if all of them are: if one failed otherwise, its status is the
    /// answer.
    func atBackend(_ limit: Limit, _ request: (Endpoint) throws(Failure) -> Request) throws(Failure)
        -> Response
    {
        if let bound { return send(try request(backends[bound]), limit) }
        var last = Response(status: RelayResponse.unreachable)
        for (index, backend) in backends.enumerated() {
            guard limit.milliseconds > 0 else { return Response(status: RelayResponse.timedOut) }
            let request = try request(backend)
            let response: Response
            var isReached = false
            switch dial(backend, limit) {
            case .failed(let status): response = Response(status: status)
            case .connected(let socket):
                // libcurl takes over connected sockets of TCP only.
                if backend.socket != nil { close(socket) }
                response = send(request, limit, connected: backend.socket == nil ? socket : nil)
                isReached = !Network.isUnreachable(response.status)
            }
            guard !isReached else {
                bound = index
                return response
            }
            let isWorse = !RelayResponse.isAway(response.status) || last.status == RelayResponse.unreachable
            if RelayResponse.isAway(last.status), isWorse { last = response }
        }
        return last
    }

    /// Whether a status says that no server accepted the request, so that the next backend may be tried.
    private static func isUnreachable(_ status: UInt16) -> Bool {
        status == RelayResponse.unreachable || status == RelayResponse.machineFailed
            || Distrust(status: status) != nil
            || RelayResponse.proxysWord(status) != nil
    }

    /// Connects to an endpoint: only so it is certain why no server can be reached there.
    private func dial(_ place: Endpoint, _ limit: Limit) -> Dialled {
        let patience = Limit(milliseconds: min(connectMilliseconds, limit.milliseconds))
        let isWhole = limit.milliseconds >= connectMilliseconds
        if let socket = place.socket { return socket.dial(patience) }
        switch destinations.addresses(of: place.origin) {
        case .failure(let failure): return .failed(failure.status)
        case .success(let addresses): return MPinCurl.dial(addresses, patience, isWhole: isWhole)
        }
    }

    /// Whether the backend, or the proxy for it, has a TCP address of this machine, whatever its name is.
    var isBackendNear: Bool {
        guard backend.socket == nil, case .success(let addresses) = destinations.addresses(of: backend.origin)
        else { return false }
        return addresses.contains(where: \.isNear)
    }

    /// Closes the connections that are kept.
    func rest() { curl.closeConnections() }

    /// Sends one request, and repeats it if the server asks for that and there is time.
    /// - Parameter connected: a socket that is connected to the place of the request.
    func send(_ request: Request, _ limit: Limit, connected: CInt? = nil) -> Response {
        let place = request.address.place
        var isNear = true
        if place.socket == nil {
            switch destinations.addresses(of: place.origin) {
            case .success(let addresses): isNear = addresses.contains(where: \.isNear)
            case .failure(let failure):
                if let connected { close(connected) }
                return Response(status: failure.status)
            }
        }
        let response = sendOn(request, limit, over: connected)
        guard isNear, let reason = Distrust(status: response.status) else { return response }
        return Response(status: reason.nearStatus)
    }

    private func sendOn(_ request: Request, _ limit: Limit, over connected: CInt?) -> Response {
        var connected = connected
        let type = request.method == .get ? [] : ["Content-Type: application/json; charset=UTF-8"]
        let headers =
            ["Accept: application/json", "Expect:", "\(HeaderName.attempt): \(HexOctets(attempt).text)"]
            + type
        while true {
            let response = curl.perform(
                request, headers: headers, milliseconds: limit.milliseconds, connected: connected.take())
            guard request.mayRepeat, !request.isAsk, response.status == 429 || response.status == 503 else {
                return response
            }
            guard (1...60).contains(response.retryAfter), limit.outlasts(seconds: response.retryAfter) else {
                return response
            }
        }
    }
}
