// SPDX-License-Identifier: Apache-2.0
// Login hosts, their epochs and join codes. The row of a removed host is kept, so that its epochs are never
// used again.
import MPinDatabase

extension ServerDatabase {
    /// Adds a host with a new key and returns its epoch; nil if the host exists. A removed host that is added
    /// again gets a new epoch, never one that a removed key had.
    func addHost(
        _ name: String, join: JoinCodeRecord, key: @escaping HostKeySealing, recording event: AuditEvent
    ) async throws(StorageError) -> UInt32? {
        try await act(recording: event, if: { $0 != nil }) { t throws(StorageError) in
            guard !name.isEmpty else { throw .refused }
            try t.serialize(on: .name("host " + name))
            let added = try t.row(
                """
                INSERT INTO hosts (name, epoch, sealed_key, added_at) VALUES ($1, 1, $3, $2)
                ON CONFLICT (name) DO UPDATE SET epoch = hosts.epoch + 1, added_at = $2, removed_at = NULL
                WHERE hosts.removed_at IS NOT NULL
                RETURNING epoch
                """, [.text(name), .integer(t.now), .octets([])])
            guard var added else { return nil }
            return try t.begin(epoch: added.number(UInt32.self), of: name, join, for: lives.code, key)
        }
    }

    /// Raises the epoch, makes a new key and replaces the join code. Earlier keys stay accepted for 7 days,
    /// or are dropped at once if `hasLeaked`. Returns nil if there is no such host.
    func rotateHost(
        _ name: String, join: JoinCodeRecord, hasLeaked: Bool, key: @escaping HostKeySealing,
        recording event: AuditEvent
    ) async throws(StorageError) -> UInt32? {
        try await act(recording: event, if: { $0 != nil }) { t throws(StorageError) in
            try t.serialize(on: .name("host " + name))
            if hasLeaked {
                try t.run("DELETE FROM former_epochs WHERE host = $1", [.text(name)])
            } else {
                try t.run(
                    """
                    INSERT INTO former_epochs (host, epoch, sealed_key, expires_at)
                    SELECT name, epoch, sealed_key, $2 FROM hosts WHERE name = $1 AND removed_at IS NULL
                    """, [.text(name), .integer(t.now + Limits.previousEpochLife)])
            }
            let rotated = try t.row(
                """
                UPDATE hosts SET epoch = epoch + 1 WHERE name = $1 AND removed_at IS NULL RETURNING epoch
                """, [.text(name)])
            guard var rotated else { return nil }
            return try t.begin(epoch: rotated.number(UInt32.self), of: name, join, for: lives.code, key)
        }
    }

    /// Removes a host: none of its keys is accepted any more. Returns false if there is no such host.
    func removeHost(
        _ name: String, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            try t.serialize(on: .name("host " + name))
            let removed = try t.row(
                """
                UPDATE hosts SET removed_at = $2, sealed_key = $3
                WHERE name = $1 AND removed_at IS NULL RETURNING epoch
                """, [.text(name), .integer(t.now), .octets([])])
            try t.run("DELETE FROM former_epochs WHERE host = $1", [.text(name)])
            try t.run("DELETE FROM joins WHERE host = $1", [.text(name)])
            return removed != nil
        }
    }

    /// Uses up a join code. Nil if the joinID is wrong, which counts against its source, or if the source has
    /// tried too often.
    func takeJoin(
        host name: String, joinID: [UInt8], tried: CodeTry
    ) async throws(StorageError) -> Join? {
        try await transaction(.durable) { t throws(StorageError) in
            try t.checkClock()
            try t.serialize(on: tried.sourceKey, tried.networkKey)
            return try t.counted(tried) { () throws(StorageError) -> Join? in
                let taken = try t.row(
                    """
                    DELETE FROM joins WHERE host = $1 AND join_id = $2 AND expires_at > $3
                    RETURNING epoch, sealed_key
                    """, [.text(name), .octets(joinID), .integer(t.now)])
                guard var taken else { return nil }
                return Join(epoch: try taken.number(UInt32.self), sealedKey: try taken.octets())
            }
        }
    }

    /// Whether an open join code of any host has this joinID.
    func hasJoin(joinID: [UInt8]) async throws(StorageError) -> Bool {
        try await transaction(.read) { t throws(StorageError) in
            try t.row(
                "SELECT host FROM joins WHERE join_id = $1 AND expires_at > $2",
                [.octets(joinID), .integer(t.now)]) != nil
        }
    }

    /// The host with this name; nil if there is none or it was removed.
    func host(_ name: String) async throws(StorageError) -> HostRecord? {
        try await transaction(.read) { t throws(StorageError) in try t.host(name) }
    }

    /// Hosts in the order of their names: those after `after`, at most `limit`, and never more than 1000.
    func hosts(after: String?, limit: Int) async throws(StorageError) -> [HostRecord] {
        try await transaction(.read) { t throws(StorageError) in
            try t.hosts("h.name > $1 ORDER BY h.name LIMIT $2", after ?? "", limit: limit)
        }
    }
}

extension Transaction {
    func host(_ name: String) throws(StorageError) -> HostRecord? {
        try hosts("h.name = $1 ORDER BY h.name LIMIT $2", name, limit: 1).first
    }

    /// Stores the key of a new epoch, and the join code with which the host fetches it; returns the epoch.
    fileprivate func begin(
        epoch: UInt32, of name: String, _ join: JoinCodeRecord, for life: UnixMilliseconds,
        _ key: HostKeySealing
    ) throws(StorageError) -> UInt32 {
        guard let sealedKey = key(epoch) else { throw .refused }
        try run("UPDATE hosts SET sealed_key = $2 WHERE name = $1", [.text(name), .octets(sealedKey)])
        try insert(join, host: name, epoch: epoch, until: now + life)
        return epoch
    }

    private func insert(_ join: JoinCodeRecord, host: String, epoch: UInt32, until end: UnixMilliseconds)
        throws(StorageError)
    {
        try run("DELETE FROM joins WHERE host = $1", [.text(host)])
        try run(
            """
            INSERT INTO joins (host, join_id, sealed_key, epoch, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .text(host), .octets(join.joinID), .octets(join.sealedKey), .integer(Int64(epoch)),
                .integer(end),
            ])
    }

    fileprivate func hosts(
        _ condition: String, _ name: String, limit: Int
    ) throws(StorageError) -> [HostRecord] {
        var hosts: [HostRecord] = []
        let found = try rows(
            """
            SELECT h.name, h.added_at, h.epoch, h.sealed_key, j.expires_at, f.epoch, f.sealed_key
            FROM (SELECT * FROM hosts h WHERE removed_at IS NULL AND \(condition)) h
            LEFT JOIN joins j ON j.host = h.name AND j.expires_at > $3
            LEFT JOIN former_epochs f ON f.host = h.name AND f.expires_at > $3
            ORDER BY h.name, f.epoch DESC
            """, [.text(name), .page(limit), .integer(now)])
        for var row in found {
            let (name, addedAt) = (try row.text(), try row.integer())
            let key = HostKeyRecord(epoch: try row.number(UInt32.self), sealedKey: try row.octets())
            let joinExpiresAt = try row.optionalInteger()
            let isNext = hosts.last?.name != name
            var keys = isNext ? [key] : hosts.removeLast().keys
            if let epoch = try row.optionalEpoch() {
                keys.append(HostKeyRecord(epoch: epoch, sealedKey: try row.octets()))
            }
            hosts.append(HostRecord(name: name, keys: keys, addedAt: addedAt, joinExpiresAt: joinExpiresAt))
        }
        return hosts
    }
}
