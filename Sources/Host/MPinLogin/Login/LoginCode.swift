// SPDX-License-Identifier: Apache-2.0
// Backup codes in a login: compared on this host, struck out before success, and usable without a server.
import MPin
import MPinProof
import MPinHostStore
import Secrets

extension Login {
    /// Whether the prompt is for a backup code alone. In remote services this depends on the settings and the
    /// server, never on the account.
    package var asksForCode: Bool { methods.showsCode && !methods.showsMoreThanCode }

    /// The number of the account's unused codes; nil where backup codes are closed.
    package var codesLeft: Int? {
        switch codes {
        case .none: nil
        case .some(let codes): codes.set.left
        }
    }

    /// Handles sixteen typed letters, which never leave this host. If they are an unused code of the account,
    /// the server is asked whether the account is revoked, and only then is the code struck out.
    func backupCode(_ typed: borrowing Secret) throws(Reason) -> LoginStep {
        if endsCodes, let settled { return next(.refused, else: settled) }
        switch methods.code {
        case .none: break
        case .some(.failed(let reason)): throw reason
        case .some(.account), .some(.service), .some(.method), .some(.remotePIN): return wrongBackupCode()
        }
        guard let hash = try hash(matching: typed) else { return wrongBackupCode() }
        return try askStanding(for: hash)
    }

    private func hash(matching typed: borrowing Secret) throws(Reason) -> [UInt8]? {
        switch codes {
        case .none: throw .outOfTurn
        case .some(let codes):
            do throws(OutOfMemory) { return try codes.set.hash(matching: typed) } catch {
                throw .outOfMemory
            }
        }
    }

    /// The code is struck out, or it was no longer there.
    func struck(left: Int?, _ standing: CodeStanding) -> LoginStep {
        guard let left else { return wrongBackupCode() }
        return .finished(Decision.grants(.backupCode(left: left, standing), nil).outcome)
    }

    private func wrongBackupCode() -> LoginStep {
        let wrong = Outcome.refused(.wrongBackupCode)
        return next(.wrongBackupCode, else: context.isRemote ? settled ?? wrong : wrong)
    }

    /// No session could be opened, which does not depend on the account. The login goes on with a PIN or a
    /// backup code; where neither is open, it ends.
    func unopened(_ outcome: Outcome) -> LoginStep {
        withoutSession = outcome
        if methods.showsPIN { return ask() }
        guard methods.showsCode else {
            isPersonal = false
            return .finished(outcome)
        }
        methods.showCodeAlone()
        turn = .told
        return .tell(.unreachable)
    }

    /// The same for a fault of this host: without backup codes it ends the login.
    func unopened(by reason: Reason) -> LoginStep {
        methods.showsCode ? unopened(.failed(reason)) : .finished(.failed(reason))
    }

    /// The server cannot be used, but a local user may type a backup code instead. The answer that was typed
    /// in vain costs no try.
    func codeInstead(of outcome: Outcome) -> LoginStep {
        triesLeft += 1
        session = nil
        methods.showCodeAlone()
        return next(.unreachable, else: outcome)
    }
}

extension Outcome {
    /// Whether backup codes stay usable after this outcome: they need no server, so a fault between this host
    /// and the server does not end them.
    var leavesCodes: Bool {
        switch self {
        case .unavailable: true
        case .failed(let reason):
            switch reason {
            case .transport, .answer, .seal: true
            case .settings, .store, .account, .callerNotRoot, .mathematics, .deviceKey, .questionTooLong,
                .outOfMemory, .noRandomness, .outOfTurn:
                false
            }
        case .granted, .refused, .blocked, .revoked, .secretExpired, .notEnrolled, .cancelled,
            .conversationFailed:
            false
        }
    }
}
