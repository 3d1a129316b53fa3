// SPDX-License-Identifier: Apache-2.0
// The handler behind `mpind audit`: the audit trail, a page at a time.
import MPinDatabase
import MPinWire

struct AdminAudit: Sendable {
    let context: ServiceContext

    /// The newest records that match the request, the newest first.
    func read(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(AuditRequest.self, from: request.body) else {
            return Response(400, json: message("Not a valid request for the audit trail"))
        }
        let query = AuditQuery(
            before: asked.before.map(Int64.init), after: asked.after.map(Int64.init), userID: asked.userId,
            since: asked.since.map { Int64(clamping: min(max(0, $0), Int(Int32.max) * 100)) * Limits.second })
        let records = try await context.storage.auditRecords(query, limit: max(1, asked.limit ?? 1000))
        return Response(200, json: json(AuditList(records: records.map(AuditList.Record.init))))
    }
}

extension AuditList.Record {
    fileprivate init(_ record: AuditRecord) {
        let event = record.event
        self.init(
            number: Int(record.number), at: wholeSeconds(record.at), kind: event.kind, subject: event.subject,
            host: event.host, source: event.source, attempt: event.attempt,
            fields: event.fields.map { .init(name: $0.name, value: $0.value) })
    }
}

extension ServiceContext {
    /// The record of an administrator's act, with the caller's uid and pid.
    func event(_ kind: String, subject: String, request: Request, fields: [AuditField] = []) -> AuditEvent {
        var fields = fields
        switch request.peer {
        case .local(let user, let process):
            fields += [AuditField("uid", String(user)), AuditField("pid", String(process))]
        case .address: break
        }
        return AuditEvent(kind: kind, subject: subject, source: request.peer.source, fields: fields)
    }
}
