// SPDX-License-Identifier: Apache-2.0
// The content of clientSettings, as addresses that requests may be sent to.
import MPinWire

/// What a login needs of clientSettings.
struct Endpoints {
    let usesPermits: Bool
    let pins: PINDemand
    let appID: String
    private let places: [Name: Address]

    enum Name: CaseIterable {
        case authenticate, authority, passes, register, signature, timePermit, session, codeStatus, device
    }

    /// Throws for a URL of a foreign origin, and for a malformed one: then none of the settings is used.
    init(_ settings: ClientSettings, at backend: BackendEndpoint, also: [BackendEndpoint]) throws(CallFailure)
    {
        usesPermits = settings.permitsAreUsed
        pins = settings.pinDemand
        appID = settings.appID ?? ""
        var places: [Name: Address] = [:]
        for name in Name.allCases {
            guard let text = Endpoints.text(name, in: settings), !text.isEmpty else { continue }
            guard let address = backend.address(text, also: also) else {
                guard let (origin, _) = Origin.split(text) else { throw .notUnderstood }
                throw CallFailure(foreignOrigin: origin.text)
            }
            places[name] = address
        }
        self.places = places
    }

    private static func text(_ name: Name, in settings: ClientSettings) -> String? {
        switch name {
        case .authenticate: settings.authenticateURL
        case .authority: settings.certivoxURL
        case .passes: settings.mpinAuthServerURL
        case .register: settings.registerURL
        case .signature: settings.signatureURL
        case .timePermit: settings.timePermitsURL
        case .session: settings.getQrUrl
        case .codeStatus: settings.codeStatusURL
        case .device: settings.mobileAuthenticateURL
        }
    }

    /// Throws `notUnderstood` if the settings have no such address.
    func address(_ name: Name) throws(CallFailure) -> Address {
        guard let address = places[name] else { throw .notUnderstood }
        return address
    }
}
