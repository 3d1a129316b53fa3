// SPDX-License-Identifier: Apache-2.0
// `mpin logout`: ends the logins that this device has approved.
import MPinConsole
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// The logins to end, and the result for each.
package struct LogoutReport: Report {
    struct Ended: Encodable {
        let attempt, host, account, service, time: String
        let ended: Bool
    }
    private(set) var logins: [Ended] = []
    /// Why a login could not be ended.
    package private(set) var failures: [Failure] = []
    /// Attempt ids of the logins that have ended: the device can forget them.
    private(set) var over: [[UInt8]] = []

    enum CodingKeys: CodingKey { case logins }

    /// Ends at the servers the logins that this device approved: all of them, or the one with the attempt id
    /// `attempt`. `named` is the folder of tokens if the user named one. Throws if there is no such login.
    package static func end(_ attempt: String?, store named: [UInt8]?) throws(Failure) -> LogoutReport {
        let tokens = try PersonalStore.open(named)
        let remembered = try Failure.ofStore(tokens.store.approved(by: tokens.account))
        let wanted = remembered.filter { attempt == nil || hexText($0.attempt) == attempt }
        guard !wanted.isEmpty || attempt == nil else {
            throw Failure(.refused, "This device remembers no such approval.")
        }
        let homes = try tokens.identities()
        var report = LogoutReport()
        for one in wanted { report.add(one, end(one, homes)) }
        let over = report.over
        try Failure.ofStore(tokens.store.forget(over, by: tokens.account))
        return report
    }

    /// Returns nil if the server has ended the login, or does not know it.
    private static func end(_ one: Approved, _ identities: [Identity]) -> Failure? {
        let home = identities.first { $0.pin?.backend == one.backend }?.pin?.personal
        do throws(Failure) {
            let settings = try personalSettings(
                one.backend, home ?? PersonalBackend(alsoOrigins: [], caFile: nil))
            let answer = try personalAnswer(to: .logOut(one.logout), settings)
            // 400: the server has no open login under this attempt (any more).
            return answer.status == 200 || answer.status == 400 ? nil : Failure(answer.status, settings)
        } catch { return error }
    }

    private mutating func add(_ one: Approved, _ failure: Failure?) {
        logins.append(
            Ended(
                attempt: hexText(one.attempt), host: cut(one.host), account: cut(one.account),
                service: cut(one.service), time: text(one.time), ended: failure == nil))
        if let failure { failures.append(failure) } else { over.append(one.attempt) }
    }

    /// A row for each login.
    package var lines: [String] {
        guard !logins.isEmpty else { return ["This device remembers no approval."] }
        return alignedColumns(
            logins.map {
                [
                    $0.account.isEmpty ? $0.host : "\($0.account) at \($0.host)", $0.service, $0.time,
                    $0.ended ? "ended" : "not reached",
                ]
            })
    }
}
