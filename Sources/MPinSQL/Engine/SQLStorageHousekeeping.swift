// SPDX-License-Identifier: Apache-2.0
// Housekeeping and the audit trail over SQL: which connection each operation takes.
package import MPinStorage

extension SQLStorage {
    package func revokeUnconfirmed() async throws(StorageError) -> [[UInt8]] {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.revokeUnconfirmed() }
    }

    package func append(_ event: AuditEvent) async throws(StorageError) {
        try await writer.transaction(.durable) { t throws(StorageError) in try t.append(event) }
    }

    package func checkDeviceKeys(epoch: UInt32, check: [UInt8]) async throws(StorageError) -> Bool {
        try await writer.transaction(.durable) { t throws(StorageError) in
            try t.checkDeviceKeys(epoch: epoch, check: check)
        }
    }

    package func auditRecords(
        _ query: AuditQuery, limit: Int
    ) async throws(StorageError) -> [AuditRecord] {
        try await reader.transaction(.read) { t throws(StorageError) in
            try t.auditRecords(query, limit: limit)
        }
    }

    package func purge() async throws(StorageError) -> Int {
        try await writer.transaction(.brief) { t throws(StorageError) in try t.purge() }
    }
}
