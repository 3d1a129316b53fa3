// SPDX-License-Identifier: Apache-2.0
// `mpin authcode`: gets an authorization code for an application.
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// An authorization code for an application.
package struct AuthcodeReport: Report {
    let code: String
    let identity: String

    /// The code alone.
    package var lines: [String] { [code] }
}

extension TokenChoice {
    /// Shows which application an authorize URL belongs to, asks for the PIN, and gets a code. `app` is the
    /// client id that the URL must name. Throws if there is no code.
    package func authorise(
        _ url: String, of app: String, _ dialogue: Dialogue
    ) throws(Failure) -> AuthcodeReport {
        guard let hash = url.utf8.firstIndex(of: 0x3f) else { throw .otherURL }
        let query = url[hash...].dropFirst().split(separator: "&")
        // The id must stand there once and without escapes: if there are two, the server may read the other.
        let named = query.filter { $0.hasPrefix("client_id") || $0.prefix { $0 != "=" }.contains("%") }
        guard named == ["client_id=\(app)"] else { throw .otherURL }
        let token = try token(at: Backend([UInt8](url[..<hash].utf8))?.origin)
        var line = try token.connected()
        let (identity, settings) = (token.identity, token.settings)
        let wid = try session(of: url, over: &line, settings)
        let person = Approver(
            dialogue, prompt: "PIN, if that is you: ", nothing: Failure(.cancelled, "No code was taken."))
        let proved = try token.prove(.application(wid: wid), over: &line, person)
        guard case .authorised(let code) = proved.outcome else {
            throw Failure(proved.outcome, settings, nothing: "There is no code.")
        }
        for notice in proved.notices { dialogue.tell(notice) }
        return AuthcodeReport(code: text(code), identity: hexText(identity.id))
    }

    private func session(
        of url: String, over line: inout CurlTransport, _ settings: Settings
    ) throws(Failure) -> [UInt8] {
        let answer: DeviceResponse
        do { answer = try line.exchange(.authorize(url: [UInt8](url.utf8))) } catch {
            throw Failure(personal: .transport(error), settings)
        }
        if case .authorizing(let wid)? = answer.body { return wid }
        if (400...499).contains(answer.status) { throw .notOfApplication }
        throw Failure(answer.status, settings)
    }
}

extension Failure {
    fileprivate static let otherURL = Failure(
        .refused, "This is not an authorize URL of that application. Nothing was sent.")
    fileprivate static let notOfApplication = Failure(
        .refused, "The server knows no such application under this URL.")
}
