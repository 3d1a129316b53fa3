// SPDX-License-Identifier: Apache-2.0
// How many registrations may wait for a confirmation.
import MPinStorage

/// The limits of registrations that wait, each with the statement that counts against it. All of them find
/// their rows by the index `registrations_waiting`, so that registrations that do not wait cost nothing.
package enum WaitingPlaces: CaseIterable, Sendable {
    case ofSource, ofNetwork, inAll

    /// Counts the registrations that wait, and finds when the first of them ends.
    package var statement: String {
        let condition =
            switch self {
            case .ofSource: "AND network = $1 AND source = $2"
            case .ofNetwork: "AND network = $1"
            case .inAll: ""
            }
        return """
            SELECT COUNT(*), COALESCE(MIN(expires_at), 0) FROM registrations WHERE active = 0 \(condition)
            """
    }

    fileprivate func values(_ requester: Requester) -> [Value] {
        switch self {
        case .ofSource: [.text(requester.network), .text(requester.source)]
        case .ofNetwork: [.text(requester.network)]
        case .inAll: []
        }
    }

    fileprivate var limit: Int64 {
        switch self {
        case .ofSource: Limits.registrationsPerSource
        case .ofNetwork: Limits.networkShare(of: Limits.registrationsInAll)
        case .inAll: Limits.registrationsInAll
        }
    }
}

extension Transaction {
    /// Nil if one more registration may wait; otherwise the seconds until none of the limits forbids it, if
    /// no other registration comes first. The result does not depend on the userID.
    func secondsUntilPlace(_ requester: Requester) throws(StorageError) -> Int64? {
        try run("DELETE FROM registrations WHERE active = 0 AND expires_at <= $1", [.integer(now)])
        var seconds: Int64?
        for places in WaitingPlaces.allCases {
            guard var row = try row(places.statement, places.values(requester)) else { throw .corrupt }
            let (count, firstEnd) = (try row.integer(), try row.integer())
            guard count >= places.limit else { continue }
            seconds = max(seconds ?? 1, (firstEnd - now + Limits.second - 1) / Limits.second)
        }
        return seconds
    }
}
