// SPDX-License-Identifier: Apache-2.0
// Messages of a session that a second device approves, and of one-time passwords.

#if !hasFeature(Embedded)
    package import Octets

    /// POST getQrUrl and POST standing: the host's sealed question.
    package struct SealedRequest: Codable, Equatable, Sendable {
        package let ask: HexOctets
        package let askTag: HexOctets

        package init(ask: [UInt8], askTag: [UInt8]) {
            self.ask = HexOctets(ask)
            self.askTag = HexOctets(askTag)
        }
    }

    /// POST getQrUrl of a host that binds a phone: its bind question.
    package struct BindRequest: Codable, Equatable, Sendable {
        package let bind: HexOctets
        package let bindTag: HexOctets

        package init(bind: [UInt8], bindTag: [UInt8]) {
            self.bind = HexOctets(bind)
            self.bindTag = HexOctets(bindTag)
        }
    }

    /// POST getQrUrl and getAccessNumber of a browser, whose body may be empty.
    package struct BrowserSessionRequest: Codable, Equatable, Sendable {
        /// A description of its web page for people.
        package var prerollID: String?

        package init(prerollID: String? = nil) { self.prerollID = prerollID }

        private enum CodingKeys: String, CodingKey {
            case prerollID = "prerollid"
        }
    }

    /// The response to getQrUrl and getAccessNumber. A console gets both the address and the access number of
    /// its session, a browser the one that it requested.
    package struct SessionResponse: Codable, Equatable, Sendable {
        package let ttlSeconds: Int
        /// Ends in `#` and the session's 32 hexadecimal digits.
        package var qrUrl: String?
        /// The text with which a browser polls its session.
        package let webOTT: String
        /// `localTimeStart` and `localTimeEnd` are in milliseconds since 1970-01-01 UTC.
        package var localTimeStart: Int?
        package var localTimeEnd: Int?
        package var accessNumber: String?
        package var sessionTag: HexOctets?

        package init(ttlSeconds: Int, qrUrl: String? = nil, webOTT: String) {
            self.ttlSeconds = ttlSeconds
            self.qrUrl = qrUrl
            self.webOTT = webOTT
        }
    }

    /// POST codeStatus; `status` is `wid`, `user` or `abort`.
    package struct CodeStatusRequest: Codable, Equatable, Sendable {
        package let status: String
        package let wid: String
        package var userId: String?
        /// With `abort`: the hash A of the question that opened the session; without it, no session ends.
        package var a: QuestionHash?
        /// With `wid` and `user`: the identity hash of a device that our clients registered, and its tag.
        /// mpind then counts the look-up for the device and not for its source.
        package var id: IdentityHash?
        package var deviceTag: HexOctets?

        package init(status: String, wid: String, a: QuestionHash? = nil) {
            self.status = status
            self.wid = wid
            self.a = a
        }

        private enum CodingKeys: String, CodingKey {
            case status, wid, userId, id, deviceTag
            case a = "A"
        }
    }

    /// The response to POST codeStatus with `wid` of a live session: who asks, with the keys of Milagro's
    /// server (`AppName`) and of its clients (`appName`). Every other response has only `Status`.
    package struct CodeStatusResponse: Codable, Equatable, Sendable {
        package var status: String?
        package var serverPrerollID: String?
        package var serverAppName: String?
        package var serverAppLogoURL: String?
        package var prerollID: String?
        package var appName: String?
        package var appLogoURL: String?
        /// The approval details (`seen`), which the second device shows and to which it binds its proof.
        package var seen: HexOctets?
        /// The attempt id of the console's login, 16 hexadecimal digits.
        package var attempt: String?
        /// For a console's session, to a device with a right tag: whether the session lists this identity.
        package var asked: Bool?
        /// For a console's session: its whole life in seconds.
        package var life: Int?

        /// The response to every other request, whether or not the session lives.
        package init() { status = "OK" }

        package init(prerollID: String, appName: String, logoURL: String) {
            (serverPrerollID, self.prerollID) = (prerollID, prerollID)
            (serverAppName, self.appName) = (appName, appName)
            (serverAppLogoURL, appLogoURL) = (logoURL, logoURL)
        }

        private enum CodingKeys: String, CodingKey {
            case status = "Status"
            case serverPrerollID = "PrerollId"
            case serverAppName = "AppName"
            case serverAppLogoURL = "AppLogoUrl"
            case prerollID = "prerollId"
            case appName, appLogoURL, seen, attempt, asked, life
        }
    }

    /// POST waiting: a device asks which logins wait for its identity.
    package struct WaitingRequest: Codable, Equatable, Sendable {
        package let id: IdentityHash
        /// Seconds since 1970-01-01 UTC by the device's clock.
        package let time: Number
        package let deviceTag: HexOctets

        package init(time: UInt64, by device: DeviceTag) {
            id = device.id
            self.time = Number(Int(clamping: time))
            deviceTag = HexOctets(device.tag)
        }
    }

    /// The response to POST waiting, newest login first. It has none if the tag is wrong.
    package struct WaitingResponse: Codable, Equatable, Sendable {
        package let waiting: [WaitingLogin]

        package init(_ waiting: [WaitingLogin]) { self.waiting = waiting }
    }

    /// A login that waits at a console, with the values that a response to codeStatus has for its `wid`.
    package struct WaitingLogin: Codable, Equatable, Sendable {
        package let seen: HexOctets
        package let wid: String
        /// The access number, which the console shows too.
        package let number: String
        package let life: Int
        package let attempt: String

        package init(seen: HexOctets, wid: String, number: String, life: Int, attempt: String) {
            (self.seen, self.wid, self.number) = (seen, wid, number)
            (self.life, self.attempt) = (life, attempt)
        }
    }

    /// POST access: a browser asks for the state of its session.
    package struct AccessRequest: Codable, Equatable, Sendable {
        package let webOTT: String

        package init(webOTT: String) { self.webOTT = webOTT }
    }

    /// The response to it, as Milagro's RPS sends it.
    package struct AccessResponse: Codable, Equatable, Sendable {
        /// `new`, `wid`, `user`, `authenticate` or `expired`.
        package let status: String
        package var statusCode: Int? = 0
        package var userId: String
        package var redirectURL: String? = ""
        package var authOTT: String

        package init(status: String, userId: String = "", authOTT: String = "") {
            self.status = status
            self.userId = userId
            self.authOTT = authOTT
        }
    }

    /// The response to POST standing: a `SealedStanding` and its tag.
    package struct StandingResponse: Codable, Equatable, Sendable {
        package let standing: HexOctets
        package let standingTag: HexOctets

        package init(standing: [UInt8], standingTag: [UInt8]) {
            self.standing = HexOctets(standing)
            self.standingTag = HexOctets(standingTag)
        }
    }

    /// POST otp: a host's question and the tags of the typed one-time password, 32 octets for each identity
    /// of the question, one after the other.
    package struct OTPTagsRequest: Codable, Equatable, Sendable {
        package let ask: HexOctets
        package let askTag: HexOctets
        package let otpTags: HexOctets

        package init(ask: [UInt8], askTag: [UInt8], otpTags: [UInt8]) {
            self.ask = HexOctets(ask)
            self.askTag = HexOctets(askTag)
            self.otpTags = HexOctets(otpTags)
        }
    }

    /// The response to POST otp: the tags that were right, and random octets in the places of the others.
    package struct OTPTagsResponse: Codable, Equatable, Sendable {
        package let otpTags: HexOctets

        package init(otpTags: [UInt8]) { self.otpTags = HexOctets(otpTags) }
    }
#endif
