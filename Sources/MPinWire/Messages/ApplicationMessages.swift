// SPDX-License-Identifier: Apache-2.0
// Messages of applications that let people in by an authorization code, and of who administers them.
#if !hasFeature(Embedded)

    /// The answer of POST authzurl.
    package struct AuthorizeURLResponse: Codable, Equatable, Sendable {
        package let authorizeURL: String

        package init(authorizeURL: String) { self.authorizeURL = authorizeURL }
    }

    /// The answer of POST <authorizeURL>: the access code is what follows `#` in `qrURL`.
    package struct AuthorizeResponse: Codable, Equatable, Sendable {
        package let webOTT: String
        package let qrURL: String
        package let accessURL: String

        package init(webOTT: String, qrURL: String, accessURL: String) {
            self.webOTT = webOTT
            self.qrURL = qrURL
            self.accessURL = accessURL
        }
    }

    /// POST authtoken: whether `code` is of `userID`; the status is the answer.
    package struct AuthorizationCodeRequest: Codable, Equatable, Sendable {
        package let code: String
        package let userID: String

        package init(code: String, userID: String) {
            self.code = code
            self.userID = userID
        }
    }

    /// POST apps on the administrator's socket.
    package struct AddApplicationRequest: Codable, Equatable, Sendable {
        package let app: String
        package let redirectUris: [String]

        package init(app: String, redirectUris: [String]) {
            self.app = app
            self.redirectUris = redirectUris
        }
    }

    /// POST apps/remove.
    package struct ApplicationRequest: Codable, Equatable, Sendable {
        package let app: String

        package init(app: String) { self.app = app }
    }

    /// The answer of POST apps, and a row of the list.
    package struct ApplicationResponse: Codable, Equatable, Sendable {
        package let app: String
        /// 32 hex digits, public.
        package let clientId: String
        package let redirectUris: [String]

        package init(app: String, clientId: String, redirectUris: [String]) {
            self.app = app
            self.clientId = clientId
            self.redirectUris = redirectUris
        }
    }

    /// GET apps.
    package struct ApplicationList: Codable, Equatable, Sendable {
        package let apps: [ApplicationResponse]

        package init(apps: [ApplicationResponse]) { self.apps = apps }
    }
#endif
