// SPDX-License-Identifier: Apache-2.0
// The report of `mpin test`, a login without PAM.
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// The verdict, and each step with its time.
package struct TestReport: Report {
    let user: String
    let uid: UInt32
    let granted: Bool
    let outcome: String
    let attempt: String
    private(set) var identity: String?
    /// The number of unused backup codes, if one granted the login.
    private(set) var backupCodes: Int?
    private(set) var triesLeft: UInt16?
    private(set) var releaseAfter: UInt32?
    let milliseconds: Double
    let steps: [Stopwatch.TimedStep]
    private(set) var message: String?
    /// The wrong tries before this login.
    private(set) var tries: TriesReport?
    private var notices: [String] = []
    private let failure: Failure?

    enum CodingKeys: CodingKey {
        case user, uid, granted, outcome, attempt, identity, backupCodes, triesLeft, releaseAfter,
            milliseconds, steps, message, tries
    }

    init(
        _ outcome: Outcome, of account: Account, attempt: [UInt8], by watch: Stopwatch, _ settings: Settings
    ) {
        user = String(decoding: account.name, as: UTF8.self)
        uid = account.uid
        self.outcome = outcome.word
        self.attempt = hexText(attempt)
        steps = watch.steps
        milliseconds = watch.total
        failure = Failure(outcome, settings, of: user)
        granted = failure == nil
        message = failure?.sentence
        if case .granted(let grant) = outcome {
            identity = grant.proven.map { hexText($0.id) }
            if case .backupCode(let left, _) = grant.proof { backupCodes = left }
            tries = grant.tries.map(TriesReport.init)
            notices = grant.tries?.sentences(on: .host) ?? []
        }
        if case .refused(.wrongPIN(let left)) = outcome { triesLeft = left }
        if case .blocked(let seconds) = outcome { releaseAfter = seconds }
    }

    /// Why the login would be denied; empty if it would be granted.
    package var failures: [Failure] { failure.map { [$0] } ?? [] }

    /// The steps, the verdict, and the notices of wrong tries.
    package var lines: [String] {
        let rows = steps.map { [$0.step, $0.status.map { "\($0)" } ?? "", "\($0.milliseconds) ms"] }
        let verdict = granted ? "\(shown(user)) would be let in" : "\(shown(user)) would not be let in"
        return alignedColumns(rows) + ["\(verdict); \(milliseconds) ms, attempt \(attempt)."] + notices
    }
}
