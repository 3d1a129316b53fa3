// SPDX-License-Identifier: Apache-2.0
// Where mpind answers otherwise than the Milagro server, and why: the reasons of the backend's design.

struct Difference {
    /// What mpind answers.
    let ours: Shape
    let reason: String

    /// By the place in a transcript, or else by the route; nil where both must answer alike.
    static func of(_ exchange: Exchange, _ transcript: String) -> Difference? {
        if let single = single["\(transcript) \(exchange.seq)"] { return single }
        guard exchange.edge == "rps" else { return nil }
        return routes.first { exchange.request.path.hasPrefix($0.key) }?.value
    }

    private static let text = JSON.string("")
    private static let notThere = Shape(404, ["version": text, "service_name": text, "message": text])
    private static let notAtDTA = Shape(404, ["service_name": text, "message": text])
    private static let message = ["version": text, "message": text]
    private static let registered = Shape(
        200, ["mpinId": text, "regOTT": text, "expireTime": text, "nowTime": text, "active": .bool(false)])

    /// Routes that mpind does not have.
    private static let routes: [String: Difference] = [
        "/authenticate": Difference(
            ours: notThere, reason: "with its own RPA this is a function call, no route"),
        "/loginResult": Difference(
            ours: notThere, reason: "with its own RPA this is a function call, no route"),
        "/user/": Difference(ours: notThere, reason: "confirmation is an administrator's act, on his socket"),
        "/rps/access": Difference(ours: notThere, reason: "browsers are offered no sessions"),
        "/rps/getQrUrl": Difference(
            ours: Shape(400, message), reason: "a session is opened by a host's sealed question"),
        "/rps/mobileConfig": Difference(ours: notThere, reason: "browsers are offered no sessions"),
        "/dynamicOptions": Difference(ours: notThere, reason: "administration is on a socket of its own"),
        "/manage/": Difference(ours: notThere, reason: "administration is on a socket of its own"),
        "/rps/clientSettings": Difference(
            ours: settings, reason: "browsers are offered no sessions, devices are"),
    ]

    private static let settings = Shape(
        200,
        [
            "accessNumberDigits": .number(7), "accessNumberUseCheckSum": .bool(true), "appID": text,
            "authenticateURL": text, "codeStatusURL": text, "getQrUrl": text, "cSum": .number(1),
            "certivoxURL": text, "mobileAuthenticateURL": text,
            "mpinAuthServerURL": text, "registerURL": text, "requestOTP": .bool(false), "seedValue": text,
            "setDeviceName": .bool(false), "setupDoneURL": text, "signatureURL": text,
            "timePermitsStorageURL": text, "timePermitsURL": text, "useNFC": .bool(false),
            "useWebSocket": .bool(false),
        ])

    private static let single: [String: Difference] = [
        "03 70": Difference(
            ours: Shape(403, message), reason: "a lock that ends by itself answers 403, only the last one 410"
        ),
        "23 38": Difference(
            ours: Shape(403, message), reason: "a client that is late is no failure of the server"),
        "20 10": Difference(ours: registered, reason: "whoever has no right code is answered alike"),
        "20 11": Difference(ours: registered, reason: "whoever has no right code is answered alike"),
        "20 16": Difference(ours: registered, reason: "a userID is any text in UTF-8"),
        "21 20": Difference(
            ours: Shape(401, nil), reason: "no registration, a wrong regOTT, not active: alike"),
        "21 22": Difference(
            ours: Shape(401, nil), reason: "no registration, a wrong regOTT, not active: alike"),
        "21 23": Difference(
            ours: Shape(401, nil), reason: "no registration, a wrong regOTT, not active: alike"),
        "21 24": Difference(
            ours: Shape(200, ["clientSecretShare": text, "params": text]),
            reason: "a wrong regOTT deletes nothing"),
        "22 28": Difference(ours: Shape(410, message), reason: "permits for registered ids only"),
        "22 31": Difference(ours: notThere, reason: "what is no hexadecimal text is no path"),
        "25 73": Difference(ours: notAllowed, reason: "a client secret is issued once for each hash"),
        "25 78": Difference(
            ours: Shape(408, ["message": text, "code": .number(408)]),
            reason: "an end that is no time has passed"),
        "25 79": Difference(ours: notAtDTA, reason: "a server secret is a function call, no route"),
        "25 81": Difference(ours: notAtDTA, reason: "permits for today only, one at a time"),
        "25 82": Difference(ours: notAtDTA, reason: "permits for today only, one at a time"),
        "25 83": Difference(ours: notAtDTA, reason: "permits for today only, one at a time"),
    ]

    private static let notAllowed = Shape(403, ["service_name": text, "message": text])
}
