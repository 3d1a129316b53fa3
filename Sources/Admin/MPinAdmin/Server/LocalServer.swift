// SPDX-License-Identifier: Apache-2.0
// The mpind on this machine: root gets codes over its admin socket.
import CPlatform
import FoundationEssentials
import MPin
import MPinCurl
import MPinSystem
import MPinLogin
import MPinProof
import MPinWire
import Octets
import Secrets

/// The server on this host, as its mpind.conf describes it.
struct LocalServer {
    static let program = "/usr/bin/mpind"

    private let location: ServerLocation
    /// The value of `backend` in mpin.conf for this server.
    var backend: String {
        let listeners = location.listen + ServerLocation.usual.listen
        return listeners.first { !$0.isTCP }?.text ?? ""
    }
    /// `public-url` of mpind.conf, the address that phones use; nil if it is not https.
    var publicURL: String? {
        location.publicURL.flatMap { $0.origin.hasPrefix("https://") ? $0.origin : nil }
    }

    init() throws(Failure) {
        let file = try Failure.ofFile(HostFile.ifThere(ServerLocation.file, followsLink: true))
        guard let file else {
            location = .usual
            return
        }
        do { location = ServerLocation(try parse(file.text)) } catch {
            throw Failure(HostFileError(file.path, .notAFile))
        }
    }

    /// The address of the phone page; nil if this server has no page or no https address.
    var pageAddress: String? {
        guard let publicURL, let folder = location.page.folder,
            unsafe access(folder + "/index.html", F_OK) == 0
        else { return nil }
        return publicURL + "/"
    }

    /// The units of systemd that open what mpind.conf names, and that renew a certificate of mpind's own CA.
    var units: [String] {
        let further = LocalServer.furtherSockets.filter { socket in
            let all = location.listen + location.proxyListen + [location.metricsListen].compactMap(\.self)
            return all.contains { $0.text == socket.address }
        }
        let renews =
            unsafe location.certificate == "/etc/mpin/tls/server.pem"
            && access("/etc/mpin/tls/ca.key", F_OK) == 0
        return ["mpind.socket", "mpind-admin.socket"] + further.map(\.unit)
            + (renews ? ["mpind-renew.timer"] : [])
    }

    /// Listeners that systemd binds if their unit is switched on.
    private static let furtherSockets: [(address: String, unit: String)] = [
        ("[::]:443", "mpind-tls.socket"),
        ("unix:/run/mpind/proxy.sock", "mpind-proxy.socket"),
        ("unix:/run/mpind/metrics.sock", "mpind-metrics.socket"),
    ]

    /// Whether a backend of mpin.conf means this server.
    func isMeant(by other: Backend) -> Bool {
        let own = publicURL.flatMap { Backend([UInt8]($0.utf8)) }?.origin
        return other.address == [UInt8](backend.utf8) || other.origin == own
    }

    /// Whether mpind answers at its admin socket.
    var answers: Bool {
        do throws(LocalCallError) {
            return try callLocal("GET", AdminRoute.hosts, body: [], socket: location.adminSocket).status
                == 200
        } catch { return false }
    }

    /// A join for this host. If the server knows the host already, the host key is rotated.
    func join(_ host: [UInt8]) throws(Failure) -> HostJoin {
        let code = try joinCode(text(host))
        do {
            let typed = try unsafe Secret(copying: code.span.bytes)
            return try joining(host, typed)
        } catch { throw Failure(.broken, "mpind gave an invalid join code.") }
    }

    private func joinCode(_ host: String) throws(Failure) -> [UInt8] {
        let request = HostRequest(host: host)
        let added = try call(AdminRoute.hosts, request)
        let response = added.status == 409 ? try call(AdminRoute.rotateHost, request) : added
        return Array(try decoded(HostCodeResponse.self, response).joinCode.utf8)
    }

    /// An activation code without hyphens.
    /// - Parameter byQRCode: whether the code is for a QR code; then it is valid for ten minutes.
    func activationCode(_ userID: String, byQRCode: Bool = false) throws(Failure) -> [UInt8] {
        let request = AddUserRequest(userId: userID, replace: false, byQRCode: byQRCode)
        let response = try decoded(AddUserResponse.self, call(AdminRoute.users, request))
        let shown = Array(response.activationCode.utf8)
        do {
            let typed = try unsafe Secret(copying: shown.span.bytes)
            let code = try OneTimeCode(typed: typed)
            if code.isForQRCode == byQRCode { return octets(of: code.letters) }
        } catch {}
        throw Failure(.broken, "mpind gave an invalid activation code.")
    }

    /// Ends an activation code at once. Without an answer of the server it lives out its time.
    func end(_ code: [UInt8], of userID: String) {
        let request = EndCodeRequest(userId: userID, activationCode: String(decoding: code, as: UTF8.self))
        _ = try? call(AdminRoute.endCode, request)
    }

    private func call(_ path: String, _ message: some Encodable) throws(Failure) -> LocalResponse {
        guard let body = try? JSONEncoder().encode(message) else { throw .outOfMemory }
        do throws(LocalCallError) {
            return try callLocal("POST", path, body: [UInt8](body), socket: location.adminSocket)
        } catch {
            throw Failure(
                .unreachable,
                error == .denied
                    ? "\(shown(location.adminSocket)): \(accessMessage(EACCES))."
                    : "There is no answer at \(shown(location.adminSocket)). Does 'mpind serve' run here?")
        }
    }

    private func decoded<Message: Decodable>(
        _ type: Message.Type, _ response: LocalResponse
    ) throws(Failure) -> Message {
        let body = Data(response.body)
        if response.status == 200, let message = try? JSONDecoder().decode(type, from: body) {
            return message
        }
        let said = try? JSONDecoder().decode(StatusMessage.self, from: body).message
        // 503: the server could not do it, or does not know whether it did.
        let kind: FailureKind = response.status == 503 ? .unreachable : .refused
        throw Failure(kind, "mpind refused: \(shown(said ?? "status \(response.status)")).")
    }
}
