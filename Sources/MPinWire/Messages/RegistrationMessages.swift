// SPDX-License-Identifier: Apache-2.0
// Messages of a registration: user, signature, client secret, and of a host that joins.
import Octets

#if !hasFeature(Embedded)

    /// PUT user.
    package struct RegisterRequest: Codable, Equatable, Sendable {
        package let userId: String
        /// 1 from the C++ core, 0 from browsers.
        package var mobile: Number?
        package var deviceName: String?
        /// Whatever the RPA wants to know from the client; nobody else looks at it.
        package var userData: JSONValue?
        /// Of the registration that is started again.
        package var regOTT: String?
        package var activateCode: String?
        /// A PIN on a host: the sealed question and its tag.
        package var ask: HexOctets?
        package var askTag: HexOctets?
        /// 1: a personal identity of our client.
        package var bound: Number?
        /// Of the login with the old PIN, in place of a code.
        package var authOTT: String?

        package init(userId: String, mobile: Number? = 0) {
            self.userId = userId
            self.mobile = mobile
        }
    }

    /// The answer to it: the name of the registration, and the one-time text that the secret is fetched with.
    package struct RegisterResponse: Codable, Equatable, Sendable {
        package let mpinId: HexOctets
        package let regOTT: String
        package let active: Flag
        /// Pass 1 will tell how y is made (seal.md, section 4). Said over the connection that the secret
        /// comes by; the client takes no other y ever after.
        package var bound: Flag?
        /// `YYYY-MM-DDTHH:MM:SS.ffffff`, UTC without saying so.
        package var expireTime: String?
        package var nowTime: String?

        package init(
            mpinId: [UInt8], regOTT: String, active: Bool, bound: Bool = false, expireTime: String?,
            nowTime: String?
        ) {
            self.mpinId = HexOctets(mpinId)
            self.regOTT = regOTT
            self.active = Flag(active)
            self.bound = bound ? Flag(true) : nil
            self.expireTime = expireTime
            self.nowTime = nowTime
        }
    }

    /// GET signature: the share of D-TA 1, plain or sealed for the host, and the query for D-TA 2.
    package struct SignatureResponse: Codable, Equatable, Sendable {
        package var clientSecretShare: HexOctets?
        package var sealedShare: HexOctets?
        /// For a second device that our clients registered: its device key, 32 octets.
        package var deviceKey: HexOctets?
        package let params: String

        package init(clientSecretShare: [UInt8], deviceKey: [UInt8]? = nil, params: String) {
            self.clientSecretShare = HexOctets(clientSecretShare)
            self.deviceKey = deviceKey.map(HexOctets.init)
            self.params = params
        }

        package init(sealedShare: [UInt8], params: String) {
            self.sealedShare = HexOctets(sealedShare)
            self.params = params
        }
    }

    /// GET clientSecret of a D-TA.
    package struct ClientSecretResponse: Codable, Equatable, Sendable {
        package var clientSecret: HexOctets?
        package var sealedShare: HexOctets?
        package var message: String? = "OK"

        package init(clientSecret: [UInt8]) { self.clientSecret = HexOctets(clientSecret) }
        package init(sealedShare: [UInt8]) { self.sealedShare = HexOctets(sealedShare) }
    }

    /// POST host.
    package struct HostJoinRequest: Codable, Equatable, Sendable {
        package let host: String
        package let joinId: HexOctets

        package init(host: String, joinId: [UInt8]) {
            self.host = host
            self.joinId = HexOctets(joinId)
        }
    }

    /// The answer to it: a host key, sealed under the join code (48 octets), and its epoch.
    package struct HostJoinResponse: Codable, Equatable, Sendable {
        package let epoch: UInt32
        package let sealedKey: HexOctets

        package init(epoch: UInt32, sealedKey: [UInt8]) {
            self.epoch = epoch
            self.sealedKey = HexOctets(sealedKey)
        }
    }
#endif
