// SPDX-License-Identifier: Apache-2.0
// Paths, header names and query keys that both ends of the wire use, said once.

/// Paths at mpind; of a Milagro server, only `clientSettings` is known and the rest is what it answers.
package enum Route {
    package static let clientSettings = "/rps/clientSettings"
    /// PUT; with the identity's hex behind a slash: the same registration once more.
    package static let user = "/rps/user"
    /// GET, the identity's hex behind a slash.
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
    /// A browser's poll.
    package static let access = "/rps/access"
    package static let codeStatus = "/rps/codeStatus"
    package static let otp = "/rps/otp"
    package static let standing = "/rps/standing"
    package static let host = "/rps/host"
    package static let authenticate = "/mpinAuthenticate"
    package static let logout = "/mpinLogout"
    /// What an application asks for: an authorize URL, and what its code is worth.
    package static let authorizeURL = "/authzurl"
    package static let authorizationCode = "/authtoken"
    /// Where an authorize URL leads.
    package static let authorize = "/authorize"
    package static let service = "/service"
    package static let status = "/status"
    /// What clients append `clientSecret?...` and `timePermit?...` to.
    package static let authority = "/dta2/"
    package static let authorityClientSecret = "/dta2/clientSecret"
    package static let authorityTimePermit = "/dta2/timePermit"
    package static let authorityStatus = "/dta2/status"
}

/// Paths of the RPA's listener.
package enum ExternalRPARoute {
    /// The identity's hex behind a slash.
    package static let user = "/user"
    package static let authenticate = "/authenticate"
    package static let loginResult = "/loginResult"
}

/// Paths of the administrator's socket (AdminMessages.swift).
package enum AdminRoute {
    package static let users = "/v1/users"
    package static let showUser = "/v1/users/show"
    package static let revokeUser = "/v1/users/revoke"
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

/// Headers of our own and of Milagro's.
package enum HeaderName {
    /// The attempt id, 16 hex digits, on every request of one login.
    package static let attempt = "MPin-Attempt"
    /// The client id of the application that asks, or for which somebody logs in.
    package static let clientID = "X-MIRACL-Client-ID"
    /// To an RPA: by which address the client knows this server.
    package static let baseURL = "RPS-BASE-URL"
}

/// Keys of the queries of `signature`, `clientSecret` and `timePermit`.
package enum QueryKey {
    package static let regOTT = "regOTT"
    /// Hash of the sealed question, hex: asks for a share sealed for the host.
    package static let a = "A"
    package static let appID = "app_id"
    package static let mobile = "mobile"
    package static let expires = "expires"
    package static let hashMPinID = "hash_mpin_id"
    package static let hashUserID = "hash_user_id"
    /// Where messages reach the client, whatever that means to whoever sends them.
    package static let pushToken = "pmiToken"
    package static let signature = "signature"
}

/// What `version` says in every message.
package let protocolVersion = "0.3"
