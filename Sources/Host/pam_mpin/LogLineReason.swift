// SPDX-License-Identifier: Apache-2.0
// The keywords of the log for failures: they lead an administrator to the file, the line and the key.
import MPin
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

/// The log line of a login that failed before it was decided.
func line(_ reason: Reason, under settings: Settings?) -> LogLine {
    var line = LogLine("failed")
    switch reason {
    case .settings(let error): line.add(error)
    case .store(let error):
        line.add("reason", "store")
        line.add("file", error.file)
        line.add(error.fault)
    case .account(let error):
        line.add("reason", "passwd-database")
        line.add("errno", Int(error.errno))
    case .callerNotRoot: line.add("reason", "caller-not-root")
    case .transport(let error):
        line.add("reason", word(error))
        if error == .otherVersion { line.add("do", "restart-the-service") }
        if error == .noCertificates {
            line.add("file", settings?.caFile)
            line.add("do", "make-the-ca-file-readable")
        }
    case .answer(let kind, let status):
        line.add("reason", "answer")
        line.add("kind", Int(kind.rawValue))
        line.add("status", Int(status))
    case .seal(let fault): line.add("reason", word(fault))
    case .mathematics(let error): line.add("reason", word(error))
    case .deviceKey(.notGiven): line.add("reason", "no-device-key-given")
    case .deviceKey(.lost): line.add("reason", "device-key-lost")
    case .questionTooLong: line.add("reason", "question-too-long")
    case .outOfMemory: line.add("reason", "out-of-memory")
    case .noRandomness: line.add("reason", "no-randomness")
    case .outOfTurn: line.add("reason", "out-of-turn")
    }
    return line
}

extension LogLine {
    /// Adds the system call without which a relay cannot start or go on, or how the relay ended.
    mutating func add(_ trouble: RelayTrouble, _ error: TransportError) {
        guard error == .cannotStart || error == .closed else { return }
        if !trouble.call.isEmpty { add("call", trouble.call) }
        if trouble.errno > 0 { add("errno", Int(trouble.errno)) }
        if trouble.exit > 0 { add("exit", Int(trouble.exit)) }
    }

    fileprivate mutating func add(_ error: SettingsError) {
        add("reason", "settings")
        add("file", error.file.isEmpty ? ascii("arguments") : error.file)
        if error.line > 0 { add("line", error.line) }
        if !error.key.isEmpty { add("key", error.key) }
        switch error.problem {
        case .unreadable(let fault): add(fault)
        case .grammar(let reason): add("problem", word(reason))
        case .key(let problem): add("problem", word(problem))
        case .conflict(let conflict): add("problem", word(conflict))
        }
    }

    fileprivate mutating func add(_ fault: StoreError.Fault) {
        add("problem", word(fault))
        switch fault {
        case .system(let errno): add("errno", Int(errno))
        case .grammar(let number, let reason):
            add("line", number)
            add("detail", word(reason))
        case .key(let error):
            add("line", error.line)
            add("key", error.key)
            add("detail", word(error.problem))
        case .missing, .foreignOwner, .tooOpen, .wrongType, .badPath, .tooLong, .noMarker, .otherUID,
            .otherName, .otherHost, .otherIdentity, .badSecret, .secondToken, .outOfMemory, .locked:
            break
        }
    }
}

private func word(_ fault: StoreError.Fault) -> StaticString {
    switch fault {
    case .missing: "missing"
    case .foreignOwner: "foreign-owner"
    case .tooOpen: "too-open"
    case .wrongType: "wrong-type"
    case .badPath: "bad-path"
    case .tooLong: "too-long"
    case .noMarker: "no-marker"
    case .system: "system"
    case .grammar: "grammar"
    case .key: "key"
    case .otherUID: "other-uid"
    case .otherName: "other-name"
    case .otherHost: "other-host"
    case .otherIdentity: "other-identity"
    case .badSecret: "bad-secret"
    case .secondToken: "second-token"
    case .outOfMemory: "out-of-memory"
    case .locked: "locked"
    }
}

private func word(_ reason: GrammarError.Reason) -> StaticString {
    switch reason {
    case .tooLong: "file-too-long"
    case .lineTooLong: "line-too-long"
    case .notUTF8: "not-utf8"
    case .forbiddenByte: "forbidden-byte"
    case .notALine: "not-a-line"
    case .badKey: "bad-key"
    case .badSectionName: "bad-section-name"
    case .duplicateSection: "duplicate-section"
    }
}

private func word(_ problem: KeyError.Problem) -> StaticString {
    switch problem {
    case .unknown: "unknown-key"
    case .repeated: "repeated-key"
    case .missing: "missing-key"
    case .badValue: "bad-value"
    }
}

private func word(_ conflict: SettingsError.Conflict) -> StaticString {
    switch conflict {
    case .unsealedNeedsPIN: "unsealed-needs-method-pin"
    case .unsealedNeedsHTTPS: "unsealed-needs-https"
    case .stackDecides: "see-authinfo-unavail"
    case .needsSection: "needs-a-section"
    case .connectTimeoutTooLong: "beyond-call-timeout"
    case .enrolmentNeedsSecrecy: "enrolment-needs-https"
    case .reservedService: "reserved-service"
    }
}

private func word(_ error: TransportError) -> StaticString {
    switch error {
    case .cannotStart: "relay-cannot-start"
    case .closed: "relay-died"
    case .timedOut: "relay-silent"
    case .cancelled: "cancelled"
    case .brokenFrame: "relay-broke-a-frame"
    case .otherVersion: "relay-of-another-version"
    case .noCertificates: "no-certificates"
    }
}

private func word(_ fault: SealFault) -> StaticString {
    switch fault {
    case .missing: "seal-missing"
    case .unexpected: "seal-unexpected"
    case .malformed: "seal-malformed"
    case .wrongTag: "seal-wrong-tag"
    case .otherQuestion: "seal-of-another-question"
    case .otherWay: "seal-of-another-way"
    case .otherIdentity: "seal-of-another-identity"
    case .wrongChallenge: "challenge-wrong"
    case .wrongShare: "share-wrong"
    case .noNotice: "notice-missing"
    }
}

private func word(_ error: MPinError) -> StaticString {
    switch error {
    case .invalidPoint: "invalid-point"
    case .invalidScalar: "invalid-scalar"
    case .infinity: "point-at-infinity"
    case .outOfMemory: "out-of-memory"
    case .noRandomness: "no-randomness"
    }
}
