// SPDX-License-Identifier: Apache-2.0
// The places that strangers share, such as those of browsers' sessions, and who gives way when all are taken.
import MPinDatabase

/// Rows of one table of which only so many may live at a time. When all places are taken, the network with
/// the most gives way to one with fewer, as connections do (`Admission`): first an IPv6 /32, in it the /40
/// with the most, then the /48, then the source. So a newcomer displaces only those who have more than it
/// would have.
struct SharedPlaces: Sendable {
    let table: String
    /// SQL: whether a row has a place. The index of the places has the same condition.
    let held: String
    /// The column by which the table has places of several kinds, such as those of each host.
    var kind: String?
    let key: String
    /// The column with the time when a row was made.
    let made: String
    /// SQL: whether a device has looked at the row, so that it gives way after those that none has looked at.
    let isScanned: String
    /// SQL that takes the place from rows, before `WHERE`.
    let end: String
    let inAll: Int64
    let ofSource: Int64

    private static let networks = ["network32", "network40", "network", "source"]
    /// A scanned row gives way only if its widest network has more than this part of the places.
    private static let scannedShare: Int64 = 20

    /// SQL: the rows with a place, of one kind, in so many of the networks from the widest to the source.
    private func rows(_ depth: Int) -> String {
        let columns = [kind].compactMap(\.self) + SharedPlaces.networks.prefix(depth)
        let conditions = columns.enumerated().map { " AND \($1) = $\($0 + 1)" }
        return "\(table) WHERE \(held)" + conditions.joined()
    }

    private func count(_ depth: Int, upTo limit: Int64) -> String {
        limited(rows(depth), to: limit)
    }

    fileprivate var countOfSource: String { count(SharedPlaces.networks.count, upTo: ofSource) }
    fileprivate var countInAll: String { count(0, upTo: inAll) }

    /// The number of the places of a network inside of others.
    fileprivate func countOwn(_ depth: Int) -> String { count(depth + 1, upTo: inAll) }

    /// The network with the most places inside of others; among equals, one with more that nobody has
    /// scanned.
    fileprivate func crowd(_ depth: Int) -> String {
        let network = SharedPlaces.networks[depth]
        return """
            SELECT \(network), COUNT(*) FROM \(rows(depth)) GROUP BY \(network)
            ORDER BY COUNT(*) DESC, COUNT(CASE WHEN \(isScanned) THEN 1 END) LIMIT 1
            """
    }

    /// The row of a source that gives way, and whether it is scanned.
    fileprivate var eldest: String {
        """
        SELECT \(key), CASE WHEN \(isScanned) THEN 1 ELSE 0 END FROM \(rows(SharedPlaces.networks.count))
        ORDER BY CASE WHEN \(isScanned) THEN 1 ELSE 0 END, \(made) LIMIT 1
        """
    }

    /// Ends the rows whose time is over, which nobody may use any more.
    fileprivate var expiry: String {
        "\(end) WHERE \(held) AND expires_at <= $1" + (kind.map { " AND \($0) = $2" } ?? "")
    }

    /// When the first place becomes free: of a source, or of all.
    func firstEnd(ofSource: Bool) -> String {
        "SELECT MIN(expires_at) FROM \(rows(ofSource ? SharedPlaces.networks.count : 0))"
    }

    /// All statements that pass over more than one row.
    var statements: [String] {
        [countOfSource, countInAll, eldest, expiry] + SharedPlaces.networks.indices.map(crowd)
            + SharedPlaces.networks.indices.map(countOwn)
    }

    /// Whether so many places of one network protect those of them that are scanned no more.
    fileprivate func isCrowd(_ count: Int64) -> Bool { count > inAll / SharedPlaces.scannedShare }
}

/// Whether there is a place for one more row.
enum PlaceDecision {
    case free
    /// The source has as many as it may have.
    case sourceIsFull
    /// All places are taken, and nobody gives way to this requester.
    case allAreTaken
}

extension Transaction {
    /// Takes a place, if need be from somebody else. The caller has serialized on the places of this kind.
    func place(
        in places: SharedPlaces, of kind: String? = nil, for requester: Requester,
        _ searches: PlaceSearches
    ) throws(StorageError) -> PlaceDecision {
        let name = "\(places.table) \(kind ?? "") \(requester.networks[0])"
        guard !searches.hasPause(name, at: now) else { return .allAreTaken }
        let kind = kind.map { [Value.text($0)] } ?? []
        try run(places.expiry, [.integer(now)] + kind)
        let own = requester.networks.map { Value.text($0) }
        guard try number(places.countOfSource, kind + own) < places.ofSource else { return .sourceIsFull }
        guard try number(places.countInAll, kind) >= places.inAll else { return .free }
        searches.note(name, at: now)
        guard let row = try rowThatGivesWay(in: places, kind, to: own) else { return .allAreTaken }
        // It keeps its place no longer if it was approved meanwhile.
        try run("\(places.end) WHERE \(places.key) = $1 AND \(places.held)", [row])
        return .free
    }

    /// Goes from the widest networks to a source. As long as no network has at least two places more than the
    /// requester's own, it looks inside of the requester's.
    private func rowThatGivesWay(
        in places: SharedPlaces, _ kind: [Value], to own: [Value]
    ) throws(StorageError) -> Value? {
        var path: [Value] = []
        var isOwn = true
        var widest: Int64 = 0
        for depth in own.indices {
            guard var crowd = try row(places.crowd(depth), kind + path) else { return nil }
            let (network, count) = (Value.text(try crowd.text()), try crowd.integer())
            if depth == 0 { widest = count }
            var next = network
            if isOwn {
                let ours = try number(places.countOwn(depth), kind + path + [own[depth]])
                isOwn = count <= ours + 1
                if isOwn { next = own[depth] }
            }
            if isOwn, depth == 0 { widest = try number(places.countOwn(0), kind + [own[0]]) }
            path.append(next)
        }
        guard !isOwn, var eldest = try row(places.eldest, kind + path) else { return nil }
        let key = try eldest.value()
        return try eldest.flag() && !places.isCrowd(widest) ? nil : key
    }

    func number(_ statement: String, _ values: [Value]) throws(StorageError) -> Int64 {
        guard var found = try row(statement, values) else { throw .corrupt }
        return try found.integer()
    }
}

/// SQL that counts rows, but no more than `limit`; `matching` is a table and a condition.
func limited(_ matching: String, to limit: Int64) -> String {
    "SELECT COUNT(*) FROM (SELECT 1 FROM \(matching) LIMIT \(limit)) AS counted"
}
