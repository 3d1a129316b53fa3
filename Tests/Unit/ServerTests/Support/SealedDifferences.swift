// SPDX-License-Identifier: Apache-2.0
// Where mpind without a profile answers differently from the Milagro server, because it is its own RPA.

extension Differences {
    static let sealed = Differences(
        routes: [
            "/authenticate": .init(404, notThere, ownParty), "/loginResult": .init(404, notThere, ownParty),
            "/user/": .init(404, notThere, "an administrator confirms, on the administrator's socket"),
            "/rps/access": .init(404, notThere, "browsers are offered no sessions"),
            "/rps/getQrUrl": .init(400, message, "a session is opened by a host's sealed question"),
            "/rps/mobileConfig": .init(404, notThere, "browsers are offered no sessions"),
            "/rps/clientSettings": .init(
                200, settings.merging(["usePermits": .bool(false)]) { $1 },
                "browsers are offered no sessions, devices are; every login reads revocations"),
        ],
        single: [
            "03 70": .init(403, message, "a lock that ends by itself answers 403, only the last one 410"),
            "20 10": .init(200, registered, "without a right code every answer is alike"),
            "20 11": .init(200, registered, "without a right code every answer is alike"),
            "20 16": .init(200, registered, "a userID is any text in UTF-8"),
            "25 73": .init(403, refused, issued),
            "25 78": .init(
                408, ["message": text, "code": .number(408)], "an expiry that is not a time has passed"),
            "25 79": .init(404, refused, "a server secret is a function call, not a route"),
            "25 81": .init(404, refused, oneDay), "25 82": .init(404, refused, oneDay),
            "25 83": .init(404, refused, oneDay),
        ])

    private static let ownParty = "mpind is its own RPA: a function call, not a route"
    private static let oneDay = "permits for today only, one at a time"
}
