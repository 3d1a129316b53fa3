// SPDX-License-Identifier: Apache-2.0
// Where mpind answers differently from the Milagro server even to Milagro's clients and RPA, and why.

extension Differences {
    static let compatible = Differences(
        routes: [
            "/rps/mobileConfig": .init(404, notThere, "no list of other servers is kept"),
            "/rps/clientSettings": .init(
                200, settings.merging(["accessNumberURL": text, "getAccessNumberURL": text]) { $1 },
                "numbers and QR codes are both offered"),
        ],
        single: [
            "07 17": .init(200, nil, memory), "07 19": .init(200, share, memory),
            "11 39": .init(401, redeemed, "the password of a failed login is not valid"),
            "12 16": .init(200, details, "for both spellings of the keys, and for our own clients"),
            "20 10": .init(200, registered, "a registration that restarts no other is a new one"),
            "20 11": .init(200, registered, "a registration that restarts no other is a new one"),
            "24 55": .init(400, nil, "a body without webOTT is the client's error"),
            "30 102": .init(403, message, used), "30 104": .init(408, redeemed, used),
            "30 105": .init(408, nil, used),
            "30 116": .init(200, proved, "an mpinId is its octets, in digits of either case"),
            "30 117": .init(403, message, used), "30 119": .init(408, redeemed, used),
            "30 120": .init(408, nil, used),
            "30 125": .init(403, message, "a late client is not a server error"),
            "30 128": .init(200, proved, "Milagro's store in memory lost the newer pass 1"),
            "31 187": .init(403, ["message": text], "the first right proof gets the session and its result"),
            "31 188": .init(412, ["message": text], "the first right proof gets the session"),
            "31 196": .init(401, nil, alike), "31 198": .init(403, refused, issued),
            "31 199": .init(403, refused, issued),
            "31 200": .init(403, message, used),
            "32 3974": .init(408, redeemed, own), "32 3978": .init(408, redeemed, once),
            "32 3979": .init(408, redeemed, once),
            "32 3983": .init(412, ["message": text], "an expired proof is gone, and is not counted"),
            "33 23": .init(408, redeemed, own), "33 27": .init(408, redeemed, once),
            "33 28": .init(408, redeemed, once),
            "34 57": .init(
                200, ["logoutURL": text, "logoutData": .object([:])], "a waiting device gets the result"),
        ])

    private static let memory = "Milagro's store in memory lost the registration"
    private static let once = "an authOTT is redeemed once"
    private static let used = "a pass 1 is used up by its pass 2"
    private static let proved = ["version": text, "pass": .number(2), "authOTT": text]
    private static let own = "each authOTT has a verdict of its own"
    private static let redeemed = ["status": .number(0), "message": text, "userId": text, "mpinId": text]
    private static let details = [
        "AppLogoUrl": text, "AppName": text, "PrerollId": text, "appLogoURL": text, "appName": text,
        "prerollId": text, "attempt": text, "seen": text,
    ]
}
