// SPDX-License-Identifier: Apache-2.0
// The settings of an external relying party application (RPA), and the requests that mpind sends to it.
import MPinWire
import Octets

/// A request from mpind to another server.
package struct OutgoingRequest: Equatable, Sendable {
    /// What a request is about. Strangers can begin any number of registrations, which must not delay the
    /// permits that logins need.
    package enum Matter: Sendable {
        case registration, permit
    }

    package let matter: Matter
    package let url: String
    /// Each as `Name: value`.
    package let headers: [String]
    package let body: [UInt8]

    init(_ matter: Matter, url: String, headers: [String] = [], body: [UInt8] = []) {
        (self.matter, self.url, self.headers, self.body) = (matter, url, headers, body)
    }

    package var method: String {
        switch matter {
        case .registration: "POST"
        case .permit: "GET"
        }
    }
}

package struct OutgoingResponse: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }
}

/// Sends a request within bounded time, without blocking a thread of the services; nil if there was no
/// answer.
package typealias Outgoing = @Sendable (OutgoingRequest) async -> OutgoingResponse?

/// Where an external RPA is, and what it decides.
package struct ExternalRPA: Equatable, Sendable {
    /// Which headers of a client are forwarded with its request to register.
    package enum Forwarding: Equatable, Sendable {
        case none, all
        /// Names in lower case.
        case some([String])

        package init(_ text: String) {
            switch text {
            case "none": self = .none
            case "all": self = .all
            default:
                self = .some(text.lowercased().split(separator: " ").map(String.init))
            }
        }
    }

    /// Where the RPA decides who may register. If nil, activation codes and `mpind user confirm` decide.
    var verifyURL: String?
    /// Where the RPA decides who gets a time permit, at each request.
    var permitURL: String?
    /// Where clients redeem their logins; published unchanged.
    var authenticateURL: String?
    /// Where devices end a login, unless the RPA names another URL with the login.
    var logoutURL = ""
    package var forwarding = Forwarding.none
    /// Whether a device gets the result of its login only when the RPA has called `loginResult`.
    var waitsForResult = false

    package init() {}

    /// The rows about an external RPA.
    mutating func read(_ row: inout RowReader) {
        row.text("rpa-verify-url", &verifyURL, requestURL)
        row.text("rpa-permit-url", &permitURL, requestURL)
        row.text("authenticate-url", &authenticateURL, published)
        row.text("logout-url", &logoutURL, published)
        row.text("register-forward-headers", &forwarding) { $0.isEmpty ? nil : Forwarding($0) }
        row.choice("wait-for-login-result", &waitsForResult, yesOrNo)
    }

    /// The client's headers that are forwarded, never those of the connection or of the body. Names with an
    /// underscore are dropped: many servers treat them like the same names with a hyphen.
    func forwarded(_ headers: [(name: String, value: String)]) -> [String] {
        let own: Set = [
            "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "te",
            "trailer", "upgrade", "keep-alive", "accept-encoding", "content-encoding", "proxy-authorization",
            "proxy-connection", HeaderName.baseURL.lowercased(),
        ]
        return headers.prefix(64).filter { header in
            let name = header.name.lowercased()
            if name.contains("_") { return false }
            switch forwarding {
            case .none: return false
            case .all: return !own.contains(name)
            case .some(let names): return names.contains(name) && !own.contains(name)
            }
        }.map { "\($0.name): \($0.value)" }
    }
}

/// A URL to which mpind sends requests: https, or http on this machine; nil for other text.
private func requestURL(_ text: String) -> String? {
    let http = authority(of: text, after: "http://")
    let isSafe = authority(of: text, after: "https://") != nil || http?.address?.isLoopback == true
    return isSafe && isVisible(text) ? text : nil
}

/// A URL that clients follow: a path at this server, or an absolute URL; nil for other text.
func published(_ text: String) -> String? {
    let isURL =
        text.hasPrefix("/") || authority(of: text, after: "https://") != nil
        || authority(of: text, after: "http://") != nil
    return isURL && isVisible(text) ? text : nil
}

private func authority(of url: String, after scheme: StaticString) -> URLAuthority? {
    [UInt8](url.utf8).dropping(scheme).flatMap(URLAuthority.init(beforeQuery:))
}

/// Whether the text is visible ASCII without a fragment or a user name.
private func isVisible(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"#@\\\"".utf8.contains($0) }
}
