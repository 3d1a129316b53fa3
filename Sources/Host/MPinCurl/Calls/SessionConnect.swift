// SPDX-License-Identifier: Apache-2.0
// Connects to mpind before there is anything to send: the pass 1 that follows goes over this connection.
package import MPinWire

/// How a connection for a pass 1 ended.
package enum Connected {
    /// There is no connection; the answer to `connect` says why.
    case never(FramedResponse)
    /// There was a connection, but no pass 1 for it.
    case unused
    /// The answer to the pass 1 that was sent.
    case passed(RelayPassOneRequest, FramedResponse)
}

extension CurlTransport {
    /// Connects to the backend, TLS included, and then takes the pass 1 to send from `next`.
    ///
    /// - Parameters:
    ///   - octets: how long mpinId and question of the pass 1 are together.
    ///   - next: waits for the pass 1; nil if nothing is to be sent. It is called once, as soon as there is a
    ///     connection.
    package mutating func connect(
        octets: UInt16, next: @escaping () -> RelayPassOneRequest?
    ) throws(TransportError) -> Connected {
        try open().connect(octets: octets, next: next)
    }
}

extension Session {
    /// Points, tag, keys and numbers of a pass 1 in JSON have fewer octets than this.
    private static let frameOfPass = 600

    fileprivate func connect(
        octets: UInt16, next: @escaping () -> RelayPassOneRequest?
    ) throws(TransportError) -> Connected {
        var isConnected = false
        var taken: RelayPassOneRequest?
        let late = LateBody(length: 2 * Int(octets) + Session.frameOfPass) {
            isConnected = true
            taken = next()
            return taken.flatMap { try? encoded(PassOneRequest($0)) }
        }
        let limit = client.due()
        let response: BackendResponse
        do throws(CallFailure) {
            response = try client.atBackend(limit) {
                BackendRequest(
                    method: .post, address: $0.address(route: Route.passOne), late: late, isAsk: true)
            }
        } catch { response = BackendResponse(status: error.status) }
        guard isConnected else {
            return .never(try FramedResponse(RelayResponse(kind: .connect, status: response.status)))
        }
        guard let taken else { return .unused }
        isSealed = !taken.sealed.isNone
        let passed: RelayResponse
        do throws(CallFailure) {
            let body = RelayPassOneResponse(try decoded(PassOneResponse.self, response))
            passed = RelayResponse(kind: .passOne, status: 200, body: .passOne(body))
        } catch { passed = RelayResponse(kind: .passOne, status: error.status) }
        return .passed(taken, try FramedResponse(passed))
    }
}
