// SPDX-License-Identifier: Apache-2.0
// Where mpind answers otherwise than the Milagro server even to its own clients and its own RPA, and why.

struct CompatibleDifference {
    let ours: Shape
    let reason: String

    init(_ status: Int, _ fields: [String: JSON]?, _ reason: String) {
        ours = Shape(status, fields)
        self.reason = reason
    }

    /// By the place in a transcript, or else by the route; nil where both must answer alike.
    static func of(_ exchange: Exchange, _ place: String) -> CompatibleDifference? {
        if let single = single[place] { return single }
        guard exchange.edge == "rps" else { return nil }
        return routes.first { exchange.request.path.hasPrefix($0.key) }?.value
    }

    private static let text = JSON.string("")
    private static let notThere = ["version": text, "service_name": text, "message": text]
    private static let message = ["version": text, "message": text]

    private static let routes: [String: CompatibleDifference] = [
        "/rps/mobileConfig": .init(404, notThere, "no list of other servers is kept"),
        "/dynamicOptions": .init(404, notThere, "administration is on a socket of its own"),
        "/manage/": .init(404, notThere, "administration is on a socket of its own"),
        "/rps/clientSettings": .init(200, settings, "numbers and QRs are offered alike"),
    ]

    private static let settings: [String: JSON] = [
        "accessNumberDigits": .number(7), "accessNumberUseCheckSum": .bool(true), "appID": text,
        "accessNumberURL": text, "getAccessNumberURL": text,
        "authenticateURL": text, "codeStatusURL": text, "getQrUrl": text, "cSum": .number(1),
        "certivoxURL": text, "mobileAuthenticateURL": text,
        "mpinAuthServerURL": text, "registerURL": text, "requestOTP": .bool(false), "seedValue": text,
        "setDeviceName": .bool(false), "setupDoneURL": text, "signatureURL": text,
        "timePermitsStorageURL": text, "timePermitsURL": text, "useNFC": .bool(false),
        "useWebSocket": .bool(false),
    ]

    private static let memory = "its store in memory lost the registration"
    private static let alike = "no registration, a wrong regOTT, not active: alike"
    private static let once = "an authOTT is redeemed once"
    private static let used = "a pass 1 is used up by its pass 2"
    private static let proved = ["version": text, "pass": .number(2), "authOTT": text]
    private static let own = "an authOTT and its verdict are one to one"
    private static let issued = "a client secret is issued once for each hash"
    private static let redeemed = ["status": .number(0), "message": text, "userId": text, "mpinId": text]
    private static let registered = [
        "mpinId": text, "regOTT": text, "expireTime": text, "nowTime": text, "active": .bool(false),
    ]
    private static let share = ["clientSecretShare": text, "params": text]
    private static let refused = ["service_name": text, "message": text]
    private static let details = [
        "AppLogoUrl": text, "AppName": text, "PrerollId": text, "appLogoURL": text, "appName": text,
        "prerollId": text, "attempt": text, "seen": text,
    ]

    static let single: [String: CompatibleDifference] = [
        "07 17": .init(200, nil, memory), "07 19": .init(200, share, memory),
        "12 16": .init(200, details, "in the spellings of server and client, and for our own clients"),
        "20 10": .init(200, registered, "a registration that is not begun again is a new one"),
        "20 11": .init(200, registered, "a registration that is not begun again is a new one"),
        "21 20": .init(401, nil, alike), "21 22": .init(401, nil, alike), "21 23": .init(401, nil, alike),
        "21 24": .init(200, share, "a wrong regOTT deletes nothing"),
        "22 28": .init(410, message, "permits for registered ids only"),
        "22 31": .init(404, notThere, "what is no hexadecimal text is no path"),
        "23 38": .init(403, message, "a client that is late is no failure of the server"),
        "24 55": .init(400, nil, "a body without webOTT is no failure of the server"),
        "30 102": .init(403, message, used), "30 104": .init(408, redeemed, used),
        "30 105": .init(408, nil, used),
        "30 116": .init(200, proved, "an mpinId is its octets, in whatever case they are written"),
        "30 117": .init(403, message, used), "30 119": .init(408, redeemed, used),
        "30 120": .init(408, nil, used),
        "30 125": .init(403, message, "a client that is late is no failure of the server"),
        "30 128": .init(200, proved, "its store in memory lost the newer pass 1"),
        "31 187": .init(403, ["message": text], "the first good proof has the session, and hears of it"),
        "31 188": .init(412, ["message": text], "the first good proof has the session"),
        "31 196": .init(401, nil, alike), "31 198": .init(403, refused, issued),
        "31 199": .init(403, refused, issued),
        "31 200": .init(403, message, used),
        "32 3974": .init(408, redeemed, own), "32 3978": .init(408, redeemed, once),
        "32 3979": .init(408, redeemed, once),
        "32 3983": .init(412, ["message": text], "what is too old is gone, and counted against nobody"),
        "33 23": .init(408, redeemed, own), "33 27": .init(408, redeemed, once),
        "33 28": .init(408, redeemed, once),
        "34 57": .init(
            200, ["logoutURL": text, "logoutData": .object([:])], "whoever waits hears of his browser"),
    ]
}
