// SPDX-License-Identifier: Apache-2.0
// The message that the user sees at the end of a login, and its line in the log.
import CPAM
import MPinConsole
import MPinLogin
import MPinProof
import MPinWire
import Octets
import Secrets

extension Outcome {
    /// The last message; nil where there is none. In remote services every refusal has the same message, and
    /// so has every outcome that may depend on the account.
    func sentence(remote: Bool, isPersonal: Bool, attempt: [UInt8], help: [UInt8]?) -> Sentence? {
        if remote, isRefusal { return .refused }
        switch self {
        case .granted(let grant):
            if case .backupCode(let left, _) = grant.proof { return .backup(.left(left)) }
            return nil
        case .cancelled, .conversationFailed: return nil
        case .refused(.wrongPIN(let triesLeft)): return .wrongPIN(triesLeft: triesLeft.map { Int($0) })
        case .refused(.noPIN): return .noPIN
        case .refused(.noCode): return .phone(.noCode)
        case .refused(.wrongCode): return .phone(.wrongCode)
        case .refused(.wrongOTP): return .phone(.wrongOTP)
        case .refused(.noOTP): return .phone(.noOTP)
        case .refused(.wrongBackupCode): return .backup(.wrong)
        case .refused(.noBackupCode): return .backup(.none)
        case .refused(.notApproved): return .phone(.notApproved)
        case .refused(.expired), .refused(.tooLate): return .tooLate
        case .refused(.remotePINRefused): return .refused
        case .blocked(let seconds): return .blocked(seconds: seconds.map { Int($0) }, help: help)
        case .revoked: return .revoked(help: help)
        case .secretExpired: return .enrolAgain(help: help)
        case .notEnrolled(let why): return why.ignored ? nil : .refused
        case .unavailable(let why) where why.status == 429: return .phone(.noSession)
        case .unavailable where remote: return isPersonal ? .refused : .unreachable
        case .unavailable(let why):
            return why.distrust.map { .untrusted(fault: ascii($0.fault)) } ?? .unreachable
        case .failed: return remote && isPersonal ? .refused : .broken(attempt: hex(attempt))
        }
    }
}

extension Tries {
    /// The messages about wrong tries after a granted login, the same in every service.
    var sentences: [TriesSentence] {
        TriesSentence.all(
            wrong: wrong, lastSeconds: lastSeconds, source: lastSource, left: left, .host)
    }
}

extension Handle {
    /// Logs how a login ended. A name without a passwd entry is logged as `unknown`, because a user may have
    /// typed a password in place of the name.
    func log(_ ending: Ending, caller: Caller, seat: SeatRow) {
        var (priority, line) = ending.outcome.record(under: ending.settings)
        if case .failed(.transport(let error)) = ending.outcome, let trouble = ending.trouble {
            line.add(trouble, error)
        }
        line.add("attempt", hex(ending.attempt))
        switch ending.withoutSession {
        case .none: break
        case .some(.unavailable(let why)): line.add("no-session", why.status.map { Int($0) } ?? 1)
        case .some: line.add("no-session", "failed")
        }
        // For an administrator who wonders why Enter is not accepted here.
        if ending.requiresApprovalCode { line.add("phone-code", "required") }
        line.add(ending.context, caller)
        // For an administrator who wonders why a user at this host counts as remote.
        if seat.isRemote, seat != .network { line.add("seat", seat.word) }
        log(priority, line)
    }

    /// Logs why a list of exemptions does not count in a login.
    func log(_ fault: ExemptionFault, context: LoginContext, caller: Caller) {
        var line = fault.line
        line.add(context, caller)
        log(LOG_ERR, line)
    }

    /// Logs a login in which the user was not asked.
    func log(_ why: Unasked, context: LoginContext, caller: Caller) {
        var line = why.line
        line.add("attempt", hex((try? randomOctets(8)) ?? []))
        line.add(context, caller)
        log(LOG_INFO, line)
    }
}

extension LogLine {
    /// Adds service, user and source of the login.
    fileprivate mutating func add(_ context: LoginContext?, _ caller: Caller) {
        add("service", context?.service ?? caller.service)
        add("user", context?.accountName)
        add("source", context?.source)
        add("rhost-name", caller.rhostName)
    }
}
