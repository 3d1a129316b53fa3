// SPDX-License-Identifier: Apache-2.0
// Messages of a login: time permits, pass 1, pass 2 and the redemption of what they brought.
import Octets

#if !hasFeature(Embedded)

    /// GET timePermit of the RPS: the share of D-TA 1, and what to ask D-TA 2 with.
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

    /// GET timePermit of a D-TA.
    package struct DTATimePermitResponse: Codable, Equatable, Sendable {
        package let timePermit: HexOctets
        package var message: String? = "OK"

        package init(timePermit: [UInt8]) { self.timePermit = HexOctets(timePermit) }
    }

    /// POST pass1.
    package struct PassOneRequest: Codable, Equatable, Sendable {
        package var pass: Number? = 1
        package let mpinID: HexOctets
        package let u: HexOctets
        /// No octets without a time permit.
        package let ut: HexOctets
        package var ask: HexOctets?
        package var askTag: HexOctets?
        package var seen: HexOctets?
        /// Of a second device that our clients registered: made with its device key.
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

    /// The answer to pass 1: the challenge y, 32 octets.
    package struct PassOneResponse: Codable, Equatable, Sendable {
        package let y: HexOctets
        package var pass: Number? = 1
        package var version: String? = protocolVersion
        package var message: String? = "OK"
        /// Absent from a Milagro server, and to its clients.
        package let n: HexOctets?

        package init(y: [UInt8], n: [UInt8]? = nil) {
            self.y = HexOctets(y)
            self.n = n.map(HexOctets.init)
        }
    }

    /// POST pass2.
    package struct PassTwoRequest: Codable, Equatable, Sendable {
        package var pass: Number? = 2
        package let mpinID: HexOctets
        package let v: HexOctets
        package let wid: String
        package let otp: Flag
        package let n: HexOctets?
        /// Of a second device that our clients registered: made with its device key.
        package var deviceTag: HexOctets?

        package init(mpinID: [UInt8], v: [UInt8], wid: String, otp: Bool, n: [UInt8]? = nil) {
            self.mpinID = HexOctets(mpinID)
            self.v = HexOctets(v)
            self.wid = wid
            self.otp = Flag(otp)
            self.n = n.map(HexOctets.init)
        }

        private enum CodingKeys: String, CodingKey {
            case pass, n, deviceTag
            case mpinID = "mpin_id"
            case v = "V"
            case wid = "WID"
            case otp = "OTP"
        }
    }

    /// The answer of pass2, good or not; within `AuthenticateRequest` only `authOTT` counts.
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
        /// Way 1, and every client of Milagro's.
        package var mpinResponse: PassTwoResponse?
        /// Hash of the sealed question: the answer is wanted sealed.
        package var a: HexOctets?
        /// Way 3: hash of the identity whose one-time password was typed.
        package var id: HexOctets?
        /// With A: a phone was bound, the tag of `bindDone`.
        package var bindDoneTag: HexOctets?
        /// The second device refuses the session.
        package var deny: Flag?
        /// Beside `deny`: its owner did not begin this login.
        package var notMe: Flag?

        package init(
            mpinResponse: PassTwoResponse? = nil, a: [UInt8]? = nil, id: [UInt8]? = nil, deny: Bool? = nil
        ) {
            self.mpinResponse = mpinResponse
            self.a = a.map(HexOctets.init)
            self.id = id.map(HexOctets.init)
            self.deny = deny.map { Flag($0) }
        }

        private enum CodingKeys: String, CodingKey {
            case mpinResponse, id, bindDoneTag, deny, notMe
            case a = "A"
        }
    }

    /// The answer at every status; Milagro's clients read the status alone.
    package struct AuthenticateResponse: Codable, Equatable, Sendable {
        package var version: String? = protocolVersion
        package var message: String?
        package var answer: HexOctets?
        package var answerTag: HexOctets?
        /// Who approved a bind session, and the tag over it.
        package var bindAnswer: HexOctets?
        package var bindAnswerTag: HexOctets?
        /// After `bindDoneTag`: whether the identity may approve logins now.
        package var confirmed: Bool?
        /// The wrong tries before this login, and the tag over them: beside a sealed answer that grants under
        /// the host's key, to a second device under its own.
        package var notice: HexOctets?
        package var noticeTag: HexOctets?
        /// To a second device whose tag was right and whose login was refused: how many tries are left, for
        /// how many seconds a lock lasts, and whether its identity was revoked.
        package var triesLeft: Int?
        package var retryAfter: Int?
        package var revoked: Bool?
        /// To a second device whose key belongs to an older epoch: its new device key, and the tag of the old
        /// one over it.
        package var deviceKey: HexOctets?
        package var deviceKeyTag: HexOctets?
        /// To the second device, after a good proof for a console's session: the approval code. After one for
        /// an application: the authorization code.
        package var code: String?
        /// The one-time password that pass 2 showed: until when it is good, the server's clock, both in
        /// milliseconds since 1970-01-01 UTC, and the seconds between them. Only after a good login.
        package var expireTime: Int?
        package var nowTime: Int?
        package var ttlSeconds: Int?
        /// To the second device: where and with what it may end what it approved; in an application's own
        /// form where that said so.
        package var logoutURL: String?
        package var logoutData: JSONValue?

        package init(message: String? = nil) { self.message = message }
    }

    /// The body of POST logoutURL, as mpind gave it to the second device.
    package struct LogoutData: Codable, Equatable, Sendable {
        package let userId: String
        package let sessionToken: String

        package init(userId: String, sessionToken: String) {
            self.userId = userId
            self.sessionToken = sessionToken
        }

        /// nil for what an application of somebody else's wrote.
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
