// SPDX-License-Identifier: Apache-2.0
// The message at the end of a flow: `done WORD (NAME VALUE)*`.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages

enum Done {
    static func message(_ word: StaticString) -> Message {
        var done = Message("done")
        done.add(word)
        return done
    }

    static func failed(_ reason: StaticString) -> Message {
        message("failed", because: reason)
    }

    static func message(
        _ outcome: ApprovalOutcome, _ tries: Tries? = nil, hasNoNotice: Bool = false
    ) -> Message {
        switch outcome {
        case .approved(let code): return approved(code, tries: tries, hasNoNotice: hasNoNotice)
        case .denied: return message("denied")
        case .declined: return message("declined")
        case .noSession: return message("noSession")
        case .otherOrigin: return message("otherOrigin")
        case .otherSession: return message("otherSession")
        case .application: return message("application")
        case .wrongPIN(let left): return message("wrongPIN", "triesLeft", left)
        case .locked(let seconds): return message("locked", "seconds", seconds)
        case .blocked: return message("blocked")
        case .secretExpired: return message("expired")
        case .unproved(let outcome): return message(outcome)
        case .notUnderstood: return failed("answer")
        case .authorised, .password, .noRefusal: return failed("answer")
        }
    }

    private static func approved(_ code: [UInt8], tries: Tries?, hasNoNotice: Bool) -> Message {
        var done = message("approved")
        done.add("code", code)
        done.add("triesLeft", tries?.left)
        guard let tries, tries.wrong > 0 else {
            if hasNoNotice { done.add("wrong", "unknown") }
            return done
        }
        done.add("wrong", tries.wrong)
        done.add("time", decimal(tries.lastSeconds))
        done.add("source", tries.lastSource)
        return done
    }

    static func message(_ outcome: RegistrationOutcome) -> Message {
        switch outcome {
        case .enrolled(let identity): return message("enrolled", identity)
        case .unproved(let identity, let why):
            var done = message("unproved", identity)
            done.add("why", why.word)
            return done
        case .withdrawn(let why): return message("withdrawn", because: why.word)
        case .notVerified: return message("notVerified")
        case .notAuthorized: return message("notAuthorized")
        case .full(let seconds): return message("full", "seconds", Int(exactly: seconds))
        case .expired, .unavailable: return message("unavailable")
        case .failed(.store): return message("notStored")
        case .failed(let reason): return message(Outcome.failed(reason))
        }
    }

    /// The message for a proof that failed.
    private static func message(_ outcome: Outcome) -> Message {
        switch outcome {
        case .failed(.outOfTurn): message("broken")
        case .failed(.deviceKey(.lost)): message("lostKey")
        case .failed(.transport): message("unavailable")
        case .failed(let reason): failed(reason.word)
        case .refused(.wrongPIN(let left)): message("wrongPIN", "triesLeft", left.map { Int($0) })
        case .blocked(let seconds?): message("locked", "seconds", Int(exactly: seconds))
        case .granted, .refused, .blocked, .revoked, .secretExpired, .notEnrolled, .unavailable,
            .cancelled, .conversationFailed:
            message(outcome.word)
        }
    }

    static func message(_ word: StaticString, because why: StaticString) -> Message {
        var done = message(word)
        done.add("why", why)
        return done
    }

    private static func message(_ word: StaticString, _ name: StaticString, _ number: Int?) -> Message {
        var done = message(word)
        done.add(name, number)
        return done
    }

    private static func message(_ word: StaticString, _ identity: Identity) -> Message {
        var done = message(word)
        done.add(identity)
        return done
    }
}

extension Outcome {
    /// The outcome as one keyword.
    var word: StaticString {
        switch self {
        case .granted: "approved"
        case .refused(let refusal): refusal.word
        case .blocked(let seconds): seconds == nil ? "blocked" : "locked"
        case .revoked: "revoked"
        case .secretExpired: "expired"
        case .unavailable: "unavailable"
        case .cancelled: "declined"
        case .failed(let reason): reason.word
        case .notEnrolled, .conversationFailed: "failed"
        }
    }
}

extension Refusal {
    fileprivate var word: StaticString {
        switch self {
        case .wrongPIN: "wrongPIN"
        case .noPIN: "noPIN"
        case .expired: "noSession"
        case .noCode, .wrongCode, .wrongOTP, .noOTP, .wrongBackupCode, .noBackupCode, .notApproved,
            .remotePINRefused, .tooLate:
            "failed"
        }
    }
}

extension Reason {
    /// The keyword for those who investigate a failure; the screens only show that it failed.
    var word: StaticString {
        switch self {
        case .settings, .account: "settings"
        case .store: "store"
        case .transport: "transport"
        case .answer: "answer"
        case .seal: "seal"
        case .mathematics: "mathematics"
        case .deviceKey: "deviceKey"
        case .questionTooLong: "question"
        case .outOfMemory: "memory"
        case .noRandomness: "randomness"
        case .callerNotRoot, .outOfTurn: "broken"
        }
    }
}
