// SPDX-License-Identifier: Apache-2.0
// Applications with their redirect URIs, their sessions and their authorization codes.
import MPinDatabase
import Octets

extension SharedPlaces {
    /// Each application has its own.
    static let applications = SharedPlaces(
        table: "application_sessions", held: "1 = 1", kind: "client_id", key: "wid", made: "opened_at",
        isScanned: "scanned = 1", end: "DELETE FROM application_sessions",
        inAll: Limits.sessionsPerApplication, ofSource: Limits.applicationSessionsPerSource)
}

extension ServerDatabase {
    /// Adds an application, and records the event. Returns false if there is one with that name.
    func addApplication(
        _ application: ApplicationRecord, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            guard !application.redirectURIs.isEmpty else { throw .refused }
            let added = try t.row(
                """
                INSERT INTO applications (client_id, name, added_at) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO NOTHING RETURNING client_id
                """, [.text(application.clientID), .text(application.name), .integer(t.now)])
            guard added != nil else { return false }
            for (place, uri) in application.redirectURIs.enumerated() {
                try t.run(
                    "INSERT INTO redirect_uris (client_id, place, uri) VALUES ($1, $2, $3)",
                    [.text(application.clientID), .integer(Int64(place)), .text(uri)])
            }
            return true
        }
    }

    /// Removes an application with all its sessions and codes, and records the event. Returns false if there
    /// is none with that name.
    /// The tables' ON DELETE CASCADE removes its sessions and codes.
    func removeApplication(
        _ name: String, recording event: AuditEvent
    ) async throws(StorageError) -> Bool {
        try await act(recording: event, if: { $0 }) { t throws(StorageError) in
            try t.row("DELETE FROM applications WHERE name = $1 RETURNING name", [.text(name)]) != nil
        }
    }

    /// The applications in the order of their names: at most `limit`, and never more than 1000.
    func applications(limit: Int) async throws(StorageError) -> [ApplicationRecord] {
        try await transaction(.read) { t throws(StorageError) in
            var applications: [ApplicationRecord] = []
            for var row in try t.rows(
                "SELECT client_id, name FROM applications ORDER BY name LIMIT $1", [.page(limit)])
            {
                applications.append(try t.application(&row))
            }
            return applications
        }
    }

    func application(clientID: String) async throws(StorageError) -> ApplicationRecord? {
        try await transaction(.read) { t throws(StorageError) in
            try t.application(clientID: clientID)
        }
    }

    /// Opens a session. Returns false if too many are live: of the source, of its network, of the
    /// application, or in all.
    func openApplicationSession(
        _ session: ApplicationSession
    ) async throws(StorageError) -> Bool {
        let searches = placeSearches
        return try await transaction(.brief) { t throws(StorageError) in
            try t.serialize(on: .name("application sessions " + session.clientID))
            let place = try t.place(in: .applications, of: session.clientID, for: session.requester, searches)
            guard place == .free else { return false }
            try t.run(
                """
                INSERT INTO application_sessions (wid, client_id, redirect_uri, opened_at, expires_at,
                    scanned, network32, network40, network, source)
                VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9)
                """,
                [
                    .text(session.wid), .text(session.clientID), .text(session.redirectURI), .integer(t.now),
                    .integer(t.now + lives.applicationSession),
                ] + session.requester.networks.map { .text($0) })
            return true
        }
    }

    /// The session with this wid; nil if there is none or it has expired.
    func applicationSession(_ wid: String) async throws(StorageError) -> LiveApplicationSession? {
        try await transaction(.read) { t throws(StorageError) in
            let found = try t.row(
                """
                SELECT client_id, redirect_uri, source, network, opened_at, expires_at
                FROM application_sessions WHERE wid = $1 AND expires_at > $2
                """, [.text(wid), .integer(t.now)])
            guard var found else { return nil }
            let session = ApplicationSession(
                wid: wid, clientID: try found.text(), redirectURI: try found.text(),
                requester: Requester(source: try found.text(), network: try found.text()))
            guard let application = try t.application(clientID: session.clientID) else { throw .corrupt }
            return LiveApplicationSession(
                session: session, application: application, openedAt: try found.integer(),
                expiresAt: try found.integer(), readAt: t.now)
        }
    }

    /// Keeps an authorization code for the identity `id`, as its SHA-256 (32 octets). Returns the
    /// application, or nil if the session or application that `place` names does not exist or the session was
    /// used already.
    func keepCode(
        _ hash: AuthorizationCodeHash, of id: IdentityHash, for place: CodePlace
    ) async throws(StorageError) -> ApplicationRecord? {
        try await transaction(.voidable) { t throws(StorageError) in
            guard try t.mayApprove(id), let (application, redirectURI) = try t.used(place) else { return nil }
            try t.run(
                """
                INSERT INTO authorization_codes (hash, client_id, redirect_uri, id, expires_at)
                VALUES ($1, $2, $3, $4, $5)
                """,
                [
                    .octets(hash), .text(application.clientID), .text(redirectURI), .octets(id),
                    .integer(t.now + lives.authorizationCode),
                ])
            return application
        }
    }

    /// Uses up an authorization code, whichever client presents it. Nil if there is no such code.
    func takeCode(_ hash: AuthorizationCodeHash) async throws(StorageError) -> AuthorizationCode? {
        try await transaction(.voidable) { t throws(StorageError) in
            let owner = "SELECT id FROM authorization_codes WHERE hash = $1"
            guard let id = try t.serialize(onOwnerFoundBy: owner, [.octets(hash)]) else { return nil }
            let found = try t.row(
                """
                DELETE FROM authorization_codes WHERE hash = $1 RETURNING client_id, redirect_uri, expires_at
                """, [.octets(hash)])
            guard var found else { return nil }
            let (clientID, redirectURI) = (try found.text(), try found.text())
            guard let identity = try t.identity(id: id) else { throw .corrupt }
            return AuthorizationCode(
                clientID: clientID, redirectURI: redirectURI, identity: identity,
                isLive: try found.integer() > t.now)
        }
    }
}

extension Transaction {
    func application(clientID: String) throws(StorageError) -> ApplicationRecord? {
        let found = try row(
            "SELECT client_id, name FROM applications WHERE client_id = $1", [.text(clientID)])
        guard var found else { return nil }
        return try application(&found)
    }

    fileprivate func application(_ row: inout Row) throws(StorageError) -> ApplicationRecord {
        let (clientID, name) = (try row.text(), try row.text())
        var uris: [String] = []
        for var row in try rows(
            "SELECT uri FROM redirect_uris WHERE client_id = $1 ORDER BY place", [.text(clientID)])
        {
            uris.append(try row.text())
        }
        return ApplicationRecord(clientID: clientID, name: name, redirectURIs: uris)
    }

    /// The application and the redirect URI of a place. A session is used up by the first call.
    fileprivate func used(_ place: CodePlace) throws(StorageError) -> (ApplicationRecord, String)? {
        switch place {
        case .application(let clientID):
            guard let application = try application(clientID: clientID),
                let first = application.redirectURIs.first
            else { return nil }
            return (application, first)
        case .session(let wid):
            let found = try row(
                """
                DELETE FROM application_sessions WHERE wid = $1 AND expires_at > $2
                RETURNING client_id, redirect_uri
                """, [.text(wid), .integer(now)])
            guard var found else { return nil }
            guard let application = try application(clientID: try found.text()) else { throw .corrupt }
            return (application, try found.text())
        }
    }
}
