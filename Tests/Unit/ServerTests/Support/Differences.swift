// SPDX-License-Identifier: Apache-2.0
// Where mpind answers differently from the Milagro server under every profile, and why. The differences of
// one profile are in the files beside this one.
import TestSupport

/// The answer of mpind, and the reason why it differs.
struct Difference {
    let ours: Shape
    let reason: String

    init(_ status: Int, _ fields: [String: JSON]?, _ reason: String) {
        ours = Shape(status, fields)
        self.reason = reason
    }
}

struct Differences {
    /// By route of the RPS.
    private let routes: [String: Difference]
    /// By place in a transcript; these take precedence.
    let single: [String: Difference]

    /// Adds the differences of every profile to those of one.
    init(routes: [String: Difference], single: [String: Difference]) {
        self.routes = routes.merging(Differences.routes) { own, _ in own }
        self.single = single.merging(Differences.single) { own, _ in own }
    }

    /// The difference for an exchange; nil if both must answer alike.
    func of(_ exchange: Exchange, _ place: String) -> Difference? {
        if let single = single[place] { return single }
        guard exchange.edge == "rps" else { return nil }
        return routes.first { exchange.request.path.hasPrefix($0.key) }?.value
    }

    static let text = JSON.string("")
    static let notThere = ["version": text, "service_name": text, "message": text]
    static let message = ["version": text, "message": text]
    static let refused = ["service_name": text, "message": text]
    static let share = ["clientSecretShare": text, "params": text]
    static let registered = [
        "mpinId": text, "regOTT": text, "expireTime": text, "nowTime": text, "active": .bool(false),
    ]
    static let settings: [String: JSON] = [
        "accessNumberDigits": .number(7), "accessNumberUseCheckSum": .bool(true), "appID": text,
        "authenticateURL": text, "codeStatusURL": text, "getQrUrl": text, "cSum": .number(1),
        "certivoxURL": text, "mobileAuthenticateURL": text,
        "mpinAuthServerURL": text, "registerURL": text, "requestOTP": .bool(false), "seedValue": text,
        "setDeviceName": .bool(false), "setupDoneURL": text, "signatureURL": text,
        "timePermitsStorageURL": text, "timePermitsURL": text, "useNFC": .bool(false),
        "useWebSocket": .bool(false),
    ]
    static let alike = "no registration, a wrong regOTT, not active: answered alike"
    static let issued = "a client secret is issued once for each hash"

    private static let routes: [String: Difference] = [
        "/dynamicOptions": .init(404, notThere, "administration has a socket of its own"),
        "/manage/": .init(404, notThere, "administration has a socket of its own"),
        "/service": .init(
            200,
            [
                "logo_url": text, "name": text, "rps_prefix": text, "server": text, "type": text, "url": text,
            ], "our devices register at mpind alone, and ask which server this is"),
    ]

    private static let single: [String: Difference] = [
        "21 20": .init(401, nil, alike), "21 22": .init(401, nil, alike), "21 23": .init(401, nil, alike),
        "21 24": .init(200, share, "a wrong regOTT deletes nothing"),
        "22 28": .init(410, message, "permits for registered ids only"),
        "22 31": .init(404, notThere, "text that is not hexadecimal is not a path"),
        "23 38": .init(403, message, "a late client is not a server error"),
    ]
}
