// SPDX-License-Identifier: Apache-2.0
// One-time passwords: how the database keeps them, and what a host is told that asks about them.
import MPin
import MPinStorage
import MPinWire
import Secrets

/// Six digits that pass 2 shows whatever its verdict; they live once a good plain login was redeemed.
struct OneTimePasswords: Sendable {
    let backend: ServiceContext

    /// For each identity of the question, the tag that came for it, if its password lives and has that tag
    /// under the host's key, else 32 random octets. Nobody is told the tag of a password that he does not
    /// have: a host could try all of them on it. What is right is noted, for way 3 to go by: whoever carries
    /// this answer could make one of what the host sent.
    func tags(_ request: Request) async throws -> Response {
        guard let asked = try? decoded(OTPTagsRequest.self, from: request.body) else { return .notOfHost }
        let question = try await backend.question(asked.ask, asked.askTag)
        let sealed = question.sealed
        let typed = asked.otpTags.octets
        guard typed.count == 32 * sealed.ids.count else { return .notOfHost }
        let passwords = try await backend.storage.askOTPs(
            OTPQuestion(
                a: sealed.a, ids: sealed.ids, host: question.host, hostEpoch: question.epoch,
                source: question.source,
                life: min(Int64(sealed.life) * Limits.second, backend.settings.lives.session)))
        let key = try await backend.hostKey(question.host, question.epoch)
        var tags: [UInt8] = []
        for (place, (id, living)) in zip(sealed.ids, passwords).enumerated() {
            let madeUp = try backend.sealed(otp: sixDigits(backend.effects.random(8)), of: id)
            let otp = try backend.openedOTP(living ?? madeUp, of: id)
            let tag = try key.otpTag(otp, a: sealed.a, id: id)
            let random = try backend.effects.random(tag.count)
            guard constantTimeEqual(tag, [UInt8](typed[place * 32..<place * 32 + 32])), let living else {
                tags += random
                continue
            }
            try await backend.storage.matchOTP(a: sealed.a, id: id, sealed: living)
            tags += tag
        }
        return Response(
            200, json: json(OTPTagsResponse(otpTags: tags)),
            notes: [LogField("host", question.host), LogField("session", question.attempt)])
    }
}

extension ServiceContext {
    /// For the database: nonce, digits, tag.
    func sealed(otp: String, of id: [UInt8]) throws -> [UInt8] {
        let nonce = try effects.random(12)
        let digits = try unsafe Secret(copying: [UInt8](otp.utf8).span.bytes)
        return nonce + (try AESGCM.seal(digits, key: secrets.passwords, nonce: nonce, associated: id))
    }

    func openedOTP(_ sealed: [UInt8], of id: [UInt8]) throws -> Secret {
        try AESGCM.open(
            [UInt8](sealed.dropFirst(12)), key: secrets.passwords, nonce: [UInt8](sealed.prefix(12)),
            associated: id)
    }
}

extension Redemptions {
    /// Way 3: the host says that the password of `id` was typed, as it was told of its question `a`. Sealed
    /// for every identity of that question, once each; good for the one whose password the question brought.
    func settle(_ a: [UInt8], otpOf id: [UInt8], _ request: Request) async throws -> Response {
        guard let settled = try await backend.storage.settleOTP(a: a, id: id) else { return expired }
        let standing = settled.mpin?.standing ?? .granted
        let verdict = standing == .granted && !settled.isUsed ? .wrong : standing
        let answer = SealedVerdict(
            a: a, way: .otp, verdict: verdict, id: verdict == .granted ? id : nil, triesLeft: nil,
            secondsUntilRelease: 0)
        let notes = [
            LogField("id", id8(id)), LogField("verdict", verdict.words(of: settled.mpin).log),
            LogField("way", "otp"), LogField("session", attemptText(a)),
        ]
        let response = try await sealed(answer, host: settled.host, epoch: settled.hostEpoch, notes: notes)
        if let mpin = settled.mpin {
            try await backend.storage.append(
                AuditEvent(
                    kind: "login", subject: id8(id), host: settled.host, source: settled.source,
                    attempt: request.attempt,
                    fields: told(verdict, to: mpin, by: "otp", in: response)))
        }
        return response
    }
}

extension AuthenticateResponse {
    /// Milagro's clients take the password of pass 2 for one that lives only where all three stand.
    mutating func say(_ otp: LivingOTP) {
        expireTime = Int(otp.until)
        nowTime = Int(otp.from)
        ttlSeconds = Int((otp.until - otp.from) / Limits.second)
    }
}
