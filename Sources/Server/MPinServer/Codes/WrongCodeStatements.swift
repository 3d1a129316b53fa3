// SPDX-License-Identifier: Apache-2.0
// Tries of activation and join codes, counted by source and network. A wrong try never ends a code.
import MPinDatabase

extension CodeTry {
    /// Tries of one source, and of one network, are counted one after another.
    var sourceKey: SerialKey { .name("codes source " + requester.source) }
    var networkKey: SerialKey { .name("codes network " + requester.network) }
}

extension Transaction {
    /// Counts the try as a wrong one, looks up the code, and takes the count back if the code is right. After
    /// too many wrong tries of a source or network, those from there are looked up without a count and
    /// without a record: they must not make the right codes of others useless. The answer is the same.
    func counted<Code>(
        _ tried: CodeTry, _ find: () throws(StorageError) -> Code?
    ) throws(StorageError) -> Code? {
        let (source, network) = (tried.requester.source, tried.requester.network)
        let hour = Value.integer(now / Limits.hour)
        guard try wrongCodes("source = $1", source) < Limits.wrongCodesPerSource,
            try wrongCodes("network = $1", network) < Limits.wrongCodesPerNetwork
        else { return try find() }
        let counted = try row(
            """
            INSERT INTO wrong_codes (source, network, hour, tries) VALUES ($1, $2, $3, 1)
            ON CONFLICT (source, hour) DO UPDATE SET tries = wrong_codes.tries + 1 RETURNING tries
            """, [.text(source), .text(network), hour])
        guard var counted else { throw .corrupt }
        let isFirst = try counted.integer() == 1
        if let code = try find() {
            let uncount =
                isFirst ? "DELETE FROM wrong_codes" : "UPDATE wrong_codes SET tries = tries - 1"
            try run("\(uncount) WHERE source = $1 AND hour = $2", [.text(source), hour])
            return code
        }
        if isFirst { try append(tried.event) }
        return nil
    }

    /// The wrong tries of the current hour.
    private func wrongCodes(_ condition: String, _ value: String) throws(StorageError) -> Int64 {
        let found = try row(
            """
            SELECT CAST(COALESCE(SUM(tries), 0) AS BIGINT) FROM wrong_codes
            WHERE \(condition) AND hour = $2
            """,
            [.text(value), .integer(now / Limits.hour)])
        guard var found else { throw .corrupt }
        return try found.integer()
    }
}
