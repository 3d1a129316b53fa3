// SPDX-License-Identifier: Apache-2.0
// The wrong tries since an identity's last granted login, for the notice to its owner.
import MPinDatabase
import Octets

extension Transaction {
    /// Notes a good proof; the first one spends the activation code. The wrong tries before it stay noted
    /// until the notice of a granted login reports them.
    func noteLogin(_ verdict: VerdictRecord) throws(StorageError) {
        let found = try row(
            "SELECT last_login_at, code IS NOT NULL FROM identities WHERE id = $1", [.octets(verdict.id)])
        guard var found else { throw .refused }
        try forgive(verdict, since: try found.optionalInteger() ?? 0)
        if try found.flag() { try spendCode(of: verdict.id) }
        try run(
            "UPDATE identities SET last_login_at = $2, last_login_from = $3 WHERE id = $1",
            [.octets(verdict.id), .integer(now), .text(verdict.source)])
    }

    /// The wrong tries that have not been reported yet, if there are any; this call sets their count to zero.
    func takeWrongTries(of identity: IdentityRecord) throws(StorageError) -> WrongTries? {
        guard let wrong = identity.wrongTries else { return nil }
        try run("UPDATE identities SET wrong_count = 0 WHERE id = $1", [.octets(identity.description.id)])
        return wrong
    }

    /// Whether this is the wrong try after which so few remain to strange sources that the owner is told.
    func isScarce(after verdict: VerdictRecord) throws(StorageError) -> Bool {
        guard let number = verdict.tryNumber else { return false }
        return try strangeTries(of: verdict.id, upTo: number) == Limits.triesInAll - Limits.scarceTries
    }

    /// Notes a wrong try for the notice, unless nothing counts it (`TryCounting.none`).
    func noteWrong(_ verdict: VerdictRecord) throws(StorageError) {
        let counted: Int64 = verdict.counting == .none ? 0 : 1
        try run(
            """
            UPDATE identities SET wrong_count = wrong_count + $2,
                wrong_at = CASE $2 WHEN 0 THEN wrong_at ELSE $3 END,
                wrong_source = CASE $2 WHEN 0 THEN wrong_source ELSE $4 END
            WHERE id = $1
            """, [.octets(verdict.id), .integer(counted), .integer(now), .text(verdict.source)])
    }
}
