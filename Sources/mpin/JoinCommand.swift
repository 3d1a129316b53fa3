// SPDX-License-Identifier: Apache-2.0
// `mpin host join`: opens the key that the server sealed under a join code, and keeps it.
import ArgumentParser
import MPin
import MPinLogin
import MPinProof
import MPinWire
import Secrets

struct JoinCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Get this host's key from the server, by a join code.",
        discussion: "On the server, `mpind host add NAME` (or `mpind host rotate NAME`) prints the code.")

    @Argument(help: "The name that the server has given this host.") var name: String
    @OptionGroup var code: CodeOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func act() throws(Failure) -> JoinReport {
        let settings = try server.settings(store, enrolment: true)
        var report = try joinServer(as: name, settings) { host throws(Failure) in
            try SecretInput.code("join code", code).answer("Join code for \(shown(name)): ") {
                typed throws(Failure) in try joining(host, typed)
            }
        }
        let file = server.config.map { text(absolute($0)) } ?? text(Settings.standardFile)
        report.recorded = try recordAddresses(settings, in: file)
        return report
    }
}

/// Gives this host the key that the server has for `name`.
/// - Parameter ask: takes the join code.
func joinServer(
    as name: String, _ settings: Settings, ask: ([UInt8]) throws(Failure) -> HostJoin
) throws(Failure) -> JoinReport {
    let store = try makeStore(settings.store)
    let before: [UInt8]?
    do { before = try store.hostName() } catch { throw Failure(error) }
    let host = [UInt8](name.utf8)
    let key = try fetch(try ask(host), name, settings)
    do { try store.write(key) } catch { throw Failure(error) }
    let file = String(decoding: settings.store + [UInt8]("/host".utf8), as: UTF8.self)
    let old = before.flatMap { $0 == host ? nil : String(decoding: $0, as: UTF8.self) }
    return JoinReport(name: name, epoch: key.epoch, file: file, renamed: old)
}

func joining(_ host: [UInt8], _ typed: borrowing Secret) throws(Failure) -> HostJoin {
    do { return try HostJoin(host: host, typed: typed) } catch {
        guard error == .malformed else { throw .outOfMemory }
        guard (1...SealBound.text).contains(host.count) else {
            throw Failure(.settings, "The name of a host has 1 to 255 bytes.")
        }
        throw Failure(.refused, "A join code has 16 letters, as in BCDF-GHJK-LMNP-QRST.")
    }
}

private func fetch(
    _ join: borrowing HostJoin, _ name: String, _ settings: Settings
) throws(Failure) -> HostKey {
    let answer = try asked(join, settings)
    guard case .join(let body) = answer.body else {
        guard [400, 403].contains(answer.status) else { throw Failure(answer, settings) }
        throw Failure(
            .refused,
            "The server has no such join code for '\(shown(name))'. A code is good once and for a day. "
                + "'sudo mpind host add NAME' \(ServerPlace(settings).onServer) prints one, or 'sudo mpind "
                + "host "
                + "rotate NAME' for a host that the server knows.")
    }
    do { return try join.key(from: body) } catch {
        throw error == .outOfMemory
            ? .outOfMemory
            : Failure(.broken, "The server's key is not sealed with this code. Nothing was changed.")
    }
}

private func asked(_ join: borrowing HostJoin, _ settings: Settings) throws(Failure) -> RelayResponse {
    let question: RelayRequest
    do { question = try join.question() } catch { throw .outOfMemory }
    do throws(TransportError) {
        var relay = try TimedRelay(settings)
        return try relay.exchange(question)
    } catch { throw Failure(error, settings) }
}

struct JoinReport: Report {
    let name: String
    let epoch: UInt32
    let file: String
    /// The name that this host had before.
    let renamed: String?
    /// What was added to mpin.conf.
    var recorded: [String] = []

    var lines: [String] {
        let joined =
            ["This host is '\(shown(name))' now; its key (epoch \(epoch)) is in \(shown(file))."]
            + recorded.map { "Added to mpin.conf: \($0)" }
        guard let renamed else { return joined }
        return joined + [
            "It was '\(shown(renamed))' before: users enrolled under that name must be enrolled again."
        ]
    }
}
