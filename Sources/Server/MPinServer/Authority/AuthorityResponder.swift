// SPDX-License-Identifier: Apache-2.0
// How the authority's process handles a frame: it decodes the frame, applies the rate limits, and answers.
import MPin
package import Secrets
import Synchronization

/// A rate limit (token bucket): up to `most` commands at once, refilled by `perSecond`.
struct Allowance: Sendable {
    let most: Double
    let perSecond: Double
    private var left: Double
    private var since: ContinuousClock.Instant?

    init(most: Double, perSecond: Double) {
        self.most = most
        self.perSecond = perSecond
        left = most
    }

    /// Takes one; false if none is left now.
    mutating func take(now: ContinuousClock.Instant) -> Bool {
        if let since, now > since { left = min(most, left + (now - since) / .seconds(1) * perSecond) }
        since = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Gives one back: a command that was refused does not count.
    mutating func giveBack() { left = min(most, left + 1) }
}

/// Answers frames within rate limits that bind even an mpind that an attacker has taken over. The enrolments
/// of a large company on its first day fit into the limits; copying all secrets does not.
package final class AuthorityResponder: Sendable {
    private let authority: MasterAuthority
    private let now: @Sendable () -> ContinuousClock.Instant
    private let allowances = Mutex<[AuthorityQuestion.Command: Allowance]>([
        // An mpind requests three when it starts, and is restarted after crashes.
        .serverSecret: Allowance(most: 100, perSecond: 2),
        // Two for each registration.
        .clientSecret: Allowance(most: 200, perSecond: 4),
        // Two for each login with a client that uses permits.
        .timePermit: Allowance(most: 2000, perSecond: 50),
        // Revocations have no limit: they only take permissions away.
    ])

    package init(
        _ authority: MasterAuthority,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.authority = authority
        self.now = now
    }

    /// Whether the authority can read its book.
    package func answers() async -> Bool { await authority.answers() }

    /// The answer to one frame, and what to log about it.
    package struct Reply: ~Copyable {
        package let answer: AuthorityAnswer
        package let notes: [LogField]
    }

    /// The answer to a frame; malformed frames get an answer too.
    package func reply(to frame: [UInt8]) async throws(OutOfMemory) -> Reply {
        guard let question = AuthorityQuestion(frame) else {
            let answer = try AuthorityAnswer(status: .malformed, epoch: authority.epoch)
            return Reply(answer: answer, notes: [LogField("refused", "malformed")])
        }
        var notes = [LogField("command", "\(question.command)")]
        if let half = question.half { notes.append(LogField("half", Int(half.rawValue))) }
        if let id = question.id { notes.append(LogField("id", id8(id))) }
        do throws(AuthorityError) {
            return Reply(answer: try await answer(to: question), notes: notes)
        } catch {
            if error == .refused { giveBack(question.command) }
            let answer = try AuthorityAnswer(error, epoch: authority.epoch)
            return Reply(answer: answer, notes: notes + [LogField("refused", "\(error)")])
        }
    }

    private func answer(to question: AuthorityQuestion) async throws(AuthorityError) -> AuthorityAnswer {
        guard question.command == .serverSecret || question.epoch == authority.epoch else {
            throw .otherEpoch
        }
        guard mayAsk(question.command) else { throw .busy }
        switch (question.command, question.half, question.id) {
        case (.serverSecret, let half?, _): return try success(authority.serverSecretShare(half))
        case (.clientSecret, let half?, let id?):
            return try success(await authority.clientSecretShare(half, of: id))
        case (.timePermit, let half?, let id?):
            let share = try await authority.timePermitShare(half, of: id, date: question.date)
            return try unsafe success(share.span.bytes)
        case (.revoke, _, let id?):
            try await authority.revoke(id)
            return try success(RawSpan())
        default: throw .failed
        }
    }

    private func mayAsk(_ command: AuthorityQuestion.Command) -> Bool {
        let now = now()
        return allowances.withLock { $0[command]?.take(now: now) ?? true }
    }

    private func giveBack(_ command: AuthorityQuestion.Command) {
        allowances.withLock { $0[command]?.giveBack() }
    }

    private func success(_ share: borrowing Secret) throws(AuthorityError) -> AuthorityAnswer {
        try share.withBytes { bytes throws(AuthorityError) in try success(bytes) }
    }

    private func success(_ share: RawSpan) throws(AuthorityError) -> AuthorityAnswer {
        do { return try AuthorityAnswer(status: .done, epoch: authority.epoch, share: share) } catch {
            throw .failed
        }
    }
}
