// SPDX-License-Identifier: Apache-2.0
// GET clientSettings, service and status: what the server publishes about itself.
import MPinWire

struct Information: Sendable {
    let context: ServiceContext

    /// GET clientSettings. URLs are relative to the address of these settings. Those for the access numbers
    /// of browsers are present only under `profile = compat`.
    func clientSettings() throws -> Response {
        let service = context.settings.service
        var settings = ClientSettings()
        let checksNumbers = context.settings.compatibility?.checksNumbers ?? true
        settings.accessNumberDigits = checksNumbers ? 7 : 6
        settings.accessNumberUseCheckSum = Flag(checksNumbers)
        settings.cSum = 1
        if context.settings.compatibility != nil {
            settings.accessNumberURL = service.path(Route.access)
            settings.getAccessNumberURL = service.path(Route.getAccessNumber)
        }
        settings.appID = context.secrets.application.id
        settings.authenticateURL =
            context.settings.compatibility?.externalRPA.authenticateURL ?? Route.authenticate
        settings.certivoxURL = Route.authority
        settings.codeStatusURL = service.path(Route.codeStatus)
        settings.getQrUrl = service.path(Route.getQrUrl)
        settings.mobileAuthenticateURL = service.path(Route.mobileAuthenticate)
        settings.mpinAuthServerURL = service.path(Route.authServer)
        settings.pinDemand = service.pins
        settings.registerURL = service.path(Route.user)
        settings.requestOTP = Flag(context.settings.requestsOTP)
        settings.seedValue = try context.randomText(100)
        settings.setDeviceName = Flag(service.asksDeviceName)
        settings.setupDoneURL = service.path(Route.setupDone)
        settings.signatureURL = service.path(Route.signature)
        settings.timePermitsStorageURL = ""
        settings.timePermitsURL = service.path(Route.timePermit)
        settings.useNFC = false
        if !service.allowsFingerprint { settings.useFingerprint = false }
        // If the key is absent, clients use permits; Milagro's server omits it.
        if !context.settings.usesPermits { settings.usePermits = false }
        settings.useWebSocket = false
        return Response(200, json: json(settings))
    }

    func service() -> Response {
        let service = context.settings.service
        return Response(
            200,
            json: json(
                ServiceDetails(
                    name: service.name, url: context.settings.publicURL.map { $0 + "/" } ?? "/",
                    rpsPrefix: service.prefix, logoURL: service.logoURL)))
    }

    func status() -> Response { Response(200, json: message("active")) }

    /// The answer for every unknown path.
    static func notFound() -> Response { Response(404, json: json(NotFound())) }

    private struct NotFound: Encodable {
        let version = protocolVersion
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let service_name = "M-Pin authentication server"
        let message = "URI NOT FOUND"
    }
}
