// SPDX-License-Identifier: Apache-2.0
// The page that a server serves to phones, fetched as a phone would: by HTTPS, as anybody, following nothing.
import FoundationEssentials
import MPinCurl
import MPinProof
import MPinWire

/// Certificates that may vouch for a server.
enum Vouchers {
    /// In PEM.
    case given([UInt8])
    /// Of that file; nil: the system's.
    case file(String?)

    var certificates: [UInt8]? {
        switch self {
        case .given(let text): text
        case .file(let path): Web.authorities(path ?? "")
        }
    }
}

struct PhonePage {
    /// What every page of mpind's forbids; a page of somebody else's has another policy, or none.
    private static let policy = "trusted-types mpin"
    private static let seconds = 5

    /// Scheme, host and port.
    let origin: String
    /// Path of the page, with a slash at its end.
    private let path: String
    private let web: Web

    /// nil for an address that is not https.
    /// - Parameter proxy: of mpin.conf.
    init?(_ address: String, _ certificates: [UInt8], proxy: String?) {
        guard let (origin, path) = Origin.split(address), origin.isHTTPS,
            let web = try? Web(certificates: certificates, proxy: proxy)
        else { return nil }
        self.origin = origin.text
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.web = web
    }

    /// The answer with one file of the page.
    func get(_ name: String, coding: String = "identity") throws(WebError) -> WebAnswer {
        try web.send(
            .get, origin + path + name, socket: nil, headers: ["Accept-Encoding": coding], body: [],
            seconds: PhonePage.seconds)
    }

    /// The origin that the server there says is its own; nil where no M-Pin server answers.
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

    /// Whether the answer has the policy that mpind sends along.
    static func isGuarded(_ answer: WebAnswer) -> Bool {
        answer.header("content-security-policy")?.contains(policy) == true
    }
}

extension WebAnswer {
    /// In whatever case its name came.
    func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}

/// The address of the phone page of a backend: root named the backend and its CA, so the address is worth as
/// much as these. nil where no page of mpind's is served there, and for a server that phones cannot ask.
/// - Parameter proxy: of mpin.conf.
func servedPage(_ backend: String, _ vouchers: Vouchers, proxy: String?) -> String? {
    if backend.hasPrefix("unix:") {
        guard let local = try? LocalServer(), local.backend == backend else { return nil }
        return local.pageAddress
    }
    let address = backend.hasSuffix("/") ? backend : backend + "/"
    // A page behind a path would ask paths that are not the server's.
    guard let (_, path) = Origin.split(address), path == "/", let certificates = vouchers.certificates,
        let page = PhonePage(address, certificates, proxy: proxy), let answer = try? page.get(""),
        PhonePage.isPage(answer), PhonePage.isGuarded(answer)
    else { return nil }
    return address
}
