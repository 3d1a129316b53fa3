// SPDX-License-Identifier: Apache-2.0
// A try of an activation or join code.

/// A try of an activation or join code, and its audit event. Wrong tries are counted by source and by
/// network, so that a flood leaves nothing. Only the first one in an hour from a source is recorded, so that
/// a flood makes one record.
struct CodeTry: Equatable, Sendable {
    let requester: Requester
    let event: AuditEvent

    init(by requester: Requester, event: AuditEvent) {
        self.requester = requester
        self.event = event
    }
}

extension Request {
    /// A try of an activation or join code for this user or host.
    func codeTry(_ kind: String, _ subject: String) -> CodeTry {
        CodeTry(
            by: Requester(peer),
            event: AuditEvent(
                kind: "code.wrong", subject: subject, source: peer.source, attempt: attempt,
                fields: [AuditField("code", kind)]))
    }
}
