// SPDX-License-Identifier: Apache-2.0
// The second device in a login: a session before the prompt, the approval code that was typed, the verdict on
// it.
import MPin
import MPinProof
import MPinStore
import MPinWire
import Secrets

extension Login {
    /// What is a good answer beside the approval code.
    var accepted: PhonePrompt.Choices {
        PhonePrompt.Choices(pin: methods.showsPIN, enter: acceptsUnseen, newCode: newCodes > 0)
    }

    /// Phones that show no code, at a seat of this machine only: over a network one scan of a picture that
    /// somebody sent would let him in.
    package var acceptsUnseen: Bool {
        methods.showsPhone && settings.phoneCode == .optional && context.isVirtualConsole
    }

    /// `phone-code = optional` stands in the settings, and the approval code is asked for all the same.
    package var requiresApprovalCode: Bool {
        methods.showsPhone && settings.phoneCode == .optional && !context.isVirtualConsole
    }

    /// The question that names the login: it opens the session, or is the first try of a PIN.
    borrowing func firstQuestion(_ nonce: [UInt8]) -> SealedQuestion? {
        if methods.showsPhone || methods.showsOTP { return deviceQuestion(nonce) }
        switch credential {
        case .none: return nil
        case .some(let credential): return credential.question(nonce, in: context, life: settings.deadline)
        }
    }

    /// The question to the account's second devices.
    /// - Parameter life: of a session that begins late; nil: as long as a login.
    borrowing func deviceQuestion(_ nonce: [UInt8], life: Int? = nil) -> SealedQuestion? {
        switch phones {
        case .none: nil
        case .some(let phones):
            phones.question(
                nonce, in: context, life: life ?? settings.deadline, acceptsUnseen: acceptsUnseen)
        }
    }

    /// Settings first, by a call of their own: whether anybody could be reached at all is seen there.
    mutating func open() -> LoginStep {
        do throws(Reason) {
            var life: Int?
            if let loginEnd { life = max(1, loginEnd - now()) }
            guard let question = deviceQuestion(try drawNonce(), life: life) else { throw .questionTooLong }
            turn = .settings(question)
            return .exchange(.settings)
        } catch { return .finished(.failed(error)) }
    }

    mutating func received(settings answer: RelayResponse, for question: SealedQuestion) -> LoginStep {
        guard case .settings(let usesPermits, _)? = answer.body else {
            return finishWithoutSession(.settings, answer)
        }
        known.usesPermits = usesPermits
        do throws(Reason) {
            let sealed = try sealed(question)
            let asked = now()
            if loginEnd == nil { loginEnd = asked + settings.deadline }
            turn = .session(question, asked: asked)
            return .exchange(.session(sealed))
        } catch { return unopened(by: error) }
    }

    borrowing func sealed(_ question: SealedQuestion) throws(Reason) -> TaggedQuestion {
        switch phones {
        case .none: throw .outOfTurn
        case .some(let phones): return try phones.sealed(question)
        }
    }

    mutating func received(session answer: RelayResponse, for question: SealedQuestion, asked: Int)
        -> LoginStep
    {
        guard case .session(let opened)? = answer.body else { return finishWithoutSession(.session, answer) }
        do throws(Reason) {
            switch phones {
            case .none: throw .outOfTurn
            case .some(let phones): session = try phones.session(opened, to: question, from: asked)
            }
            return ask()
        } catch { return unopened(by: error) }
    }

    /// A call that opens no session.
    private mutating func finishWithoutSession(_ kind: Kind, _ answer: RelayResponse) -> LoginStep {
        guard answer.kind == kind else { return unopened(by: .transport(.brokenFrame)) }
        return unopened(forgiven(unserved(kind, answer)))
    }

    /// What was typed is right, or Enter stands for it; mpind says whether a device has approved.
    /// - Parameter id: whose one-time password it is; empty for a session.
    mutating func verdict(on a: [UInt8], _ id: [UInt8], by way: AuthenticationMethod) -> LoginStep {
        turn = .approval(a: a, way)
        return .exchange(.authenticate(RelayAuthenticateRequest(authOTT: [], id: id, a: a)))
    }

    mutating func received(approval answer: RelayResponse, of a: [UInt8], by way: AuthenticationMethod)
        -> LoginStep
    {
        let decision: Decision
        switch phones {
        case .none: decision = .refuses(.failed(.outOfTurn))
        case .some(let phones): decision = phones.decision(answer, to: a, by: way)
        }
        return ended(decision.outcome)
    }

    /// An approval code, and not that of the session. The third time it is over, which mpind is told.
    mutating func wrongCode(_ session: PhoneSession) -> LoginStep {
        wrongCodes += 1
        guard wrongCodes >= 3 else { return next(.wrongCode, else: settled ?? .refused(.wrongCode)) }
        self.session = nil
        guard triesLeft > 0, methods.showsPIN else { return .finished(settled ?? .refused(.wrongCode)) }
        return endSession(session, isRenewal: false)
    }

    /// `r`: another session in the place of this one, whatever is settled, and for no try. In remote services
    /// everybody's screen goes on in the same way.
    mutating func newCode(_ session: PhoneSession) -> LoginStep {
        triesLeft += 1
        newCodes -= 1
        self.session = nil
        return endSession(session, isRenewal: true)
    }

    private mutating func endSession(_ session: PhoneSession, isRenewal: Bool) -> LoginStep {
        turn = .ending(isRenewal: isRenewal)
        return .exchange(.end(RelayEndRequest(wid: session.wid, a: session.a)))
    }

    /// Whether it ended at mpind as well does not matter here: it ends by its life, too.
    mutating func received(end answer: RelayResponse, isRenewal: Bool) -> LoginStep {
        guard answer.kind == .end else { return ended(.failed(.transport(.brokenFrame))) }
        if isRenewal { return open() }
        return next(.codesUsedUp, else: settled ?? .refused(.wrongCode))
    }

    /// What was typed, read in the one order there is.
    borrowing func reading(of answer: borrowing Secret) throws(Reason) -> Reading {
        if let session {
            if newCodes > 0, asksForNewCode(answer) { return .newCode(session) }
            switch phones {
            case .none: throw .outOfTurn
            case .some(let phones):
                if try phones.isCode(answer, of: session), settled == nil { return .approval(session) }
            }
            if PhoneCode.reads(answer) { return .wrongCode(session) }
            if answer.count == 0, acceptsUnseen, settled == nil { return .approval(session) }
        }
        if methods.readsCode, CodeAlphabet.reads(answer, count: OneTimeCode.count) { return .backupCode }
        if session == nil, asksForCode { return .noBackupCode }
        if methods.showsOTP { return OneTimePassword.reads(answer) ? .otp : .noOTP }
        guard methods.showsPIN else { return .noCode }
        return PINPolicy.canBePIN(answer) ? .pin : .noPIN
    }
}

private func asksForNewCode(_ answer: borrowing Secret) -> Bool {
    answer.count == 1
        && answer.withBytes { unsafe $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) | 0x20 == 0x72 }
}

/// What somebody typed.
enum Reading: Equatable {
    case approval(PhoneSession)
    /// `r`.
    case newCode(PhoneSession)
    case wrongCode(PhoneSession)
    /// Sixteen letters.
    case backupCode
    /// Six digits, where a one-time password is asked for.
    case otp
    case pin
    /// Nothing to do anything with: no PIN, or, where none is asked for, no approval code, no digits, no
    /// backup code.
    case noPIN, noCode, noOTP, noBackupCode
}
