// SPDX-License-Identifier: Apache-2.0
// The storage operations for the audit trail.

/// The audit trail, which administrators read.
package protocol AuditStorage: Sendable {
    func append(_ event: AuditEvent) async throws(StorageError)

    /// The newest audit records that `query` selects, newest first: at most `limit`, and never more than
    /// 1000.
    func auditRecords(_ query: AuditQuery, limit: Int) async throws(StorageError) -> [AuditRecord]
}
