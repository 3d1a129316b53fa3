// SPDX-License-Identifier: Apache-2.0
// Fetches the phone page of a server as a phone would: over HTTPS, without credentials.
import FoundationEssentials
import MPinCurl
import MPinProof
import MPinWire

/// The certificates that may vouch for a server.
enum Vouchers {
    /// These, in PEM.
    case given([UInt8])
    /// Those in this file; nil: the system's.
    case file(String?)

    var certificates: [UInt8]? {
        switch self {
        case .given(let text): text
        case .file(let path): Web.authorities(path ?? "")
        }
    }
}

/// The phone page at an address.
struct PhonePage {
    /// A part of the content security policy that mpind sends with its page, and other servers do not.
    private static let policy = "trusted-types mpin"
    private static let seconds = 5

    /// Scheme, host and port.
    let origin: String
    /// Path of the page, with a slash at its end.
    private let path: String
    private let web: Web

    /// nil if the address is not https.
    /// - Parameter proxy: `proxy` of mpin.conf.
    init?(_ address: String, _ certificates: [UInt8], proxy: String?) {
        guard let (origin, path) = Origin.split(address), origin.isHTTPS,
            let web = try? Web(certificates: certificates, proxy: proxy)
        else { return nil }
        self.origin = origin.text
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.web = web
    }

    /// Fetches one file of the page; an empty name is the page itself.
    func get(_ name: String, coding: String = "identity") throws(WebError) -> WebAnswer {
        try web.send(
            .get, origin + path + name, socket: nil, headers: ["Accept-Encoding": coding], body: [],
            seconds: PhonePage.seconds)
    }

    /// The origin that the server gives as its own; nil if no M-Pin server answers.
    func publicOrigin() throws(WebError) -> String? {
        let answer = try web.send(
            .get, origin + Route.service, socket: nil, headers: [:], body: [], seconds: PhonePage.seconds)
        guard answer.status == 200,
            let details = try? JSONDecoder().decode(ServiceDetails.self, from: Data(answer.body))
        else { return nil }
        return Backend([UInt8](details.url.utf8)).map { text($0.origin) }
    }

    static func isPage(_ answer: WebAnswer) -> Bool {
        answer.status == 200 && answer.header("content-type")?.hasPrefix("text/html") == true
    }

    /// Whether the answer has the content security policy of mpind.
    static func isGuarded(_ answer: WebAnswer) -> Bool {
        answer.header("content-security-policy")?.contains(policy) == true
    }
}

extension WebAnswer {
    /// The value of a header; `name` is in lower case, the header's name may have any case.
    func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}

/// The address of the phone page of a backend. It is as trustworthy as the backend and its CA, which root has
/// named. nil if the backend serves no page of mpind, or phones cannot reach it.
/// - Parameter proxy: `proxy` of mpin.conf.
func servedPage(_ backend: String, _ vouchers: Vouchers, proxy: String?) -> String? {
    if backend.hasPrefix("unix:") {
        guard let local = try? LocalServer(), local.backend == backend else { return nil }
        return local.pageAddress
    }
    let address = backend.hasSuffix("/") ? backend : backend + "/"
    // A page below a path would request paths that do not belong to the server.
    guard let (_, path) = Origin.split(address), path == "/", let certificates = vouchers.certificates,
        let page = PhonePage(address, certificates, proxy: proxy), let answer = try? page.get(""),
        PhonePage.isPage(answer), PhonePage.isGuarded(answer)
    else { return nil }
    return address
}
