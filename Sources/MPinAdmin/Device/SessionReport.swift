// SPDX-License-Identifier: Apache-2.0
// `mpin session`: what waits under a number or an address, without an answer to it.
import MPin
import MPinCurl
import MPinProof
import MPinWire

/// A login that waits.
package struct SessionReport: Report {
    let host, service, source, time, attempt: String
    /// Nil for a web page and an application, which name none.
    private(set) var account: String?
    /// What a web page says about itself.
    private(set) var page: String?

    /// What waits under a number or an address. Throws why nothing can be seen there.
    package init(_ code: String, with choice: TokenChoice) throws(Failure) {
        let scanned = try scanned([UInt8](code.utf8))
        let token = try choice.token(at: scanned.origin)
        var line = try token.connected()
        let answer: DeviceResponse
        let question = try token.looking(for: scanned.wid)
        do { answer = try line.exchange(question) } catch {
            throw Failure(personal: .transport(error), token.settings)
        }
        guard case .look(let octets, let attempt)? = answer.body else {
            throw Failure(answer.status, token.settings)
        }
        guard let seen = ApprovalDetails(decoding: octets), seen.wid == scanned.wid else {
            throw Failure(.noSession, token.settings)
        }
        guard seen.origin == token.backend.origin else { throw .otherBackend }
        self.init(seen, attempt)
    }

    private init(_ seen: ApprovalDetails, _ attempt: [UInt8]) {
        (host, service) = (cut(seen.host), cut(seen.service))
        if !seen.account.isEmpty { account = cut(seen.account) }
        if !seen.page.isEmpty { page = seen.pageText }
        (source, time) = (cut(seen.source), seen.time)
        self.attempt = hexText(attempt)
    }

    /// A row for each of its facts.
    package var lines: [String] {
        table(
            [["host", host]] + (account.map { [["account", $0]] } ?? [])
                + [["service", service], ["from", source], ["at", time], ["attempt", attempt]]
                + (page.map { [["the page says", "\"\($0)\""]] } ?? []))
    }
}
