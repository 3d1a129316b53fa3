// SPDX-License-Identifier: Apache-2.0
// What storage does for the audit trail.

/// The audit trail: written, and read by administrators.
package protocol AuditStorage: Sendable {
    func append(_ event: AuditEvent) async throws(StorageError)

    /// The newest audit records that `query` selects, the newest first, at most `limit` and never over 1000.
    func auditRecords(_ query: AuditQuery, limit: Int) async throws(StorageError) -> [AuditRecord]
}
