// SPDX-License-Identifier: Apache-2.0
// Messages of a registration (user, signature, client secret), and of a host that joins.
import Octets

#if !hasFeature(Embedded)

    /// PUT user: begins a registration.
    package struct RegisterRequest: Codable, Equatable, Sendable {
        package let userId: String
        /// 1 from the C++ core, 0 from browsers.
        package var mobile: Number?
        package var deviceName: String?
        /// Data of the client for the RPA; mpind does not interpret it.
        package var userData: JSONValue?
        /// `regOTT` of the registration that is repeated.
        package var regOTT: String?
        package var activateCode: String?
        /// For a PIN of a host: the sealed question and its tag.
        package var ask: HexOctets?
        package var askTag: HexOctets?
        /// 1 for a personal identity of our client.
        package var bound: Number?
        /// The ticket of a login with the old PIN, instead of a code.
        package var authOTT: String?

        package init(userId: String, mobile: Number? = 0) {
            self.userId = userId
            self.mobile = mobile
        }
    }

    /// The response to it: the identity, and the one-time text with which the client fetches the secret.
    package struct RegisterResponse: Codable, Equatable, Sendable {
        package let mpinId: HexOctets
        /// The one-time text for the requests that follow.
        package let regOTT: String
        /// Whether the client may fetch its secret now.
        package let active: Flag
        /// Whether pass 1 will bind y to its purpose (seal.md, section 4). The server reports this over the
        /// same connection as the secret; from then on the client accepts no other y.
        package var bound: Flag?
        /// `YYYY-MM-DDTHH:MM:SS.ffffff` in UTC, without a time zone.
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

    /// The response to GET signature: the share of D-TA 1, plain or sealed for the host, and the query for
    /// D-TA 2.
    package struct SignatureResponse: Codable, Equatable, Sendable {
        package var clientSecretShare: HexOctets?
        package var sealedShare: HexOctets?
        /// For a second device that our clients registered: its device key, 32 octets.
        package var deviceKey: HexOctets?
        /// The query of the request to D-TA 2.
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

    /// The response to GET clientSecret of a D-TA.
    package struct ClientSecretResponse: Codable, Equatable, Sendable {
        package var clientSecret: HexOctets?
        package var sealedShare: HexOctets?
        package var message: String? = "OK"

        package init(clientSecret: [UInt8]) { self.clientSecret = HexOctets(clientSecret) }
        package init(sealedShare: [UInt8]) { self.sealedShare = HexOctets(sealedShare) }
    }

    /// POST host: requests a host key with a join code.
    package struct HostJoinRequest: Codable, Equatable, Sendable {
        package let host: String
        package let joinId: HexOctets

        package init(host: String, joinId: [UInt8]) {
            self.host = host
            self.joinId = HexOctets(joinId)
        }
    }

    /// The response to it: a host key, encrypted under the join code (48 octets), and its epoch.
    package struct HostJoinResponse: Codable, Equatable, Sendable {
        package let epoch: UInt32
        package let sealedKey: HexOctets

        package init(epoch: UInt32, sealedKey: [UInt8]) {
            self.epoch = epoch
            self.sealedKey = HexOctets(sealedKey)
        }
    }
#endif
