// SPDX-License-Identifier: Apache-2.0
// Paths, header names and query keys that both ends of HTTP use.

/// Paths at mpind. At a Milagro server, clients use only `clientSettings`, and take other paths from its
/// response.
package enum Route {
    package static let clientSettings = "/rps/clientSettings"
    /// PUT; with a slash and `mpinId` in hexadecimal, it repeats that registration.
    package static let user = "/rps/user"
    /// GET, with a slash and `mpinId` in hexadecimal.
    package static let signature = "/rps/signature"
    package static let setupDone = "/rps/setupDone"
    package static let timePermit = "/rps/timePermit"
    /// Clients append `/pass1` and `/pass2`.
    package static let authServer = "/rps"
    package static let passOne = "/rps/pass1"
    package static let passTwo = "/rps/pass2"
    package static let mobileAuthenticate = "/rps/authenticate"
    package static let getQrUrl = "/rps/getQrUrl"
    package static let getAccessNumber = "/rps/getAccessNumber"
    /// A browser polls its session here.
    package static let access = "/rps/access"
    package static let codeStatus = "/rps/codeStatus"
    package static let waiting = "/rps/waiting"
    package static let otp = "/rps/otp"
    package static let standing = "/rps/standing"
    package static let host = "/rps/host"
    package static let authenticate = "/mpinAuthenticate"
    package static let logout = "/mpinLogout"
    /// Requests of an application: an authorize URL, and the check of an authorization code.
    package static let authorizeURL = "/authzurl"
    package static let authorizationCode = "/authtoken"
    /// The path of authorize URLs.
    package static let authorize = "/authorize"
    package static let service = "/service"
    package static let status = "/status"
    /// Clients append `clientSecret?...` and `timePermit?...`.
    package static let authority = "/dta2/"
    package static let authorityClientSecret = "/dta2/clientSecret"
    package static let authorityTimePermit = "/dta2/timePermit"
    package static let authorityStatus = "/dta2/status"
}

/// Paths of the listener for external RPAs.
package enum ExternalRPARoute {
    /// With a slash and `mpinId` in hexadecimal.
    package static let user = "/user"
    package static let authenticate = "/authenticate"
    package static let loginResult = "/loginResult"
}

/// Paths of the administrator's socket (AdminMessages.swift).
package enum AdminRoute {
    package static let users = "/v1/users"
    package static let showUser = "/v1/users/show"
    /// The end of one activation code.
    package static let endCode = "/v1/users/end-code"
    package static let revokeUser = "/v1/users/revoke"
    /// Revokes a user, and forgets them.
    package static let removeUser = "/v1/users/remove"
    package static let unlockUser = "/v1/users/unlock"
    package static let confirmUser = "/v1/users/confirm"
    package static let suspendUser = "/v1/users/suspend"
    package static let resumeUser = "/v1/users/resume"
    package static let hosts = "/v1/hosts"
    package static let removeHost = "/v1/hosts/remove"
    package static let rotateHost = "/v1/hosts/rotate"
    package static let applications = "/v1/apps"
    package static let removeApplication = "/v1/apps/remove"
    package static let audit = "/v1/audit"
}

/// HTTP headers of this project and of Milagro.
package enum HeaderName {
    /// The attempt id, 16 hexadecimal digits, in every request of one login.
    package static let attempt = "MPin-Attempt"
    /// The client id of the application that sends the request, or to which a user logs in.
    package static let clientID = "X-MIRACL-Client-ID"
    /// In requests to an RPA: the address under which the client knows this server.
    package static let baseURL = "RPS-BASE-URL"
}

/// Keys of the queries of `signature`, `clientSecret` and `timePermit`.
package enum QueryKey {
    package static let regOTT = "regOTT"
    /// The hash A of the sealed question, in hexadecimal: requests a share that is sealed for the host.
    package static let a = "A"
    package static let appID = "app_id"
    package static let mobile = "mobile"
    package static let expires = "expires"
    package static let hashMPinID = "hash_mpin_id"
    package static let hashUserID = "hash_user_id"
    /// The client's address for push messages; only the sender of such messages interprets it.
    package static let pushToken = "pmiToken"
    package static let signature = "signature"
}

/// The value of `version` in every message.
package let protocolVersion = "0.3"
