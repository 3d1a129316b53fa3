// SPDX-License-Identifier: Apache-2.0
// How many wrong tries count against an identity, read by one statement (docs/login.md, section 7).
import MPinDatabase
import Octets

/// The counter that a row of `tries` belongs to.
enum TryCounter: Int64, CaseIterable {
    case device = 0
    case known = 1
    case strangeLocal = 2
    case strangeNetwork = 3

    static func strange(_ kind: TryOrigin.Kind) -> TryCounter {
        switch kind {
        case .local: .strangeLocal
        case .network: .strangeNetwork
        }
    }

    var isStrange: Bool { self == .strangeLocal || self == .strangeNetwork }

    /// The numbers of the strange ones, as a list in SQL.
    static let strangers = "\(strangeLocal.rawValue), \(strangeNetwork.rawValue)"
}

/// The tries that were not given back, of each counter: in all (strange ones of the last 90 days), and of
/// the last 24 hours.
struct TryTotals {
    private let all: [Int64]
    private let today: [Int64]

    fileprivate init(_ row: inout Row) throws(StorageError) {
        var (all, today): ([Int64], [Int64]) = ([], [])
        for _ in TryCounter.allCases {
            all.append(try row.integer())
            today.append(try row.integer())
        }
        (self.all, self.today) = (all, today)
    }

    subscript(_ counter: TryCounter) -> Int64 { all[Int(counter.rawValue)] }

    func today(_ counter: TryCounter) -> Int64 { today[Int(counter.rawValue)] }

    /// All strange sources together.
    var strange: Int64 { self[.strangeLocal] + self[.strangeNetwork] }
}

extension Transaction {
    func totals(_ id: IdentityHash) throws(StorageError) -> TryTotals {
        let counts = TryCounter.allCases.map { counter in
            let mine = "CASE WHEN counter = \(counter.rawValue)"
            let span = counter.isStrange ? "AND at > $3" : ""
            return "COUNT(\(mine) \(span) THEN 1 END), COUNT(\(mine) AND at > $2 THEN 1 END)"
        }
        let found = try row(
            "SELECT \(counts.joined(separator: ", ")) FROM tries WHERE id = $1 AND returned_at IS NULL",
            [.octets(id), .integer(now - Limits.day), .integer(now - Limits.strangeTriesSpan)])
        guard var found else { throw .corrupt }
        return try TryTotals(&found)
    }

    /// How many strange tries of the last 90 days there are up to this one; 0 if this one is none.
    func strangeTries(of id: IdentityHash, upTo last: Int64) throws(StorageError) -> Int64 {
        try number(
            """
            SELECT COUNT(*) FROM tries WHERE id = $1 AND counter IN (\(TryCounter.strangers))
                AND returned_at IS NULL AND at > $2 AND number <= $3 AND EXISTS (SELECT 1 FROM tries o
                    WHERE o.number = $3 AND o.counter IN (\(TryCounter.strangers)))
            """, [.octets(id), .integer(now - Limits.strangeTriesSpan), .integer(last)])
    }
}
