// SPDX-License-Identifier: Apache-2.0
// Messages of applications, which log users in by an authorization code, and of their administration.
#if !hasFeature(Embedded)

    /// The response to POST authzurl.
    package struct AuthorizeURLResponse: Codable, Equatable, Sendable {
        package let authorizeURL: String

        package init(authorizeURL: String) { self.authorizeURL = authorizeURL }
    }

    /// The response to POST <authorizeURL>: the access code is the text after `#` in `qrURL`.
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

    /// POST authtoken: asks whether `code` belongs to `userID`; the status is the answer.
    package struct AuthorizationCodeRequest: Codable, Equatable, Sendable {
        package let code: String
        package let userID: String

        package init(code: String, userID: String) {
            self.code = code
            self.userID = userID
        }
    }

    /// POST apps on the administrator's socket: adds an application.
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

    /// The response to POST apps, and a row of the list.
    package struct ApplicationResponse: Codable, Equatable, Sendable {
        package let app: String
        /// 32 hexadecimal digits, public.
        package let clientId: String
        package let redirectUris: [String]

        package init(app: String, clientId: String, redirectUris: [String]) {
            self.app = app
            self.clientId = clientId
            self.redirectUris = redirectUris
        }
    }

    /// The response to GET apps.
    package struct ApplicationList: Codable, Equatable, Sendable {
        package let apps: [ApplicationResponse]

        package init(apps: [ApplicationResponse]) { self.apps = apps }
    }
#endif
