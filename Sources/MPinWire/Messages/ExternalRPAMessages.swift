// SPDX-License-Identifier: Apache-2.0
// Messages between this server and a relying party application (RPA) of somebody else's.
#if !hasFeature(Embedded)

    /// POST to the RPA's verify URL: somebody wants to register.
    package struct VerifyRequest: Codable, Equatable, Sendable {
        package let userId: String
        package let mpinId: HexOctets
        package let mobile: Int
        /// What confirms this registration: 64 hex digits.
        package let activateKey: String
        /// `YYYY-MM-DDTHH:MM:SSZ`
        package let expireTime: String
        /// The same registration once more.
        package let resend: Bool
        package let deviceName: String
        package let userData: JSONValue

        package init(
            userId: String, mpinId: [UInt8], mobile: Int, activateKey: String, expireTime: String,
            resend: Bool, deviceName: String, userData: JSONValue
        ) {
            self.userId = userId
            self.mpinId = HexOctets(mpinId)
            self.mobile = mobile
            self.activateKey = activateKey
            self.expireTime = expireTime
            self.resend = resend
            self.deviceName = deviceName
            self.userData = userData
        }
    }

    /// What the RPA may answer to it; nothing at all is a no to forceActivate.
    package struct VerifyResponse: Codable, Equatable, Sendable {
        package var forceActivate: Flag?

        package init(forceActivate: Bool) { self.forceActivate = Flag(forceActivate) }
    }

    /// POST user/<mpinId> by the RPA: somebody has confirmed who he is.
    package struct ActivateRequest: Codable, Equatable, Sendable {
        package let activateKey: String

        package init(activateKey: String) { self.activateKey = activateKey }
    }

    /// POST authenticate by the RPA: redeems what a client brought it.
    package struct ExternalRPAAuthenticateRequest: Codable, Equatable, Sendable {
        package let authOTT: String
        /// Where and with what the second device may end the login.
        package var logoutURL: String?
        package var logoutData: JSONValue?

        package init(authOTT: String, logoutURL: String? = nil, logoutData: JSONValue? = nil) {
            self.authOTT = authOTT
            self.logoutURL = logoutURL
            self.logoutData = logoutData
        }
    }

    /// The answer at every status, which it repeats.
    package struct ExternalRPAAuthenticateResponse: Codable, Equatable, Sendable {
        package let status: Int
        package let message: String
        /// Both empty where nobody is known.
        package let userId: String
        package let mpinId: HexOctets
        /// The one-time password that the client was shown; absent unless it asked for one and is granted.
        package let otp: String?

        package init(
            status: Int, message: String, userId: String = "", mpinId: [UInt8] = [], otp: String? = nil
        ) {
            self.status = status
            self.message = message
            self.userId = userId
            self.mpinId = HexOctets(mpinId)
            self.otp = otp
        }

        private enum CodingKeys: String, CodingKey {
            case status, message, userId, mpinId
            case otp = "OTP"
        }
    }

    /// POST loginResult by the RPA: what it made of a login that it redeemed.
    package struct LoginResultRequest: Codable, Equatable, Sendable {
        package let authOTT: String
        package let status: Number
        package var message: String?
        package var logoutURL: String?
        package var logoutData: JSONValue?

        package init(
            authOTT: String, status: Int, message: String? = nil, logoutURL: String? = nil,
            logoutData: JSONValue? = nil
        ) {
            self.authOTT = authOTT
            self.status = Number(status)
            self.message = message
            self.logoutURL = logoutURL
            self.logoutData = logoutData
        }
    }
#endif
