// SPDX-License-Identifier: Apache-2.0
// Messages of a login: time permits, pass 1, pass 2 and the redemption of the ticket.

#if !hasFeature(Embedded)
    package import Octets

    /// The response to GET timePermit of the RPS: the share of D-TA 1, and the values for the request to D-TA
    /// 2.
    package struct TimePermitResponse: Codable, Equatable, Sendable {
        /// Days since 1970-01-01 UTC.
        package let date: UInt32
        package let timePermit: HexOctets
        package let signature: String
        package let storageId: String
        package var message: String? = "M-Pin Time Permit Generated"
        package var version: String? = protocolVersion

        package init(date: UInt32, timePermit: [UInt8], signature: String, storageId: String) {
            self.date = date
            self.timePermit = HexOctets(timePermit)
            self.signature = signature
            self.storageId = storageId
        }
    }

    /// The response to GET timePermit of a D-TA.
    package struct DTATimePermitResponse: Codable, Equatable, Sendable {
        package let timePermit: HexOctets
        package var message: String? = "OK"

        package init(timePermit: [UInt8]) { self.timePermit = HexOctets(timePermit) }
    }

    /// POST pass1.
    package struct PassOneRequest: Codable, Equatable, Sendable {
        package var pass: Number? = 1
        package let mpinID: HexOctets
        /// U, a point of 65 octets.
        package let u: HexOctets
        /// Empty without a time permit.
        package let ut: HexOctets
        package var ask: HexOctets?
        package var askTag: HexOctets?
        package var seen: HexOctets?
        /// Only from a second device that our clients registered: the tag made with its device key.
        package var deviceTag: HexOctets?

        package init(mpinID: [UInt8], u: [UInt8], ut: [UInt8]) {
            self.mpinID = HexOctets(mpinID)
            self.u = HexOctets(u)
            self.ut = HexOctets(ut)
        }

        private enum CodingKeys: String, CodingKey {
            case pass, ask, askTag, seen, deviceTag
            case mpinID = "mpin_id"
            case u = "U"
            case ut = "UT"
        }
    }

    /// The response to pass 1: the challenge y, 32 octets.
    package struct PassOneResponse: Codable, Equatable, Sendable {
        package let y: Challenge
        package var pass: Number? = 1
        package var version: String? = protocolVersion
        package var message: String? = "OK"
        /// Absent from a Milagro server, and for Milagro's clients.
        package let n: ServerNonce?

        package init(y: Challenge, n: ServerNonce? = nil) {
            self.y = y
            self.n = n
        }
    }

    /// POST pass2.
    package struct PassTwoRequest: Codable, Equatable, Sendable {
        package var pass: Number? = 2
        package let mpinID: HexOctets
        /// V, a point of 65 octets.
        package let v: HexOctets
        package let wid: String
        package let otp: Flag
        /// n as pass 1 gave it; absent with a Milagro server.
        package let n: ServerNonce?
        /// Only from a second device that our clients registered: the tag made with its device key.
        package var deviceTag: HexOctets?

        package init(mpinID: [UInt8], v: [UInt8], wid: String, otp: Bool, n: ServerNonce? = nil) {
            self.mpinID = HexOctets(mpinID)
            self.v = HexOctets(v)
            self.wid = wid
            self.otp = Flag(otp)
            self.n = n
        }

        private enum CodingKeys: String, CodingKey {
            case pass, n, deviceTag
            case mpinID = "mpin_id"
            case v = "V"
            case wid = "WID"
            case otp = "OTP"
        }
    }

    /// The response to pass 2, whether the proof is right or wrong. In an `AuthenticateRequest` only
    /// `authOTT` matters.
    package struct PassTwoResponse: Codable, Equatable, Sendable {
        package var version: String? = protocolVersion
        package var pass: Number? = 2
        package let authOTT: String
        package var otp: String?

        package init(authOTT: String, otp: String? = nil) {
            self.authOTT = authOTT
            self.otp = otp
        }

        private enum CodingKeys: String, CodingKey {
            case version, pass, authOTT
            case otp = "OTP"
        }
    }

    /// POST authenticateURL and mobileAuthenticateURL.
    package struct AuthenticateRequest: Codable, Equatable, Sendable {
        /// For way 1, and for every client of Milagro.
        package var mpinResponse: PassTwoResponse?
        /// The hash A of the sealed question: the host wants a sealed answer.
        package var a: QuestionHash?
        /// For way 3: the hash of the identity whose one-time password was typed.
        package var id: IdentityHash?
        /// With A: a phone was bound; the tag is `HostKey.bindDoneTag`.
        package var bindDoneTag: HexOctets?
        /// The second device refuses the session.
        package var deny: Flag?
        /// With `deny`: the device's owner did not begin this login.
        package var notMe: Flag?

        package init(
            mpinResponse: PassTwoResponse? = nil, a: QuestionHash? = nil, id: IdentityHash? = nil,
            deny: Bool? = nil
        ) {
            self.mpinResponse = mpinResponse
            self.a = a
            self.id = id
            self.deny = deny.map { Flag($0) }
        }

        private enum CodingKeys: String, CodingKey {
            case mpinResponse, id, bindDoneTag, deny, notMe
            case a = "A"
        }
    }

    /// The response at every status; Milagro's clients read only the status.
    package struct AuthenticateResponse: Codable, Equatable, Sendable {
        package var version: String? = protocolVersion
        package var message: String?
        package var answer: HexOctets?
        package var answerTag: HexOctets?
        /// The sealed answer to a bind question, and its tag.
        package var bindAnswer: HexOctets?
        package var bindAnswerTag: HexOctets?
        /// After `bindDoneTag`: whether the identity may approve logins now.
        package var confirmed: Bool?
        /// The notice of wrong tries and its tag: for a host, beside a sealed answer that grants, under the
        /// host key; for a second device, under its device key.
        package var notice: HexOctets?
        package var noticeTag: HexOctets?
        /// Only to a second device whose tag was right: how many tries are left; after a refusal also how
        /// many seconds a lock still lasts, and whether its identity is revoked.
        package var triesLeft: Int?
        package var retryAfter: Int?
        package var revoked: Bool?
        /// To a second device whose key belongs to an older epoch: its new device key, and the tag of it
        /// under the old key.
        package var deviceKey: HexOctets?
        package var deviceKeyTag: HexOctets?
        /// To the second device, after a right proof: for a console's session the approval code, for an
        /// application the authorization code.
        package var code: String?
        /// For the one-time password of pass 2: when it expires and the server's clock, both in milliseconds
        /// since 1970-01-01 UTC, and the seconds between them. Only after a granted login.
        package var expireTime: Int?
        package var nowTime: Int?
        package var ttlSeconds: Int?
        /// To the second device: the address and the data with which it may end the login that it approved.
        /// An external RPA may choose the form of the data.
        package var logoutURL: String?
        package var logoutData: JSONValue?

        package init(message: String? = nil) { self.message = message }
    }

    /// The body of POST logoutURL, as mpind sent it to the second device.
    package struct LogoutData: Codable, Equatable, Sendable {
        package let userId: String
        package let sessionToken: String

        package init(userId: String, sessionToken: String) {
            self.userId = userId
            self.sessionToken = sessionToken
        }

        /// nil for data in the form of an external RPA.
        package init?(_ value: JSONValue?) {
            guard case .object(let fields) = value, case .text(let userId) = fields["userId"],
                case .text(let sessionToken) = fields["sessionToken"]
            else { return nil }
            self.init(userId: userId, sessionToken: sessionToken)
        }

        package var value: JSONValue {
            .object(["userId": .text(userId), "sessionToken": .text(sessionToken)])
        }
    }
#endif
