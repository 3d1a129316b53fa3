// SPDX-License-Identifier: Apache-2.0
// An external RPA: the requests that it gets, its answers, and its own requests.
import FoundationEssentials
import MPin
@testable import MPinDatabase
@testable import MPinServer
import MPinWire
import Secrets
import Synchronization
import Testing

final class Application: Sendable {
    /// The requests that it got, in order.
    let asked = Mutex<[OutgoingRequest]>([])
    /// Its answer to every request; nil if it does not answer.
    private let answer = Mutex<OutgoingResponse?>(OutgoingResponse(status: 200, body: []))

    static let listener = Listener.tcp(host: "127.0.0.1", port: 8012)

    func says(_ status: Int?, _ body: String = "") {
        answer.withLock { $0 = status.map { OutgoingResponse(status: $0, body: [UInt8](body.utf8)) } }
    }

    /// A server whose RPA this is.
    func server(
        registration: RegistrationPolicy = .code, _ change: (inout ExternalRPA) -> Void = { _ in }
    ) throws -> Server {
        var externalRPA = ExternalRPA()
        externalRPA.verifyURL = "http://127.0.0.1:8005/mpinVerify"
        change(&externalRPA)
        var compatibility = Compatibility()
        compatibility.externalRPA = externalRPA
        return try Server(registration: registration, compatibility: compatibility) { request in
            self.asked.withLock { $0.append(request) }
            return self.answer.withLock { $0 }
        }
    }

    /// The last verification request that it got.
    func wish() throws -> VerifyRequest {
        let body = try #require(asked.withLock { $0.last }).body
        return try JSONDecoder().decode(VerifyRequest.self, from: Data(body))
    }
}

extension Server {
    /// One request of the RPA, with the Content-Type that Milagro's demo gives its JSON.
    func askAsApplication(
        _ path: String, _ body: [UInt8], method: String = "POST", host: String = "127.0.0.1:8012",
        origin: String? = nil
    ) async throws -> Response {
        let externalRPA = try #require(settings.compatibility?.externalRPA)
        let router = ExternalRPARouter(
            context: context, externalRPA: externalRPA, listener: Application.listener)
        return await router.respond(
            to: Request(
                method: method, target: path, host: host, origin: origin,
                contentType: "application/x-www-form-urlencoded", peer: .address("127.0.0.1"), body: body))
    }

    func askAsApplication(_ path: String, _ message: some Encodable) async throws -> Response {
        try await askAsApplication(path, [UInt8](try JSONEncoder().encode(message)))
    }

    /// Redeems as the RPA, and checks that the body repeats the status.
    func redeemAsApplication(
        _ authOTT: String, logoutData: JSONValue? = nil
    ) async throws -> ExternalRPAAuthenticateResponse {
        let response = try await askAsApplication(
            ExternalRPARoute.authenticate,
            ExternalRPAAuthenticateRequest(authOTT: authOTT, logoutData: logoutData))
        let answer = try JSONDecoder().decode(
            ExternalRPAAuthenticateResponse.self, from: Data(response.body))
        #expect(answer.status == response.status)
        return answer
    }
}
