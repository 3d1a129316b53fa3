// SPDX-License-Identifier: Apache-2.0
// Where mpind answers otherwise than the Milagro server without a profile, its RPA being its own.

extension Differences {
    static let sealed = Differences(
        routes: [
            "/authenticate": .init(404, notThere, ownParty), "/loginResult": .init(404, notThere, ownParty),
            "/user/": .init(404, notThere, "confirmation is an administrator's act, on his socket"),
            "/rps/access": .init(404, notThere, "browsers are offered no sessions"),
            "/rps/getQrUrl": .init(400, message, "a session is opened by a host's sealed question"),
            "/rps/mobileConfig": .init(404, notThere, "browsers are offered no sessions"),
            "/rps/clientSettings": .init(
                200, settings.merging(["usePermits": .bool(false)]) { $1 },
                "browsers are offered no sessions, devices are; every login reads revocations"),
        ],
        single: [
            "03 70": .init(403, message, "a lock that ends by itself answers 403, only the last one 410"),
            "20 10": .init(200, registered, "whoever has no right code is answered alike"),
            "20 11": .init(200, registered, "whoever has no right code is answered alike"),
            "20 16": .init(200, registered, "a userID is any text in UTF-8"),
            "25 73": .init(403, refused, issued),
            "25 78": .init(
                408, ["message": text, "code": .number(408)], "an end that is no time has passed"),
            "25 79": .init(404, refused, "a server secret is a function call, no route"),
            "25 81": .init(404, refused, oneDay), "25 82": .init(404, refused, oneDay),
            "25 83": .init(404, refused, oneDay),
        ])

    private static let ownParty = "with its own RPA this is a function call, no route"
    private static let oneDay = "permits for today only, one at a time"
}
