// SPDX-License-Identifier: Apache-2.0
// The nonces of hosts' questions, each of which is taken once.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Takes the nonce (32 octets) of a sealed question. Returns true the first time only, even after a loss
    /// of power.
    func takeNonce(_ nonce: QuestionNonce) async throws(StorageError) -> Bool {
        try await transaction(.durable) { t throws(StorageError) in try t.take(nonce) }
    }
}

extension Transaction {
    /// Takes a nonce; false if it was taken before. This machine's clock decides whether a question is too
    /// old, and the database's how long its nonce is kept, so the two must agree. Throws if both were set
    /// back so far that this nonce may be one that was forgotten.
    func take(_ nonce: QuestionNonce) throws(StorageError) -> Bool {
        try checkClock()
        let taken = try row(
            """
            INSERT INTO nonces (nonce, expires_at) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING
            RETURNING expires_at
            """, [.octets(nonce), .integer(now + Limits.nonceLife)])
        guard taken != nil else { return false }
        let forgotten = try row(
            "SELECT greatest FROM forgotten_nonces WHERE greatest >= $1", [.octets(nonce)])
        guard var forgotten else { return true }
        let greatest = try forgotten.octets()
        throw .unavailable(.clock(seconds(of: nonce.octets) - seconds(of: greatest)))
    }

    /// Notes the greatest nonce that was removed after its life. A nonce begins with the time of its
    /// question, so every nonce that was forgotten is smaller, and while no clock goes back every new one is
    /// greater.
    func forgetNonces(_ removed: [Row]) throws(StorageError) {
        var greatest: [UInt8] = []
        for var row in removed {
            let nonce = try row.octets()
            if greatest.lexicographicallyPrecedes(nonce) { greatest = nonce }
        }
        guard !greatest.isEmpty else { return }
        try run(
            """
            INSERT INTO forgotten_nonces (one, greatest) VALUES (1, $1)
            ON CONFLICT (one) DO UPDATE SET greatest = excluded.greatest
            WHERE forgotten_nonces.greatest < excluded.greatest
            """, [.octets(greatest)])
    }

    /// The seconds since 1970 with which a nonce begins.
    private func seconds(of nonce: [UInt8]) -> Int64 {
        Int64(clamping: nonce.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
