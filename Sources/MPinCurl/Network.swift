// SPDX-License-Identifier: Apache-2.0
// The backends of one login: which of them answers, and what every request to it has in common.
import MPinWire

final class Network {
    private let curl: Curl
    private let backends: [Place]
    let alsoOrigins: [Place]
    /// Names that did not resolve: nobody can be reached there.
    private let unresolved: Set<String>
    /// Names of which the resolver said nothing in time: that tells nothing about the network.
    private let late: Set<String>
    /// What names this work in the server's log.
    var attempt: [UInt8]
    private let totalMilliseconds: Int
    /// The backend that answered first: from then on there is no other.
    private var bound: Int?

    /// Reads everything that has to be read and resolved; afterwards neither files nor names are needed.
    init(_ hello: Hello, caller: UInt32) throws(CannotStart) {
        let places = hello.backends.map {
            Place(backend: String(decoding: $0, as: UTF8.self), caller: caller)
        }
        let others = hello.alsoOrigins.map { Place(alsoOrigin: String(decoding: $0, as: UTF8.self)) }
        backends = places.compactMap(\.self)
        alsoOrigins = others.compactMap(\.self)
        guard !backends.isEmpty, backends.count == places.count, alsoOrigins.count == others.count else {
            throw CannotStart()
        }
        let origins = Set((backends + alsoOrigins).filter { $0.socket == nil }.map(\.origin))
        let certificates =
            origins.contains(where: \.isHTTPS)
            ? try authorities(file: String(decoding: hello.caFile, as: UTF8.self), caller: caller) : []
        let connect = Int(clamping: hello.connectMilliseconds)
        let names = Set(origins.compactMap(\.name))
        guard let addresses = resolve(names, milliseconds: connect) else { throw CannotStart() }
        late = names.filter { addresses[$0] == nil }
        unresolved = names.filter { addresses[$0]?.isEmpty == true }
        let entries = origins.compactMap { origin -> String? in
            guard let name = origin.name, let found = addresses[name], !found.isEmpty else { return nil }
            return "\(name):\(origin.port):" + found.joined(separator: ",")
        }
        curl = try Curl(addresses: entries, authorities: certificates, connectMilliseconds: connect)
        attempt = hello.attempt
        totalMilliseconds = Int(clamping: hello.totalMilliseconds)
    }

    /// When the answer to a question that came now is due.
    func due() -> Limit { Limit(milliseconds: totalMilliseconds) }

    /// The backend that answered; before that, the first.
    var backend: Place { backends[bound ?? 0] }

    /// Sends a request to the backend: while none has answered, to one after the other. A 0 or 2 means that
    /// all of them were tried, and where that could not be said of each, or no time was left, it is a 1.
    func atBackend(_ limit: Limit, _ request: (Place) throws(Failure) -> Request) throws(Failure) -> Response
    {
        var last = Response(status: Answer.unreachable)
        for index in bound.map({ $0...$0 }) ?? 0...(backends.count - 1) {
            guard limit.milliseconds > 0 else { return Response(status: Answer.timedOut) }
            let response = send(try request(backends[index]), limit)
            let isLate = isLate(backends[index])
            let isReached = response.status != Answer.unreachable && response.status != Answer.tlsRefused
            guard isLate || !isReached else {
                bound = index
                return response
            }
            if last.status != Answer.timedOut { last = response }
        }
        return last
    }

    private func isLate(_ place: Place) -> Bool {
        place.socket == nil && place.origin.name.map(late.contains) == true
    }

    /// Sends one request; again, when the server asks for that and there is time.
    func send(_ request: Request, _ limit: Limit) -> Response {
        if let name = request.address.place.origin.name, request.address.place.socket == nil,
            unresolved.contains(name)
        {
            return Response(status: Answer.unreachable)
        }
        guard !isLate(request.address.place) else { return Response(status: Answer.timedOut) }
        let type = request.method == .get ? [] : ["Content-Type: application/json; charset=UTF-8"]
        let headers =
            ["Accept: application/json", "Expect:", "\(HeaderName.attempt): \(HexOctets(attempt).text)"]
            + type
        while true {
            let response = curl.perform(request, headers: headers, milliseconds: limit.milliseconds)
            guard request.mayRepeat, !request.isAsk, response.status == 429 || response.status == 503 else {
                return response
            }
            guard (1...60).contains(response.retryAfter), limit.outlasts(seconds: response.retryAfter) else {
                return response
            }
        }
    }
}
