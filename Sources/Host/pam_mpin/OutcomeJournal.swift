// SPDX-License-Identifier: Apache-2.0
// The log line about a login: one line with an event and its pairs, never a secret.
import CPAM
import MPin
import MPinConsole
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Octets

extension Outcome {
    /// The priority and the line with its event. The caller adds the pairs that every line has.
    func record(under settings: Settings?) -> (priority: CInt, line: LogLine) {
        switch self {
        case .granted(let grant): (LOG_INFO, line(grant))
        case .refused(let refusal): (LOG_NOTICE, line(refusal))
        case .blocked(let seconds): (LOG_WARNING, line(blockedFor: seconds))
        case .revoked: (LOG_WARNING, LogLine("revoked"))
        case .secretExpired: (LOG_NOTICE, LogLine("client-secret-expired"))
        case .notEnrolled(let why): (LOG_INFO, line(why))
        case .unavailable(let why): (LOG_ERR, line(why, under: settings))
        case .cancelled: (LOG_INFO, LogLine("cancelled"))
        case .conversationFailed: (LOG_NOTICE, LogLine("conversation-failed"))
        case .failed(let reason): (LOG_ERR, line(reason, under: settings))
        }
    }
}

extension Grant {
    /// The method's name in the log and in MPIN_METHOD.
    var method: [UInt8] {
        switch proven?.way {
        case .pin: ascii("pin")
        case .phone: ascii("phone")
        case .otp: ascii("otp")
        case .none: ascii("backup")
        }
    }
}

extension ExemptionFault {
    var line: LogLine {
        var line = LogLine("not-exempt")
        switch self {
        case .unread(let error):
            line.add("reason", "passwd-database")
            line.add("errno", Int(error.errno))
        case .unknownName(let key, let name):
            line.add("reason", key.word)
            line.add("problem", "unknown-name")
            line.add("name", name)
        }
        return line
    }
}

extension Unasked {
    var line: LogLine {
        switch self {
        case .exempt(let key, let byKey):
            var line = LogLine("exempt")
            line.add("reason", key.word)
            line.add("policy", byKey ? "key" : "ignore")
            return line
        case .grace(let seconds):
            var line = LogLine("grace")
            line.add("age", seconds)
            return line
        case .ownAccount:
            var line = LogLine("stepped-aside")
            line.add("reason", "caller-not-root")
            return line
        }
    }
}

private func line(_ grant: Grant) -> LogLine {
    var line = LogLine("granted")
    switch grant.proof {
    case .identity(let proven):
        line.add("label", proven.label)
        line.add("id8", [UInt8](hex(proven.id).prefix(8)))
        line.add("way", grant.method)
        if !proven.sealed { line.add("answer", "unsealed") }
    case .backupCode(let left, let standing):
        line.add("way", grant.method)
        line.add("left", left)
        switch standing {
        case .confirmed: line.add("standing", "confirmed")
        case .unasked: line.add("standing", "unasked")
        case .kept(let age):
            line.add("standing", "kept")
            line.add("age", age)
        }
    }
    if let tries = grant.tries {
        if tries.wrong > 0 { line.add("wrong-pins", tries.wrong) }
        if let left = tries.left { line.add("tries-left", left) }
    }
    return line
}

private func line(_ refusal: Refusal) -> LogLine {
    var line = LogLine("refused")
    switch refusal {
    case .wrongPIN(let triesLeft):
        line.add("reason", "wrong-pin")
        if let triesLeft { line.add("tries-left", Int(triesLeft)) }
    case .noPIN: line.add("reason", "no-pin")
    case .noCode: line.add("reason", "no-approval-code")
    case .wrongCode: line.add("reason", "wrong-approval-code")
    case .wrongOTP: line.add("reason", "wrong-otp")
    case .noOTP: line.add("reason", "no-otp")
    case .wrongBackupCode: line.add("reason", "wrong-backup-code")
    case .noBackupCode: line.add("reason", "no-backup-code")
    case .notApproved: line.add("reason", "not-approved")
    case .expired: line.add("reason", "proof-expired")
    case .remotePINRefused: line.add("reason", "remote-pin")
    case .tooLate: line.add("reason", "deadline")
    }
    return line
}

private func line(blockedFor seconds: UInt32?) -> LogLine {
    guard let seconds else { return LogLine("blocked") }
    var line = LogLine("locked")
    line.add("release-after", Int(seconds))
    return line
}

private func line(_ why: NotEnrolled) -> LogLine {
    var line = LogLine("not-enrolled")
    line.add("reason", why.cause.word)
    line.add("policy", why.ignored ? "ignore" : "deny")
    return line
}

private func line(_ why: Unavailable, under settings: Settings?) -> LogLine {
    var line = LogLine("unavailable")
    if let status = why.status { line.add("status", Int(status)) } else { line.add("status", "deadline") }
    if let reason = why.distrust { line.add("reason", reason.word) }
    line.add("backend", settings?.backends.first?.address)
    return line
}
