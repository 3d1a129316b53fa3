// SPDX-License-Identifier: Apache-2.0
// One-time passwords: how the database keeps them, and how a host checks one that a user typed.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// Six digits that the answer to pass 2 has whatever the verdict. They become valid when a granted plain
/// login is redeemed.
struct OneTimePasswords: Sendable {
    let context: ServiceContext

    /// POST otp: for each identity of the question, returns the tag that the host sent, if the identity has a
    /// live password with that tag under the host's key; otherwise 32 random octets. The server never reveals
    /// the tag of a password that the host does not have: the host could try all passwords on it. A match is
    /// recorded for the sealed answer (way 3), because the relay could forge this answer out of what the host
    /// sent.
    func tags(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(OTPTagsRequest.self, from: request.body) else { return .notOfHost }
        let question = try await context.question(asked.ask, asked.askTag)
        let sealed = question.sealed
        let typed = asked.otpTags.octets
        guard typed.count == 32 * sealed.ids.count else { return .notOfHost }
        let passwords = try await context.storage.askOTPs(
            OTPQuestion(
                a: sealed.a, ids: sealed.ids, host: question.host, hostEpoch: question.epoch,
                source: question.source,
                life: min(Int64(sealed.life) * Limits.second, context.settings.lives.session)))
        let opened = try await context.hostKey(question.host, question.epoch)
        var tags: [UInt8] = []
        for (place, (id, living)) in zip(sealed.ids, passwords).enumerated() {
            let madeUp = try context.sealed(otp: sixDigits(context.effects.random(8)), of: id)
            let otp = try context.openedOTP(living ?? madeUp, of: id)
            let tag = try opened.key.otpTag(otp, a: sealed.a, id: id)
            let random = try context.effects.random(tag.count)
            guard constantTimeEqual(tag, [UInt8](typed[place * 32..<place * 32 + 32])), let living else {
                tags += random
                continue
            }
            try await context.storage.matchOTP(a: sealed.a, id: id, sealed: living)
            tags += tag
        }
        return Response(
            200, json: json(OTPTagsResponse(otpTags: tags)),
            notes: [LogField("host", question.host), LogField("session", question.attempt)])
    }
}

extension ServiceContext {
    /// Seals a password for the database: nonce (12 octets), encrypted digits, tag.
    func sealed(otp: String, of id: IdentityHash) throws -> [UInt8] {
        let nonce = try effects.random(12)
        let digits = try unsafe Secret(copying: [UInt8](otp.utf8).span.bytes)
        return nonce + (try AESGCM.seal(digits, key: secrets.passwords, nonce: nonce, associated: id.octets))
    }

    func openedOTP(_ sealed: [UInt8], of id: IdentityHash) throws -> Secret {
        try AESGCM.open(
            [UInt8](sealed.dropFirst(12)), key: secrets.passwords, nonce: [UInt8](sealed.prefix(12)),
            associated: id.octets)
    }
}

extension Redemptions {
    /// Way 3: the host reports that the password of `id` was typed, after the answer to its question `a`. The
    /// verdict is sealed for every identity of that question, once each, and granted for the one whose
    /// password matched.
    func settle(_ a: QuestionHash, otpOf id: IdentityHash, _ request: Request) async throws -> Response {
        guard let settled = try await context.storage.settleOTP(a: a, id: id) else { return expired }
        let standing = settled.identity?.standing ?? .granted
        let verdict = standing == .granted && !settled.isUsed ? .wrong : standing
        context.metrics.redeemed(by: .otp, verdict.words(of: settled.identity))
        let answer = SealedVerdict(
            a: a, way: .otp, verdict: verdict, id: verdict == .granted ? id : nil, triesLeft: nil,
            secondsUntilRelease: 0)
        let notes = [
            LogField("id", id8(id)), LogField("verdict", verdict.words(of: settled.identity).log),
            LogField("way", "otp"), LogField("session", attemptText(a)),
        ]
        let response = try sealed(
            answer, for: settled.host,
            under: try await context.hostKeyRecord(settled.host, settled.hostEpoch), notes: notes)
        if let identity = settled.identity {
            try await context.storage.append(
                AuditEvent(
                    kind: "login", subject: id8(id), host: settled.host, source: settled.source,
                    attempt: request.attempt,
                    fields: loginFields(verdict, to: identity, by: "otp", in: response)))
        }
        return response
    }
}

extension AuthenticateResponse {
    /// Adds the times of a password. Milagro's clients accept the password of pass 2 only with all three.
    mutating func say(_ otp: LivingOTP) {
        expireTime = Int(otp.until)
        nowTime = Int(otp.from)
        ttlSeconds = Int((otp.until - otp.from) / Limits.second)
    }
}
