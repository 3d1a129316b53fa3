// SPDX-License-Identifier: Apache-2.0
// Reasons as pairs for a log line.
import MPin
import MPinWire

extension Reason {
    package var logFields: [LogField] {
        switch self {
        case .settings(let error): error.logFields
        case .store(let error):
            [LogField("reason", "store"), LogField("file", error.file)] + error.fault.logFields
        case .account(let error):
            [LogField("reason", "account"), LogField("errno", decimal(error.errno.magnitude))]
        case .transport(let error): [LogField("reason", "relay"), LogField("problem", error.word)]
        case .answer(let kind, let status):
            [
                LogField("reason", "answer"), LogField("question", decimal(kind.rawValue)),
                LogField("status", decimal(status)),
            ]
        case .seal(let fault): [LogField("reason", "seal"), LogField("problem", fault.word)]
        case .mathematics(let error): [LogField("reason", "mathematics"), LogField("problem", error.word)]
        case .questionTooLong: [LogField("reason", "question-too-long")]
        case .outOfMemory: [LogField("reason", "out-of-memory")]
        case .noRandomness: [LogField("reason", "no-randomness")]
        case .outOfTurn: [LogField("reason", "out-of-turn")]
        }
    }
}

extension SettingsError {
    package var logFields: [LogField] {
        var fields = [LogField("reason", "settings")]
        if !file.isEmpty { fields.append(LogField("file", file)) }
        if line > 0 { fields.append(LogField("line", decimal(line.magnitude))) }
        if !key.isEmpty { fields.append(LogField("key", key)) }
        switch problem {
        case .unreadable(let fault): fields += fault.logFields
        case .grammar(let reason): fields.append(LogField("problem", reason.word))
        case .key(let problem): fields.append(LogField("problem", problem.word))
        case .conflict(let conflict): fields.append(LogField("problem", conflict.word))
        }
        return fields
    }
}

extension StoreError.Fault {
    package var logFields: [LogField] {
        switch self {
        case .system(let code):
            [LogField("problem", "system"), LogField("errno", decimal(code.magnitude))]
        case .grammar(let line, let reason):
            [LogField("problem", reason.word), LogField("line", decimal(line.magnitude))]
        case .key(let error):
            [
                LogField("problem", error.problem.word), LogField("line", decimal(error.line.magnitude)),
                LogField("key", error.key),
            ]
        case .missing, .foreignOwner, .tooOpen, .wrongType, .badPath, .tooLong, .noMarker, .otherUID,
            .otherName, .otherHost, .otherIdentity, .badSecret, .secondToken, .outOfMemory:
            [LogField("problem", word)]
        }
    }

    private var word: StaticString {
        switch self {
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
        }
    }
}

extension TransportError {
    fileprivate var word: StaticString {
        switch self {
        case .cannotStart: "cannot-start"
        case .closed: "closed"
        case .timedOut: "timed-out"
        case .brokenFrame: "broken-frame"
        }
    }
}

extension SealFault {
    fileprivate var word: StaticString {
        switch self {
        case .missing: "missing"
        case .unexpected: "unexpected"
        case .malformed: "malformed"
        case .wrongTag: "wrong-tag"
        case .otherQuestion: "other-question"
        case .otherWay: "other-way"
        case .otherIdentity: "other-identity"
        case .wrongChallenge: "wrong-challenge"
        case .wrongShare: "wrong-share"
        }
    }
}

extension MPinError {
    fileprivate var word: StaticString {
        switch self {
        case .invalidPoint: "invalid-point"
        case .invalidScalar: "invalid-scalar"
        case .infinity: "infinity"
        case .outOfMemory: "out-of-memory"
        case .noRandomness: "no-randomness"
        }
    }
}

extension KeyError.Problem {
    fileprivate var word: StaticString {
        switch self {
        case .unknown: "unknown-key"
        case .repeated: "repeated-key"
        case .missing: "missing-key"
        case .badValue: "bad-value"
        }
    }
}

extension GrammarError.Reason {
    fileprivate var word: StaticString {
        switch self {
        case .tooLong: "too-long"
        case .lineTooLong: "line-too-long"
        case .notUTF8: "not-utf-8"
        case .forbiddenByte: "forbidden-byte"
        case .notALine: "not-a-line"
        case .badKey: "bad-key"
        case .badSectionName: "bad-section-name"
        case .duplicateSection: "duplicate-section"
        }
    }
}

extension SettingsError.Conflict {
    fileprivate var word: StaticString {
        switch self {
        case .unsealedNeedsPIN: "unsealed-needs-method-pin"
        case .unsealedNeedsHTTPS: "unsealed-needs-https"
        case .remoteIgnore: "needs-remote-ignore"
        case .methodNotHere: "method-not-in-this-version"
        case .enrolmentNeedsSecrecy: "enrolment-needs-https-or-unix"
        }
    }
}
