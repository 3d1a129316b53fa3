// SPDX-License-Identifier: Apache-2.0
// Messages between mpind and an external relying party application (RPA).
#if !hasFeature(Embedded)

    /// POST to the RPA's verify URL: a user wants to register.
    package struct VerifyRequest: Codable, Equatable, Sendable {
        package let userId: String
        package let mpinId: HexOctets
        package let mobile: Int
        /// The key that confirms this registration: 64 hexadecimal digits.
        package let activateKey: String
        /// `YYYY-MM-DDTHH:MM:SSZ`
        package let expireTime: String
        /// Whether this repeats an earlier request for the same registration.
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

    /// The RPA's response to a `VerifyRequest`; a missing body or key means that forceActivate is false.
    package struct VerifyResponse: Codable, Equatable, Sendable {
        package var forceActivate: Flag?

        package init(forceActivate: Bool) { self.forceActivate = Flag(forceActivate) }
    }

    /// POST user/<mpinId> by the RPA: the user has confirmed who they are.
    package struct ActivateRequest: Codable, Equatable, Sendable {
        package let activateKey: String

        package init(activateKey: String) { self.activateKey = activateKey }
    }

    /// POST authenticate by the RPA: redeems the ticket that a client brought to it.
    package struct ExternalRPAAuthenticateRequest: Codable, Equatable, Sendable {
        package let authOTT: String
        /// The address and the data with which the second device may end the login.
        package var logoutURL: String?
        package var logoutData: JSONValue?

        package init(authOTT: String, logoutURL: String? = nil, logoutData: JSONValue? = nil) {
            self.authOTT = authOTT
            self.logoutURL = logoutURL
            self.logoutData = logoutData
        }
    }

    /// The response to it at every status; the body repeats the status.
    package struct ExternalRPAAuthenticateResponse: Codable, Equatable, Sendable {
        package let status: Int
        package let message: String
        /// `userId` and `mpinId` are empty if the user is not known.
        package let userId: String
        package let mpinId: HexOctets
        /// The one-time password that the client showed; present only if the client requested one and the
        /// login is granted.
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

    /// POST loginResult by the RPA: how it decided about a login that it redeemed.
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
