// SPDX-License-Identifier: Apache-2.0
// A one-time password in a login: the host sends the tags of what was typed to mpind, which answers with the
// tags of the valid passwords.
import MPin
import MPinProof
import MPinWire
import Octets
import Secrets

extension Login {
    /// Handles six typed digits. Only their tags leave the host, which reveal nothing without the host key.
    /// For an account that may not use a device here, the same request is sent with an empty list of devices,
    /// so that it looks like every other. An outcome that the server has settled is not asked for again.
    func oneTimePassword(_ typed: borrowing Secret) throws(Reason) -> LoginStep {
        if methods.phone == nil, let settled { return next(.refused, else: settled) }
        guard let question = deviceQuestion(try drawNonce()) else { throw .questionTooLong }
        let sealed = try sealed(question)
        let tags = try tags(of: typed, for: question)
        turn = .otp(question, typed: tags)
        return .exchange(.otp(RelayOTPRequest(sealed, tags: tags)))
    }

    private func tags(of typed: borrowing Secret, for question: SealedQuestion) throws(Reason)
        -> [UInt8]
    {
        switch phones {
        case .none: throw .outOfTurn
        case .some(let phones): return try phones.otpTags(typed, for: question)
        }
    }

    func received(otp response: RelayResponse, for question: SealedQuestion, _ typed: [UInt8])
        -> LoginStep
    {
        guard case .otp(let living)? = response.body else { return ended(unserved(.otp, response)) }
        guard living.count == typed.count else { return ended(.failed(.seal(.malformed))) }
        var found: IdentityHash?
        for (index, id) in question.ids.enumerated() {
            let place = index * 32..<(index + 1) * 32
            if constantTimeEqual([UInt8](living[place]), [UInt8](typed[place])) { found = id }
        }
        guard let found, settled == nil else {
            typedWrong()
            return next(.wrongOTP, else: settled ?? .refused(.wrongOTP))
        }
        return verdict(on: question.a, found, by: .otp)
    }

    /// The outcome of an answer without the body that a login with a second device needs.
    func unserved(_ kind: Kind, _ response: RelayResponse) -> Outcome {
        guard response.kind == kind else { return .failed(.transport(.brokenFrame)) }
        return response.status == 429
            ? .unavailable(Unavailable(status: 429)) : unanswered(kind, response)
    }
}
