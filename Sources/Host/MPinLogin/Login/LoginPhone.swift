// SPDX-License-Identifier: Apache-2.0
// The second device in a login: opening a session, checking the approval code, and getting the verdict.
import MPin
import MPinProof
import MPinHostStore
import MPinWire
import Octets
import Secrets

extension Login {
    /// The answers that are accepted besides the approval code.
    var accepted: PhonePrompt.Choices {
        PhonePrompt.Choices(pin: methods.showsPIN, enter: acceptsUnseen, newCode: newCodes > 0)
    }

    /// Whether a phone that shows no approval code is accepted: only at a virtual console of this machine.
    /// Over a network, an attacker could send the user a QR code, and one scan of it would let the attacker
    /// in.
    package var acceptsUnseen: Bool {
        methods.showsPhone && settings.phoneCode == .optional && context.isVirtualConsole
    }

    /// Whether the approval code is required although the settings have `phone-code = optional`.
    package var requiresApprovalCode: Bool {
        methods.showsPhone && settings.phoneCode == .optional && !context.isVirtualConsole
    }

    /// The question to the account's second devices.
    /// - Parameter life: in seconds, for a session that is opened late; nil: the deadline of the login.
    func deviceQuestion(_ nonce: QuestionNonce, life: Int? = nil) -> SealedQuestion? {
        switch phones {
        case .none: nil
        case .some(let phones):
            phones.question(
                nonce, in: context, life: life ?? settings.deadline, acceptsUnseen: acceptsUnseen)
        }
    }

    /// Opens a session.
    func open() -> LoginStep {
        do throws(Reason) {
            let asked = now()
            let life = loginEnd.map { max(1, $0 - asked) }
            guard let question = deviceQuestion(try drawNonce(), life: life) else { throw .questionTooLong }
            let sealed = try sealed(question)
            if loginEnd == nil { loginEnd = asked + settings.deadline }
            turn = .session(question, asked: asked)
            return .exchange(.session(sealed))
        } catch { return .finished(.failed(error)) }
    }

    func sealed(_ question: SealedQuestion) throws(Reason) -> TaggedQuestion {
        switch phones {
        case .none: throw .outOfTurn
        case .some(let phones): return try phones.sealed(question)
        }
    }

    func received(session response: RelayResponse, for question: SealedQuestion, asked: Int)
        -> LoginStep
    {
        guard case .session(let opened)? = response.body else {
            return finishWithoutSession(.session, response)
        }
        do throws(Reason) {
            switch phones {
            case .none: throw .outOfTurn
            case .some(let phones): session = try phones.session(opened, to: question, from: asked)
            }
            return ask()
        } catch { return unopened(by: error) }
    }

    /// Handles an answer that opens no session.
    private func finishWithoutSession(_ kind: Kind, _ response: RelayResponse) -> LoginStep {
        guard response.kind == kind else { return unopened(by: .transport(.brokenFrame)) }
        return unopened(unserved(kind, response))
    }

    /// Asks mpind for the verdict after a right code, or after Enter where that is accepted.
    /// - Parameter id: hash of the identity whose one-time password was typed; empty for a session.
    func verdict(on a: QuestionHash, _ id: IdentityHash?, by way: AuthenticationMethod) -> LoginStep {
        turn = .approval(a: a, way)
        return .exchange(.authenticate(RelayAuthenticateRequest(authOTT: [], id: id, a: a)))
    }

    func received(approval response: RelayResponse, of a: QuestionHash, by way: AuthenticationMethod)
        -> LoginStep
    {
        let decision: Decision
        switch phones {
        case .none: decision = .refuses(.failed(.outOfTurn))
        case .some(let phones): decision = phones.decision(response, to: a, by: way)
        }
        return ended(decision.outcome)
    }

    /// The approval code that was typed is not that of the session. The third one ends the session, and if
    /// the login goes on with a PIN, this host ends the session at mpind, too.
    func wrongCode(_ session: PhoneSession) -> LoginStep {
        typedWrong()
        wrongCodes += 1
        guard wrongCodes >= 3 else { return next(.wrongCode, else: settled ?? .refused(.wrongCode)) }
        self.session = nil
        guard triesLeft > 0, methods.showsPIN else { return .finished(settled ?? .refused(.wrongCode)) }
        return endSession(session, isRenewal: false)
    }

    /// `r`: replaces the session by a new one, even if the outcome is settled, so that in remote services
    /// every user sees the same screens. It costs no try.
    func newCode(_ session: PhoneSession) -> LoginStep {
        triesLeft += 1
        newCodes -= 1
        self.session = nil
        return endSession(session, isRenewal: true)
    }

    private func endSession(_ session: PhoneSession, isRenewal: Bool) -> LoginStep {
        turn = .ending(isRenewal: isRenewal)
        return .exchange(.end(RelayEndRequest(wid: session.wid, a: session.a)))
    }

    /// Whether mpind has ended the session does not matter here: it expires there anyway.
    func received(end response: RelayResponse, isRenewal: Bool) -> LoginStep {
        guard response.kind == .end else { return ended(.failed(.transport(.brokenFrame))) }
        if isRenewal { return open() }
        return next(.codesUsedUp, else: settled ?? .refused(.wrongCode))
    }
}
