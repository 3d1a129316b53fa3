// SPDX-License-Identifier: Apache-2.0
// Unlocking by an administrator.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Ends every lock and forgets the tries counted against the subject and the logins that it reported.
    /// Changes nothing for a revoked subject. The event is recorded if something ended or was forgotten.
    func unlock(
        _ subject: Subject, recording event: AuditEvent
    ) async throws(StorageError) -> Unlocking {
        try await act(recording: event, if: { $0 == .unlocked || $0 == .forgotten }) {
            t throws(StorageError) in
            switch subject {
            case .identity(let id):
                try t.serialize(on: .owner(of: id))
                guard let found = try t.identity(id: id) else { return .nobody }
                guard found.revokedAt == nil else { return .revoked }
                let standing = try t.standing(against: [found])
                if standing != .open {
                    try t.forgetTries("SELECT id FROM identities WHERE id = $1", [.octets(id)])
                }
                return standing
            case .user(let userID):
                try t.serialize(on: .user(userID))
                guard let found = try t.user(userID) else { return .nobody }
                let live = found.identities.filter { $0.revokedAt == nil }
                // A user who was added again has a code to enrol with, and does not count as revoked.
                let isOver = live.isEmpty && !found.identities.isEmpty && found.codeExpiresAt == nil
                guard found.revokedAt == nil, !isOver else { return .revoked }
                let standing = try t.standing(against: live)
                if standing != .open {
                    try t.forgetTries("SELECT id FROM identities WHERE user_id = $1", [.text(userID)])
                }
                return standing
            }
        }
    }
}

extension Transaction {
    /// What an unlocking of these identities ends.
    fileprivate func standing(against identities: [IdentityRecord]) throws(StorageError) -> Unlocking {
        var isCounted = false
        for identity in identities {
            let id = identity.description.id
            if identity.blockedAt != nil { return .unlocked }
            if try strangersWait(id) > 0 { return .unlocked }
            if try isLocked(id) { return .unlocked }
            if try hasCounted(id) { isCounted = true }
        }
        return isCounted ? .forgotten : .open
    }

    /// Whether a row of wrong tries or a report by the owner locks it.
    private func isLocked(_ id: IdentityHash) throws(StorageError) -> Bool {
        try row(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM heads WHERE id = $1 AND locked_until > $2)
                OR EXISTS (SELECT 1 FROM reports WHERE id = $1 AND expires_at > $2)
            """, [.octets(id), .integer(now)]) != nil
    }

    private func hasCounted(_ id: IdentityHash) throws(StorageError) -> Bool {
        try row(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM tries WHERE id = $1 AND returned_at IS NULL)
                OR EXISTS (SELECT 1 FROM heads WHERE id = $1 AND failures > 0)
                OR EXISTS (SELECT 1 FROM identities WHERE id = $1 AND failures > 0)
            """, [.octets(id)]) != nil
    }
}
