// SPDX-License-Identifier: Apache-2.0
// `mpin session`: shows the login that waits under a number or an address, without answering it.
import MPin
import MPinConsole
import MPinCurl
import MPinProof
import MPinWire

/// A waiting login.
package struct SessionReport: Report {
    let host, service, source, time, attempt: String
    /// nil for a web page or an application, which name no account.
    private(set) var account: String?
    /// The text that a web page gives about itself.
    private(set) var page: String?

    /// The login that waits under a number or an address. Throws if the server does not show one.
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

    /// A row for each detail.
    package var lines: [String] {
        alignedColumns(
            [["host", host]] + (account.map { [["account", $0]] } ?? [])
                + [["service", service], ["from", source], ["at", time], ["attempt", attempt]]
                + (page.map { [["the page says", "\"\($0)\""]] } ?? []))
    }
}
