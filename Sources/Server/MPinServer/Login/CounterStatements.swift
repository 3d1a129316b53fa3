// SPDX-License-Identifier: Apache-2.0
// The counters of wrong tries and what they refuse (docs/login.md, section 7).
import MPinDatabase
import Octets

/// A try that was counted before its proof is verified, or that was refused.
struct CountedTry {
    let standing: TryStanding
    /// A lock, a block or a suspension refused it: nothing was counted.
    let isRefused: Bool
    /// Its row, which is removed if the proof is right.
    var number: Int64?

    static func refused(seconds: UInt32) -> CountedTry {
        CountedTry(standing: TryStanding(left: 0, lockedSeconds: seconds), isRefused: true)
    }
}

/// A row of `heads`: wrong tries in a row from one source, and for how many seconds it is locked.
private struct TriesInARow {
    let failures: Int64
    let seconds: UInt32
}

/// Stands for all sources in `heads`; no real source has this text.
let anySource = "*"

extension Transaction {
    /// Counts a try. The statements are much the same in all cases, so that the time reveals little.
    func count(
        _ passOne: PassOneRecord, of identity: IdentityRecord?, counting: TryCounting, _ locks: Locks
    ) throws(StorageError) -> CountedTry {
        let id = passOne.id
        // Neither counted nor forgiven: tries during a suspension do not change the counters.
        if let identity, identity.isSuspended, counting != .none { return .refused(seconds: 0) }
        switch counting {
        case .none:
            // Insert and remove a row: it takes as long as a counted try and leaves nothing.
            try removeTry(try insertTry(of: id, counter: .device, origin: passOne.origin))
            return CountedTry(standing: untried(locks), isRefused: false)
        case .untilBlock: return try countToBlock(id, limit: identity?.blockAfter ?? 1)
        case .byDevice:
            return try count(
                id, source: anySource, counter: .device, origin: passOne.origin, identity: identity,
                locks)
        case .bySource:
            let isKnown = try knows(id, passOne.origin)
            let counter = isKnown ? TryCounter.known : .strange(passOne.origin.kind)
            return try count(
                id, source: passOne.origin.text, counter: counter, origin: passOne.origin, identity: identity,
                locks)
        }
    }

    private func count(
        _ id: IdentityHash, source: String, counter: TryCounter, origin: TryOrigin, identity: IdentityRecord?,
        _ locks: Locks
    ) throws(StorageError) -> CountedTry {
        let number = try insertTry(of: id, counter: counter, origin: origin)
        let totals = try totals(id)
        let refusal = try identity?.blockedAt != nil ? .max : strangeWait(id, counter, of: totals, besides: 1)
        // What counts against a revoked id matters to nobody either.
        let isLive = identity.map { $0.revokedAt == nil } ?? false
        guard refusal == 0, let row = try addToRow(id, source, known: isLive, locks) else {
            try removeTry(number)
            return .refused(seconds: max(refusal, try row(id, source).seconds))
        }
        // For known ids too, so that it takes as long.
        try forgetUnknown(source)
        guard let identity, identity.revokedAt == nil else {
            // No limit matters to an unknown or revoked id.
            try removeTry(number)
            return CountedTry(
                standing: TryStanding(left: locks.triesLeft(afterFailures: row.failures)),
                isRefused: false)
        }
        // Strange sources never block a PIN, because anyone can use one.
        if counter == .device || counter == .known {
            let all = totals[counter]
            if all >= Limits.triesInAll || row.failures >= identity.blockAfter ?? .max {
                try run("UPDATE identities SET blocked_at = $2 WHERE id = $1", [.octets(id), .integer(now)])
            }
        }
        return CountedTry(
            standing: try standing(of: id, identity, counter, row: row, totals: totals, locks),
            isRefused: false,
            number: number)
    }

    /// The state of the counters for the origin of this verdict.
    func standing(
        of verdict: VerdictRecord, _ identity: IdentityRecord?, _ locks: Locks
    ) throws(StorageError) -> TryStanding {
        if identity?.blockedAt != nil, verdict.counting != .none {
            return TryStanding(left: 0, lockedSeconds: .max)
        }
        switch verdict.counting {
        case .none: return untried(locks)
        case .untilBlock: return TryStanding(left: 0)
        case .byDevice:
            return try standing(
                of: verdict.id, identity, .device, row: row(verdict.id, anySource),
                totals: totals(verdict.id), locks)
        case .bySource:
            let isKnown = try knows(verdict.id, verdict.origin)
            return try standing(
                of: verdict.id, identity, isKnown ? .known : .strange(verdict.origin.kind),
                row: row(verdict.id, verdict.origin.text), totals: totals(verdict.id), locks)
        }
    }

    /// The same for unknown ids too.
    private func standing(
        of id: IdentityHash, _ identity: IdentityRecord?, _ counter: TryCounter, row: TriesInARow,
        totals: TryTotals, _ locks: Locks
    ) throws(StorageError) -> TryStanding {
        let wait = try strangeWait(id, counter, of: totals)
        let limit =
            counter.isStrange
            ? Limits.strangeTriesADay - totals.today(counter)
            : (identity?.blockAfter ?? .max) - row.failures
        let left = min(Int64(locks.triesLeft(afterFailures: row.failures)), limit)
        let all = counter == .device ? totals[.device] : max(totals[.known], totals.strange)
        let used = min(all, Limits.triesInAll)
        let remaining = Limits.triesInAll - used
        return TryStanding(
            left: UInt16(clamping: max(0, left)), lockedSeconds: max(wait, row.seconds),
            scarce: remaining <= Limits.scarceTries ? UInt16(clamping: remaining) : nil)
    }

    /// After a right proof: removes its own row, ends the row of wrong tries, and gives back a few wrong
    /// tries from its own origin since the last right proof.
    func forgive(_ verdict: VerdictRecord, since last: UnixMilliseconds) throws(StorageError) {
        if let number = verdict.tryNumber { try removeTry(number) }
        let source = verdict.counting == .byDevice ? anySource : verdict.origin.text
        try run(
            "DELETE FROM heads WHERE id = $1 AND source = $2", [.octets(verdict.id), .text(source)])
        let returned = try integer(
            "SELECT COUNT(*) FROM tries WHERE id = $1 AND returned_at > $2",
            [.octets(verdict.id), .integer(now - Limits.returnedTriesSpan)])
        let budget = min(Limits.returnedTries, max(0, Limits.returnedTriesInSpan - returned))
        try run(
            """
            UPDATE tries SET returned_at = $4 WHERE number IN (SELECT number FROM tries
                WHERE id = $1 AND origin = $2 AND returned_at IS NULL AND at >= $3
                ORDER BY at DESC, number DESC LIMIT $5)
            """,
            [
                .octets(verdict.id), .text(verdict.origin.text), .integer(last), .integer(now),
                .integer(budget),
            ])
        let totals = try totals(verdict.id)
        if verdict.counting == .untilBlock || max(totals[.device], totals[.known]) < Limits.triesInAll {
            try run(
                "UPDATE identities SET failures = 0, blocked_at = NULL WHERE id = $1", [.octets(verdict.id)])
        }
    }

    /// Forgets all tries against these identities and their reports; `selection` is SQL that gives their ids.
    func forgetTries(_ selection: String, _ values: [Value]) throws(StorageError) {
        try run("DELETE FROM heads WHERE id IN (\(selection))", values)
        try run("DELETE FROM tries WHERE id IN (\(selection))", values)
        try run("DELETE FROM reports WHERE id IN (\(selection))", values)
        try run(
            "UPDATE identities SET failures = 0, blocked_at = NULL WHERE id IN (\(selection))", values)
    }
}

// MARK: Counters

extension Transaction {
    /// The state if nothing is counted.
    private func untried(_ locks: Locks) -> TryStanding {
        TryStanding(left: locks.triesLeft(afterFailures: 0))
    }

    private func insertTry(
        of id: IdentityHash, counter: TryCounter, origin: TryOrigin
    ) throws(StorageError) -> Int64 {
        try integer(
            "INSERT INTO tries (id, counter, origin, at) VALUES ($1, $2, $3, $4) RETURNING number",
            [.octets(id), .integer(counter.rawValue), .text(origin.text), .integer(now)])
    }

    private func removeTry(_ number: Int64) throws(StorageError) {
        try run("DELETE FROM tries WHERE number = $1", [.integer(number)])
    }

    /// Seconds until a strange source's try is verified again; 0 for known ones. `own`: this try's own rows.
    private func strangeWait(
        _ id: IdentityHash, _ counter: TryCounter, of totals: TryTotals, besides own: Int64 = 0
    ) throws(StorageError) -> UInt32 {
        guard counter.isStrange else { return 0 }
        var wait: UInt32 = 0
        if totals.today(counter) - own >= Limits.strangeTriesADay {
            wait = try secondsUntil(
                fewerThan: Limits.strangeTriesADay + own, of: id, "\(counter.rawValue)", in: Limits.day)
        }
        guard totals.strange - own >= Limits.triesInAll else { return wait }
        return max(
            wait,
            try secondsUntil(
                fewerThan: Limits.triesInAll + own, of: id, TryCounter.strangers, in: Limits.strangeTriesSpan)
        )
    }

    /// Seconds until fewer than `most` tries of these counters, a list in SQL, are younger than `span`.
    private func secondsUntil(
        fewerThan most: Int64, of id: IdentityHash, _ counters: String, in span: UnixMilliseconds
    ) throws(StorageError) -> UInt32 {
        let found = try row(
            """
            SELECT at FROM tries
            WHERE id = $1 AND counter IN (\(counters)) AND returned_at IS NULL AND at > $2
            ORDER BY at DESC, number DESC LIMIT 1 OFFSET $3
            """, [.octets(id), .integer(now - span), .integer(most - 1)])
        guard var found else { return 0 }
        return seconds(until: try found.integer() + span)
    }

    /// The same for strange sources of a kind.
    func strangeWait(_ id: IdentityHash, _ kind: TryOrigin.Kind) throws(StorageError) -> UInt32 {
        try strangeWait(id, .strange(kind), of: totals(id))
    }

    /// The longer of the waits of local strange sources and of those of the network.
    func strangersWait(_ id: IdentityHash) throws(StorageError) -> UInt32 {
        let totals = try totals(id)
        let local = try strangeWait(id, .strangeLocal, of: totals)
        return max(local, try strangeWait(id, .strangeNetwork, of: totals))
    }

    /// Adds one to a row of wrong tries; nil while it is locked. A lock is set before the proof of the try
    /// that causes it is verified, so parallel tries cannot pass together.
    private func addToRow(
        _ id: IdentityHash, _ source: String, known: Bool, _ locks: Locks
    ) throws(StorageError) -> TriesInARow? {
        let counted = try row(
            """
            INSERT INTO heads (id, source, known, number, failures, locked_until, last_at)
            VALUES ($1, $2, $3, $5, 1, 0, $4)
            ON CONFLICT (id, source) DO UPDATE SET failures = heads.failures + 1, known = $3, last_at = $4,
                number = $5
            WHERE heads.locked_until <= $4
            RETURNING failures
            """,
            [
                .octets(id), .text(source), .flag(known), .integer(now), .integer(try newestUnknown() + 1),
            ])
        guard var counted else { return nil }
        let failures = try counted.integer()
        let lock = locks.lock(afterFailures: failures)
        if lock > 0 {
            try run(
                "UPDATE heads SET locked_until = $3 WHERE id = $1 AND source = $2",
                [.octets(id), .text(source), .integer(now + lock)])
        }
        return TriesInARow(failures: failures, seconds: seconds(until: now + lock))
    }

    private func row(_ id: IdentityHash, _ source: String) throws(StorageError) -> TriesInARow {
        let found = try row(
            "SELECT failures, locked_until FROM heads WHERE id = $1 AND source = $2",
            [.octets(id), .text(source)])
        guard var found else { return TriesInARow(failures: 0, seconds: 0) }
        return TriesInARow(failures: try found.integer(), seconds: seconds(until: try found.integer()))
    }

    /// The count that ends in a block, which the last allowed try sets before its proof is verified.
    private func countToBlock(_ id: IdentityHash, limit: Int64) throws(StorageError) -> CountedTry {
        let counted = try row(
            """
            UPDATE identities SET failures = failures + 1,
                blocked_at = CASE WHEN failures + 1 >= $2 THEN $3 ELSE NULL END
            WHERE id = $1 AND blocked_at IS NULL RETURNING failures
            """, [.octets(id), .integer(limit), .integer(now)])
        guard var counted else { return .refused(seconds: .max) }
        let left = UInt16(clamping: limit - (try counted.integer()))
        return CountedTry(standing: TryStanding(left: left), isRefused: false)
    }

    private func seconds(until end: UnixMilliseconds) -> UInt32 {
        UInt32(clamping: (max(0, end - now) + Limits.second - 1) / Limits.second)
    }

    private func integer(_ sql: String, _ values: [Value]) throws(StorageError) -> Int64 {
        guard var found = try row(sql, values) else { throw .corrupt }
        return try found.integer()
    }
}
