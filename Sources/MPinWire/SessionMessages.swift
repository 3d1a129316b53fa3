// SPDX-License-Identifier: Apache-2.0
// Messages of a session that a second device approves, and of one-time passwords.
#if !hasFeature(Embedded)

    /// POST getQrUrl and POST otp: the question as the host sealed it.
    package struct SealedRequest: Codable, Equatable, Sendable {
        package let ask: HexOctets
        package let askTag: HexOctets

        package init(ask: [UInt8], askTag: [UInt8]) {
            self.ask = HexOctets(ask)
            self.askTag = HexOctets(askTag)
        }
    }

    /// The answer of getQrUrl.
    package struct SessionResponse: Codable, Equatable, Sendable {
        package let ttlSeconds: Int
        /// Ends in `#` and the session's 32 hex digits.
        package let qrUrl: String
        package let webOTT: String
        /// Milliseconds since 1970-01-01 UTC.
        package var localTimeStart: Int?
        package var localTimeEnd: Int?
        package var accessNumber: String?
        package var sessionTag: HexOctets?

        package init(ttlSeconds: Int, qrUrl: String, webOTT: String) {
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

        package init(status: String, wid: String, a: [UInt8]? = nil) {
            self.status = status
            self.wid = wid
            self.a = a.map(HexOctets.init)
        }

        private enum CodingKeys: String, CodingKey {
            case status, wid, userId
            case a = "A"
        }
    }

    /// The answer of POST otp: a tag of 32 octets for each identity of the question, one after the other.
    package struct OTPTagsResponse: Codable, Equatable, Sendable {
        package let otpTags: HexOctets

        package init(otpTags: [UInt8]) { self.otpTags = HexOctets(otpTags) }
    }
#endif
