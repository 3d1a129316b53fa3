// SPDX-License-Identifier: Apache-2.0
// The approval details: what a second device showed its user before they approved (seal-devices.md, section
// 11).
package import Octets
import Secrets

/// What a second device shows its user, and what its proof is bound to: `seen` (seal-devices.md, section 11).
package struct ApprovalDetails: Equatable, Sendable {
    /// The service of a login in a web browser, which needs no approval code: there is no console to type it
    /// at.
    package static let browserService = Array("browser".utf8)
    /// The service of a login to an application; the application's name is in `host`.
    package static let applicationService = Array("application".utf8)

    /// Scheme, host and port of mpind in lower case, without a default port; `unix` on a Unix socket.
    package let origin: [UInt8]
    /// What the device received: the session's 32 hexadecimal digits or its access number.
    package let wid: [UInt8]
    /// The host's registered name, or the application's name.
    package let host: [UInt8]
    /// The PAM service, or one of the two names above.
    package let service: [UInt8]
    /// The account as the host names it; for a browser, text that the web page chose; for an application,
    /// empty.
    private let said: [UInt8]
    /// The source of the login: a numeric address, or `local:` and a uid (seal.md, section 3).
    package let source: [UInt8]
    /// The time in seconds since 1970-01-01 UTC, up to the end of the year 9999.
    package let seconds: UInt64
    /// The encoding that the proof is bound to.
    package let octets: [UInt8]

    private static let lastSecond: UInt64 = 253_402_300_799

    /// The account that wants to log in; empty for a browser and an application.
    package var account: [UInt8] { service == ApprovalDetails.browserService ? [] : said }
    /// What a web page says about itself. It is not verified: show it separately from the rest, as a
    /// quotation.
    package var page: [UInt8] { service == ApprovalDetails.browserService ? said : [] }

    /// nil if a text has more than 255 octets, or for a time after the year 9999.
    /// - Parameter account: for a browser, what its web page says.
    package init?(
        origin: [UInt8], wid: [UInt8], host: [UInt8], service: [UInt8], account: [UInt8], source: [UInt8],
        seconds: UInt64
    ) {
        let texts = [origin, wid, host, service, account, source]
        guard texts.allSatisfy({ $0.count <= SealBound.text }), seconds <= ApprovalDetails.lastSecond else {
            return nil
        }
        (self.origin, self.wid, self.host, self.service) = (origin, wid, host, service)
        (said, self.source, self.seconds) = (account, source, seconds)
        var writer = SealWriter("mpin seen 1")
        for text in texts { writer.text(text) }
        writer.number(seconds)
        octets = writer.octets
    }

    /// Decodes `octets`; nil unless they are exactly what this type would write.
    package init?(decoding octets: [UInt8]) {
        guard var reader = SealReader(octets, label: "mpin seen 1"),
            let origin = reader.text(), let wid = reader.text(), let host = reader.text(),
            let service = reader.text(), let account = reader.text(), let source = reader.text(),
            let seconds = reader.number(UInt64.self), reader.isAtEnd
        else { return nil }
        self.init(
            origin: origin, wid: wid, host: host, service: service, account: account, source: source,
            seconds: seconds)
    }

    /// The purpose X of a proof for this session: SHA-256 of `octets`, 32 octets.
    package var purpose: PurposeHash { PurposeHash(sha256: octets) }
}
