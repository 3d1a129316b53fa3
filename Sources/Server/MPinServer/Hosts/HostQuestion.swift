// SPDX-License-Identifier: Apache-2.0
// Opens questions that a login host sealed: finds the host and its key, and checks clock and nonce.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// A question with a valid seal, and the epoch of the key that sealed it.
struct HostQuestion: Sendable {
    let sealed: SealedQuestion
    let host: String
    let epoch: UInt32

    /// The source under which wrong tries are counted: the host, and the address or the caller's uid that it
    /// saw.
    var source: String { hostSource(host, sealed.source) }

    /// The source without the host, as the failure counters need it. A granted login by a service of the host
    /// makes the source known. Questions of `mpin` itself do not, nor do sources without a caller.
    var origin: TryOrigin {
        let text = String(decoding: sealed.source, as: UTF8.self)
        let isOwn = [
            SealedQuestion.enrollService, SealedQuestion.changePINService, SealedQuestion.ownService,
        ].contains(sealed.service)
        return TryOrigin(
            countedSource(text, for: .tryAddress), learns: !isOwn && namesSource,
            showsNoNotice: sealed.flags & SealedQuestion.showsNoNotice != 0)
    }

    /// Whether a call that accepts this reserved service (nil: none) accepts the question.
    func belongs(to service: [UInt8]?) -> Bool {
        sealed.service == service || !SealedQuestion.reservedServices.contains(sealed.service)
    }

    /// Whether the source identifies a caller.
    var namesSource: Bool { isNamed(source: sealed.source) }
}

extension ServiceContext {
    /// How far the clock of a host or a device may differ from ours, in seconds.
    private static let nonceWindow: UInt64 = 600

    /// Opens a sealed question and uses its nonce up. 403 without the seal of a host, 408 for a question
    /// whose time is more than 10 minutes off or whose nonce was used before, 400 for a question that belongs
    /// to another call.
    /// - Parameter service: the reserved service that this call accepts; nil if it accepts none.
    func question(
        _ octets: HexOctets, _ tag: HexOctets?, for service: [UInt8]? = nil
    ) async throws -> HostQuestion {
        let question = try await unusedQuestion(octets, tag)
        try await useUp(question, for: service)
        return question
    }

    /// The same, but the caller must use the nonce up before anything follows from the question, and check
    /// that it belongs to the call.
    func unusedQuestion(_ octets: HexOctets, _ tag: HexOctets?) async throws -> HostQuestion {
        guard let sealed = SealedQuestion(decoding: octets.octets), let tag else {
            throw Refusal(response: notSealed(host: ""))
        }
        let (host, epoch) = try await sealer(sealed.host) { $0.verifies(tag.octets, of: sealed) }
        try checkClock(sealed.seconds, host)
        return HostQuestion(sealed: sealed, host: host, epoch: epoch)
    }

    /// Uses the nonce of a question up; 408 and 400 as above.
    func useUp(_ question: HostQuestion, for service: [UInt8]?) async throws {
        try await useUp(question.sealed.nonce, question.host)
        guard question.belongs(to: service) else {
            throw Refusal(response: forAnotherCall(question.host))
        }
    }

    /// The host of that name, and the epoch of its key that sealed the question. 403 if there is none.
    func sealer(
        _ name: [UInt8], fits: (borrowing HostKey) -> Bool
    ) async throws -> (host: String, epoch: UInt32) {
        guard let host = String(validating: name, as: UTF8.self) else {
            throw Refusal(response: notSealed(host: ""))
        }
        guard let record = try await storage.host(host),
            let epoch = try record.keys.first(where: { fits(try opened($0, host).key) })?.epoch
        else { throw Refusal(response: notSealed(host: host)) }
        return (host, epoch)
    }

    func checkClock(_ seconds: UInt64, _ host: String) throws {
        guard isNear(seconds) else { throw Refusal(response: staleQuestion("clock", host)) }
    }

    /// Whether a time is at most 10 minutes off this machine's clock.
    func isNear(_ seconds: UInt64) -> Bool {
        let now = UInt64(clamping: effects.now().seconds)
        return (now > seconds ? now - seconds : seconds - now) <= ServiceContext.nonceWindow
    }

    func useUp(_ nonce: QuestionNonce, _ host: String) async throws {
        guard try await storage.takeNonce(nonce) else { throw usedBefore(host) }
    }

    /// The refusal of a question whose nonce was used before.
    func usedBefore(_ host: String) -> Refusal { Refusal(response: staleQuestion("replay", host)) }

    /// The answer to a question that belongs to another call.
    func forAnotherCall(_ host: String) -> Response {
        Response(
            400, json: message("This request was sealed for another call"),
            notes: [LogField("refused", "service"), LogField("host", host)])
    }

    /// A share of a client secret, sealed for the host that requested the registration, under the key that
    /// sealed its question. The authority gives a share only once, so the key is loaded first.
    func sealedShare(
        _ index: ShareIndex, of id: IdentityHash, for enrolment: HostEnrolment
    ) async throws -> [UInt8] {
        let opened = try await hostKey(enrolment.host, enrolment.epoch)
        let share = try await authority.clientSecretShare(index, of: id)
        return try opened.key.seal(share, index, a: enrolment.a, id: id)
    }

    func notSealed(host: String) -> Response {
        Response(
            403, json: message("Not sealed by a host of this server"),
            notes: [LogField("refused", "seal"), LogField("host", host)])
    }

    private func staleQuestion(_ why: String, _ host: String) -> Response {
        Response(
            408, json: message("Request expired"), notes: [LogField("refused", why), LogField("host", host)])
    }
}

/// Whether a source identifies a caller: not root without a terminal, and not a caller unknown to the host.
func isNamed(source seat: [UInt8]) -> Bool {
    !["", "unknown", "local:0"].contains(String(decoding: seat, as: UTF8.self))
}

/// A source as a host sees it, after the host's name.
func hostSource(_ host: String, _ seat: [UInt8]) -> String {
    let text = String(decoding: seat, as: UTF8.self)
    return host + "/" + (text.hasPrefix("local:") ? text : countedSource(text, for: .client))
}
