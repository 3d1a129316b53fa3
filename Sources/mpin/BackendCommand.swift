// SPDX-License-Identifier: Apache-2.0
// `mpin backend test`: whether there is an M-Pin server at an address, and what it says of itself.
import ArgumentParser
import MPinCurl
import MPinLogin
import MPinProof
import MPinWire

struct BackendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend", abstract: "Look at a server.", subcommands: [BackendTestCommand.self])
}

struct BackendTestCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Ask a server for its settings and its name.",
        discussion: "Needs no token, sends nothing about anybody, and changes nothing.")

    @Argument(help: "The server: unix:PATH, an https URL, or http to a literal loopback address.")
    var address: String
    @Option(help: ArgumentHelp("Certificates that may vouch for the server.", valueName: "file"))
    var caFile: String?
    @Option(
        help: ArgumentHelp(
            "An https origin that the server may name beside its own. May repeat.", valueName: "origin"))
    var alsoOrigin: [String] = []
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> BackendReport {
        let home = PersonalBackend(
            alsoOrigins: alsoOrigin.map { [UInt8]($0.utf8) }, caFile: caFile.map(absolute))
        let settings = try personalSettings([UInt8](address.utf8), home, isSecret: false)
        let (answer, service): (RelayResponse, DeviceResponse)
        do throws(TransportError) {
            var line = try connected(settings)
            answer = try line.exchange(.settings)
            service = try line.exchange(.service)
        } catch { throw Failure(personal: .transport(error), settings) }
        guard case .settings(let usesPermits, _)? = answer.body else { throw Failure(answer, settings) }
        var report = BackendReport(address: address, permits: usesPermits)
        if case .service(let name, let url, let isOnline)? = service.body {
            report.service = .init(name: text(name), url: text(url), online: isOnline)
        }
        return report
    }
}

struct BackendReport: Report {
    struct Service: Encodable {
        let name: String
        let url: String
        let online: Bool
    }
    let address: String
    /// Whether time permits are used.
    let permits: Bool
    /// Absent where the server has none to tell.
    fileprivate(set) var service: Service?

    var lines: [String] {
        let permits = permits ? "with time permits" : "without time permits"
        var lines = ["\(shown(address)) is an M-Pin server, \(permits)."]
        if let service {
            let state = service.online ? "" : ", but not online"
            lines.append("It calls itself \(shown(service.name)) at \(shown(service.url))\(state).")
        }
        return lines
    }
}
