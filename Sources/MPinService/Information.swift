// SPDX-License-Identifier: Apache-2.0
// What the server says of itself: clientSettings, service, status.
import MPinWire

struct Information: Sendable {
    let backend: Backend

    /// Every URL is relative to where the client found these settings. Those of a browser's access numbers
    /// are there only where these are offered.
    func clientSettings() throws -> Response {
        var settings = ClientSettings()
        settings.accessNumberDigits = 7
        settings.accessNumberUseCheckSum = true
        settings.cSum = 1
        if backend.settings.compatibility != nil {
            settings.accessNumberURL = Route.access
            settings.getAccessNumberURL = Route.getAccessNumber
        }
        settings.appID = backend.secrets.appID
        settings.authenticateURL =
            backend.settings.compatibility?.application?.authenticateURL ?? Route.authenticate
        settings.certivoxURL = Route.authority
        settings.codeStatusURL = Route.codeStatus
        settings.getQrUrl = Route.getQrUrl
        settings.mobileAuthenticateURL = Route.mobileAuthenticate
        settings.mpinAuthServerURL = Route.authServer
        settings.registerURL = Route.user
        settings.requestOTP = Flag(backend.settings.requestsOTP)
        settings.seedValue = try backend.randomText(100)
        settings.setDeviceName = false
        settings.setupDoneURL = Route.setupDone
        settings.signatureURL = Route.signature
        settings.timePermitsStorageURL = ""
        settings.timePermitsURL = Route.timePermit
        settings.useNFC = false
        // Absent is true, and Milagro's server says nothing.
        if !backend.settings.usesPermits { settings.usePermits = false }
        settings.useWebSocket = false
        return Response(200, json: json(settings))
    }

    func service() -> Response {
        let url = backend.settings.publicURL.map { $0 + "/" } ?? "/"
        return Response(
            200, json: json(ServiceDetails(name: "M-Pin", url: url, rpsPrefix: "rps", logoURL: "")))
    }

    func status() -> Response { Response(200, json: message("active")) }

    /// The answer for every path that is not there.
    static func notFound() -> Response { Response(404, json: json(NotFound())) }

    private struct NotFound: Encodable {
        let version = protocolVersion
        let service_name = "M-Pin authentication server"
        let message = "URI NOT FOUND"
    }
}
