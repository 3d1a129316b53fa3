// SPDX-License-Identifier: Apache-2.0
// What the server says of itself: clientSettings, service, status.
import MPinWire

struct Information: Sendable {
    let backend: ServiceContext

    /// Every URL is relative to where the client found these settings. Those of a browser's access numbers
    /// are there only where these are offered.
    func clientSettings() throws -> Response {
        let service = backend.settings.service
        var settings = ClientSettings()
        let checksNumbers = backend.settings.compatibility?.checksNumbers ?? true
        settings.accessNumberDigits = checksNumbers ? 7 : 6
        settings.accessNumberUseCheckSum = Flag(checksNumbers)
        settings.cSum = 1
        if backend.settings.compatibility != nil {
            settings.accessNumberURL = service.path(Route.access)
            settings.getAccessNumberURL = service.path(Route.getAccessNumber)
        }
        settings.appID = backend.secrets.application.id
        settings.authenticateURL =
            backend.settings.compatibility?.application?.authenticateURL ?? Route.authenticate
        settings.certivoxURL = Route.authority
        settings.codeStatusURL = service.path(Route.codeStatus)
        settings.getQrUrl = service.path(Route.getQrUrl)
        settings.mobileAuthenticateURL = service.path(Route.mobileAuthenticate)
        settings.mpinAuthServerURL = service.path(Route.authServer)
        settings.pinDemand = service.pins
        settings.registerURL = service.path(Route.user)
        settings.requestOTP = Flag(backend.settings.requestsOTP)
        settings.seedValue = try backend.randomText(100)
        settings.setDeviceName = Flag(service.asksDeviceName)
        settings.setupDoneURL = service.path(Route.setupDone)
        settings.signatureURL = service.path(Route.signature)
        settings.timePermitsStorageURL = ""
        settings.timePermitsURL = service.path(Route.timePermit)
        settings.useNFC = false
        // Absent is true, and Milagro's server says nothing.
        if !backend.settings.usesPermits { settings.usePermits = false }
        settings.useWebSocket = false
        return Response(200, json: json(settings))
    }

    func service() -> Response {
        let service = backend.settings.service
        return Response(
            200,
            json: json(
                ServiceDetails(
                    name: service.name, url: backend.settings.publicURL.map { $0 + "/" } ?? "/",
                    rpsPrefix: service.prefix, logoURL: service.logoURL)))
    }

    func status() -> Response { Response(200, json: message("active")) }

    /// The answer for every path that is not there.
    static func notFound() -> Response { Response(404, json: json(NotFound())) }

    private struct NotFound: Encodable {
        let version = protocolVersion
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let service_name = "M-Pin authentication server"
        let message = "URI NOT FOUND"
    }
}
