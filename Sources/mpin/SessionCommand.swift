// SPDX-License-Identifier: Apache-2.0
// `mpin session`: what waits under a number or an address, without an answer to it.
import ArgumentParser
import MPin
import MPinCurl
import MPinLogin
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
        let answer: DeviceAnswer
        do { answer = try line.exchange(.look(wid: scanned.wid)) } catch {
            throw Failure(personal: .transport(error), token.settings)
        }
        guard case .look(let octets, let attempt)? = answer.body else {
            throw Failure(answer.status, token.settings)
        }
        guard let seen = Seen(decoding: octets), seen.wid == scanned.wid else {
            throw Failure(.noSession, token.settings)
        }
        guard seen.origin == token.backend.origin else { throw .otherBackend }
        return SessionReport(seen, attempt)
    }
}

struct SessionReport: Report {
    let host, service, account, source, time, attempt: String

    init(_ seen: Seen, _ attempt: [UInt8]) {
        (host, service, account) = (cut(seen.host), cut(seen.service), cut(seen.account))
        (source, time) = (cut(seen.source), seen.time)
        self.attempt = hexText(attempt)
    }

    var lines: [String] {
        table([
            ["host", host], ["account", account], ["service", service], ["from", source], ["at", time],
            ["attempt", attempt],
        ])
    }
}
