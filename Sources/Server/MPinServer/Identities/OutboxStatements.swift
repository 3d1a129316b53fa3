// SPDX-License-Identifier: Apache-2.0
// Revocations that the authority's book has yet to hear.
import MPinDatabase
import Octets

extension ServerDatabase {
    /// Revoked ids of which the authority's book may not know yet, in any order: at most `limit`, and never
    /// more than 1000. Every revocation puts its ids here in its own transaction, also those that were
    /// revoked before.
    func untoldRevocations(limit: Int) async throws(StorageError) -> [IdentityHash] {
        try await transaction(.read) { t throws(StorageError) in
            try t.ids("SELECT id FROM outbox LIMIT $1", [.page(limit)])
        }
    }

    /// Notes that the authority's book has these revocations.
    /// Brief: after a loss of power the book is told again, which changes nothing there.
    func noteTold(_ ids: [IdentityHash]) async throws(StorageError) {
        try await transaction(.brief) { t throws(StorageError) in
            for id in ids { try t.run("DELETE FROM outbox WHERE id = $1", [.octets(id)]) }
        }
    }
}

extension ServiceContext {
    /// Reports to the authority's book the revocations of which it may not know: the daemon may have died
    /// before it told the book, or the authority may have been away. What fails is tried again the next time.
    package func tellRevocations() async {
        while let untold = try? await storage.untoldRevocations(limit: 100), !untold.isEmpty {
            guard (try? await tell(untold)) != nil else { return }
        }
    }

    /// Reports revocations to the authority's book. A failure does not fail the request: the database has the
    /// revocation, permits and shares are given only after a look there, and `tellRevocations` tries again
    /// later.
    func tellBook(of revoked: [IdentityHash]) async -> [LogField] {
        guard !revoked.isEmpty else { return [] }
        do {
            try await tell(revoked)
            return []
        } catch {
            return [LogField("book", "\(error)")]
        }
    }

    private func tell(_ revoked: [IdentityHash]) async throws {
        for id in revoked { try await authority.revoke(id) }
        try await storage.noteTold(revoked)
    }
}
