// SPDX-License-Identifier: Apache-2.0
// Where mpind answers otherwise than the Milagro server even to its own clients and its own RPA, and why.

extension Differences {
    static let compatible = Differences(
        routes: [
            "/rps/mobileConfig": .init(404, notThere, "no list of other servers is kept"),
            "/rps/clientSettings": .init(
                200, settings.merging(["accessNumberURL": text, "getAccessNumberURL": text]) { $1 },
                "numbers and QRs are offered alike"),
        ],
        single: [
            "07 17": .init(200, nil, memory), "07 19": .init(200, share, memory),
            "11 39": .init(401, redeemed, "the password of a login that failed lets nobody in"),
            "12 16": .init(200, details, "in the spellings of server and client, and for our own clients"),
            "20 10": .init(200, registered, "a registration that is not begun again is a new one"),
            "20 11": .init(200, registered, "a registration that is not begun again is a new one"),
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
        ])

    private static let memory = "its store in memory lost the registration"
    private static let once = "an authOTT is redeemed once"
    private static let used = "a pass 1 is used up by its pass 2"
    private static let proved = ["version": text, "pass": .number(2), "authOTT": text]
    private static let own = "an authOTT and its verdict are one to one"
    private static let redeemed = ["status": .number(0), "message": text, "userId": text, "mpinId": text]
    private static let details = [
        "AppLogoUrl": text, "AppName": text, "PrerollId": text, "appLogoURL": text, "appName": text,
        "prerollId": text, "attempt": text, "seen": text,
    ]
}
