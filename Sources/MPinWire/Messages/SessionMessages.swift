// SPDX-License-Identifier: Apache-2.0
// Messages of a session that a second device approves, and of one-time passwords.
import Octets

#if !hasFeature(Embedded)

    /// POST getQrUrl: the question as the host sealed it.
    package struct SealedRequest: Codable, Equatable, Sendable {
        package let ask: HexOctets
        package let askTag: HexOctets

        package init(ask: [UInt8], askTag: [UInt8]) {
            self.ask = HexOctets(ask)
            self.askTag = HexOctets(askTag)
        }
    }

    /// POST getQrUrl of a host that binds a phone.
    package struct BindRequest: Codable, Equatable, Sendable {
        package let bind: HexOctets
        package let bindTag: HexOctets

        package init(bind: [UInt8], bindTag: [UInt8]) {
            self.bind = HexOctets(bind)
            self.bindTag = HexOctets(bindTag)
        }
    }

    /// POST getQrUrl and getAccessNumber of a browser, which may bring nothing at all.
    package struct BrowserSessionRequest: Codable, Equatable, Sendable {
        /// What its page is about, for people.
        package var prerollID: String?

        package init(prerollID: String? = nil) { self.prerollID = prerollID }

        private enum CodingKeys: String, CodingKey {
            case prerollID = "prerollid"
        }
    }

    /// The answer of getQrUrl and getAccessNumber; a console gets both pictures of its session, a browser the
    /// one that it asked for.
    package struct SessionResponse: Codable, Equatable, Sendable {
        package let ttlSeconds: Int
        /// Ends in `#` and the session's 32 hex digits.
        package var qrUrl: String?
        package let webOTT: String
        /// Milliseconds since 1970-01-01 UTC.
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

    /// POST codeStatus: `wid`, `user`, or `abort`.
    package struct CodeStatusRequest: Codable, Equatable, Sendable {
        package let status: String
        package let wid: String
        package var userId: String?
        /// With `abort`: hash of the question that opened the session; without it nothing ends.
        package var a: HexOctets?
        /// With `wid` and `user`: the identity of a device that our clients registered, and its tag. The
        /// look-up is counted for the device then, and not for its source.
        package var id: HexOctets?
        package var deviceTag: HexOctets?

        package init(status: String, wid: String, a: [UInt8]? = nil) {
            self.status = status
            self.wid = wid
            self.a = a.map(HexOctets.init)
        }

        private enum CodingKeys: String, CodingKey {
            case status, wid, userId, id, deviceTag
            case a = "A"
        }
    }

    /// The answer of POST codeStatus to `wid` on a live session: who asks, in the spellings of Milagro's
    /// server (`AppName`) and of its clients (`appName`); every other answer is `Status` alone.
    package struct CodeStatusResponse: Codable, Equatable, Sendable {
        package var status: String?
        package var serverPrerollID: String?
        package var serverAppName: String?
        package var serverAppLogoURL: String?
        package var prerollID: String?
        package var appName: String?
        package var appLogoURL: String?
        /// What the second device shows and proves (`seen`); a console's session only.
        package var seen: HexOctets?
        /// The attempt id of the console's login, 16 hex digits.
        package var attempt: String?
        /// Of a console's session, to a device that brought a right tag: whether it asks for this identity.
        package var asked: Bool?
        /// Of a console's session: the seconds that it lives in all.
        package var life: Int?

        /// Whatever else was asked, whoever asked it, whether or not the session lives.
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

    /// POST access: a browser asks how its session stands.
    package struct AccessRequest: Codable, Equatable, Sendable {
        package let webOTT: String

        package init(webOTT: String) { self.webOTT = webOTT }
    }

    /// The answer to it, Milagro's access of the RPS.
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

    /// The answer of POST standing, to a `SealedRequest`.
    package struct StandingResponse: Codable, Equatable, Sendable {
        package let standing: HexOctets
        package let standingTag: HexOctets

        package init(standing: [UInt8], standingTag: [UInt8]) {
            self.standing = HexOctets(standing)
            self.standingTag = HexOctets(standingTag)
        }
    }

    /// POST otp: a host's question, and a tag of 32 octets for each identity of it, one after the other, of
    /// what was typed there.
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

    /// The answer of POST otp: the tags that were right, and random octets in the places of the others.
    package struct OTPTagsResponse: Codable, Equatable, Sendable {
        package let otpTags: HexOctets

        package init(otpTags: [UInt8]) { self.otpTags = HexOctets(otpTags) }
    }
#endif
