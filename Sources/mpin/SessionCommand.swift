// SPDX-License-Identifier: Apache-2.0
// `mpin session`: what waits under a number or an address, without an answer to it.
import ArgumentParser
import MPin
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire

struct SessionCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Show which login waits at a console, and answer nothing.")

    @Argument(help: "The number on the console, or the address in its picture.") var code: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> SessionReport {
        let scanned = try scanned([UInt8](code.utf8))
        let token = try token.token(at: scanned.origin)
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
        return SessionReport(seen, attempt)
    }
}

struct SessionReport: Report {
    let host, service, source, time, attempt: String
    /// Nil for a web page and an application, which name none.
    private(set) var account: String?
    /// What a web page says about itself.
    private(set) var page: String?

    init(_ seen: ApprovalDetails, _ attempt: [UInt8]) {
        (host, service) = (cut(seen.host), cut(seen.service))
        if !seen.account.isEmpty { account = cut(seen.account) }
        if !seen.page.isEmpty { page = seen.pageText }
        (source, time) = (cut(seen.source), seen.time)
        self.attempt = hexText(attempt)
    }

    var lines: [String] {
        table(
            [["host", host]] + (account.map { [["account", $0]] } ?? [])
                + [["service", service], ["from", source], ["at", time], ["attempt", attempt]]
                + (page.map { [["the page says", "\"\($0)\""]] } ?? []))
    }
}
