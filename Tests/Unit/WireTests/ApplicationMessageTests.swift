// SPDX-License-Identifier: Apache-2.0
// The messages about one-time passwords and applications, key by key, as other programs write and read them.
import Foundation
import MPinWire
import Testing

@Suite struct ApplicationMessageTests {
    private func expect<Message: Codable & Equatable>(
        _ message: Message, _ text: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let written = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(message))
        #expect(try written == JSON(text), sourceLocation: location)
        #expect(
            try JSONDecoder().decode(Message.self, from: Data(text.utf8)) == message,
            sourceLocation: location)
    }

    @Test func `a password's times are Milagro's, in milliseconds and seconds`() throws {
        var answer = AuthenticateResponse(message: "m")
        answer.expireTime = 1_795_218_383_000
        answer.nowTime = 1_795_218_263_000
        answer.ttlSeconds = 120
        try expect(
            answer,
            """
            {"version": "0.3", "message": "m", "expireTime": 1795218383000, "nowTime": 1795218263000,
            "ttlSeconds": 120}
            """)
        try expect(
            SealedRequest(ask: [1], askTag: [2]), #"{"ask": "01", "askTag": "02"}"#)
        try expect(
            StandingResponse(standing: [1], standingTag: [2]), #"{"standing": "01", "standingTag": "02"}"#)
        try expect(OTPTagsResponse(otpTags: [1, 2]), #"{"otpTags": "0102"}"#)
        try expect(
            OTPTagsRequest(ask: [1], askTag: [2], otpTags: [3]),
            #"{"ask": "01", "askTag": "02", "otpTags": "03"}"#)
    }

    @Test func `an application's messages equal those of the hosted platform and of its samples`() throws {
        try expect(AuthorizeURLResponse(authorizeURL: "u"), #"{"authorizeURL": "u"}"#)
        try expect(
            AuthorizeResponse(webOTT: "w", qrURL: "q#1", accessURL: "a"),
            #"{"webOTT": "w", "qrURL": "q#1", "accessURL": "a"}"#)
        try expect(
            AuthorizationCodeRequest(code: "c", userID: "a@b"), #"{"code": "c", "userID": "a@b"}"#)
    }

    @Test func `the administrator's messages about applications can be decoded to the same values`() throws {
        try expect(
            AddApplicationRequest(app: "P", redirectUris: ["x:/"]), #"{"app": "P", "redirectUris": ["x:/"]}"#)
        try expect(ApplicationRequest(app: "P"), #"{"app": "P"}"#)
        let application = ApplicationResponse(app: "P", clientId: "c", redirectUris: ["x:/"])
        try expect(application, #"{"app": "P", "clientId": "c", "redirectUris": ["x:/"]}"#)
        try expect(
            ApplicationList(apps: [application]),
            #"{"apps": [{"app": "P", "clientId": "c", "redirectUris": ["x:/"]}]}"#)
    }
}
