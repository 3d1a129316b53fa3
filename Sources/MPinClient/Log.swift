// SPDX-License-Identifier: Apache-2.0
// Outcomes and reasons as pairs for a log line; no text of a server is among them, and no secret.
import MPin
import MPinWire

/// One `key="value"`; escaping is the log's.
package struct LogField: Equatable, Sendable {
    package let key: StaticString
    package let value: [UInt8]

    init(_ key: StaticString, _ value: [UInt8]) {
        self.key = key
        self.value = value
    }

    init(_ key: StaticString, _ value: StaticString) { self.init(key, ascii(value)) }

    package static func == (a: LogField, b: LogField) -> Bool {
        ascii(a.key) == ascii(b.key) && a.value == b.value
    }
}

extension Outcome {
    /// `outcome` first, then what belongs to it.
    package var logFields: [LogField] {
        switch self {
        case .granted(let grant):
            [
                LogField("outcome", "granted"), LogField("label", grant.label),
                LogField("id", [UInt8](hex(grant.id).prefix(8))), LogField("way", grant.way.word),
                LogField("seal", grant.sealed ? "yes" : "no"),
            ]
        case .refused(let refusal): refusal.logFields
        case .blocked(let seconds):
            [LogField("outcome", "blocked")] + (seconds.map { [LogField("release", decimal($0))] } ?? [])
        case .revoked: [LogField("outcome", "revoked")]
        case .secretExpired: [LogField("outcome", "secret-expired")]
        case .notEnrolled(let why):
            [LogField("outcome", "not-enrolled"), LogField("reason", why.cause.word)]
                + (why.ignored ? [LogField("policy", "ignore")] : [])
        case .unavailable(let why):
            [
                LogField("outcome", "unavailable"),
                LogField("reason", why.status.map { decimal($0) } ?? ascii("deadline")),
                LogField("policy", why.ignored ? "ignore" : "deny"),
            ]
        case .cancelled: [LogField("outcome", "cancelled")]
        case .conversationFailed: [LogField("outcome", "conversation-failed")]
        case .failed(let reason): [LogField("outcome", "failed")] + reason.logFields
        }
    }
}

extension Refusal {
    fileprivate var logFields: [LogField] {
        switch self {
        case .wrongPIN(let left):
            [LogField("outcome", "wrong-pin")] + (left.map { [LogField("tries-left", decimal($0))] } ?? [])
        case .noPIN: [LogField("outcome", "no-pin")]
        case .expired: [LogField("outcome", "expired")]
        case .noPINFromAfar: [LogField("outcome", "no-pin-from-afar")]
        case .tooLate: [LogField("outcome", "too-late")]
        }
    }
}

extension Way {
    var word: StaticString {
        switch self {
        case .pin: "pin"
        case .phone: "phone"
        case .otp: "otp"
        }
    }
}

extension NotEnrolled.Cause {
    var word: StaticString {
        switch self {
        case .unknownAccount: "unknown-account"
        case .noFile: "no-file"
        case .noPINHere: "no-pin-here"
        case .notForRemote: "not-for-remote"
        case .excluded(.never): "never"
        case .excluded(.users): "users"
        case .excluded(.groups): "groups"
        case .excluded(.networks): "networks"
        }
    }
}
