// SPDX-License-Identifier: Apache-2.0
// What a granted login without a seal brings: an authorization code.
import MPinDatabase
import Octets

extension Applications {
    /// What a granted login without a seal brings in addition to the verdict.
    enum Grant {
        case nothing
        case code(String, of: ApplicationRecord)
        /// The session has ended or was used, or it belongs to another application than the request names.
        case gone
    }

    /// An authorization code for the session that the proof was made for, or for the application that both
    /// pass 2 and this request name: a client that holds only an authOTT cannot choose an application. An
    /// identity that was enrolled by a QR code cannot log in to an application before an administrator has
    /// confirmed it.
    func grant(_ redemption: Redemption, _ request: Request) async throws -> Grant {
        let verdict = redemption.verdict
        let named = try await named(request.clientID)
        let place: CodePlace
        switch verdict.purpose {
        case .application(let wid):
            let session = try await context.storage.applicationSession(wid)
            guard let session, request.clientID.map({ $0 == session.session.clientID }) ?? true else {
                return .gone
            }
            place = .session(wid)
        case .login:
            guard let named else { return .nothing }
            guard verdict.clientID == named.clientID else { return .gone }
            place = .application(named.clientID)
        case .question, .changePIN, .session: return .nothing
        }
        guard redemption.identity?.isUnconfirmed == false else { return .gone }
        let code = try context.randomText(16)
        let application = try await context.storage.keepCode(
            AuthorizationCodeHash(of: code), of: verdict.id, for: place)
        return application.map { .code(code, of: $0) } ?? .gone
    }
}
