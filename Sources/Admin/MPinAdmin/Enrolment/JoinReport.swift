// SPDX-License-Identifier: Apache-2.0
// `mpin host join`: fetches the host key that the server has sealed under a join code, and stores it.
import MPin
import MPinLogin
import MPinHostStore
import MPinWire
import Secrets

/// Asks for a join code, fetches with it the host key that the server has for `name`, stores the key, and
/// adds the server's addresses to mpin.conf. Throws if there is no such code, or the key cannot be kept.
package func joinHost(
    as name: String, at server: ServerChoice, _ dialogue: Dialogue
) throws(Failure) -> JoinReport {
    let settings = try server.settings(enrolment: true)
    var report = try joinServer(as: name, settings) { host throws(Failure) in
        try dialogue.code("join code").answer("Join code for \(shown(name)): ") { typed throws(Failure) in
            try joining(host, typed)
        }
    }
    report.recorded = try recordAddresses(settings, in: text(server.config ?? Settings.standardFile))
    return report
}

/// Fetches and stores the host key that the server has for `name`.
/// - Parameter ask: makes the join of the host's name and a join code.
func joinServer(
    as name: String, _ settings: Settings, ask: ([UInt8]) throws(Failure) -> HostJoin
) throws(Failure) -> JoinReport {
    let store = try makeStore(settings.store)
    let before = try Failure.ofStore(store.hostName())
    let host = [UInt8](name.utf8)
    let key = try fetchKey(try ask(host), of: name, settings)
    try Failure.ofStore(store.write(key))
    let file = String(decoding: settings.store + [UInt8]("/host".utf8), as: UTF8.self)
    let old = before.flatMap { $0 == host ? nil : String(decoding: $0, as: UTF8.self) }
    return JoinReport(name: name, epoch: key.epoch, file: file, renamed: old)
}

/// The join of a host with the code that the user typed.
func joining(_ host: [UInt8], _ typed: borrowing Secret) throws(Failure) -> HostJoin {
    do { return try HostJoin(host: host, typed: typed) } catch {
        guard error == .malformed else { throw .outOfMemory }
        guard (1...SealBound.text).contains(host.count) else {
            throw Failure(.settings, "The name of a host has 1 to 255 bytes.")
        }
        throw Failure(.refused, "A join code has 16 letters, as in BCDF-GHJK-LMNP-QRST.")
    }
}

private func fetchKey(
    _ join: borrowing HostJoin, of name: String, _ settings: Settings
) throws(Failure) -> HostKey {
    let request: RelayRequest
    do { request = try join.question() } catch { throw .outOfMemory }
    let response = try TimedRelay.answer(to: request, settings)
    guard case .join(let body) = response.body else {
        guard response.status != 409 else {
            throw Failure(
                .refused,
                "This join code is for another host, not for '\(shown(name))'; it stays good. Use the name "
                    + "that was printed with it, or a code for this one.")
        }
        let word = shellWord(shown(name))
        guard [400, 403].contains(response.status) else { throw Failure(response, settings) }
        throw Failure(
            .refused,
            "The server has no such join code for '\(shown(name))'. A code is good once and for a day. "
                + "'sudo mpind host add \(word)' \(ServerPlace(settings).onServer) prints one, or 'sudo "
                + "mpind host rotate \(word)' for a host that the server knows.")
    }
    do { return try join.key(from: body) } catch {
        throw error == .outOfMemory
            ? .outOfMemory
            : Failure(.broken, "The server's key is not sealed with this code. Nothing was changed.")
    }
}

/// The new key of this host.
package struct JoinReport: Report {
    let name: String
    let epoch: UInt32
    let file: String
    /// The name that this host had before.
    let renamed: String?
    /// The lines that were added to mpin.conf.
    var recorded: [String] = []

    /// The key, the lines added to mpin.conf, and the consequence of a new name.
    package var lines: [String] {
        let joined =
            ["This host is '\(shown(name))' now; its key (epoch \(epoch)) is in \(shown(file))."]
            + recorded.map { "Added to mpin.conf: \($0)" }
        guard let renamed else { return joined }
        return joined + [
            "It was '\(shown(renamed))' before: users enrolled under that name must be enrolled again."
        ]
    }
}
