// SPDX-License-Identifier: Apache-2.0
// Questions that a login host sealed: which host, which of its keys, fresh and never seen before.
import MPin
import MPinStorage
import MPinWire
import Secrets

/// A question whose seal fits, and the epoch of the key that it fits.
struct HostQuestion: Sendable {
    let sealed: SealedQuestion
    let host: String
    let epoch: UInt32

    /// Under which wrong tries are counted: the host, with the address or the caller's uid that it saw.
    var source: String { hostSource(host, sealed.source) }

    /// The same without the host, as the counters take it. A login by a service of the host makes it known,
    /// questions of `mpin` itself do not; nor is it known where it names nobody.
    var origin: TryOrigin {
        let text = String(decoding: sealed.source, as: UTF8.self)
        let isOwn = [
            SealedQuestion.enrollService, SealedQuestion.changePINService, SealedQuestion.ownService,
        ].contains(sealed.service)
        return TryOrigin(
            text.hasPrefix("local:") ? text : tryAddress(of: text), learns: !isOwn && namesSource)
    }

    /// Where nobody is named, nothing becomes known.
    var namesSource: Bool { isNamed(source: sealed.source) }
}

extension ServiceContext {
    /// How far a question's clock may be off, in seconds.
    private static let nonceWindow: UInt64 = 600

    /// Opens a sealed question and uses its nonce up. 403 without a host's seal, 408 for a nonce that is 10
    /// minutes off the clock or was here before, 400 for a question of another call.
    /// - Parameter service: the reserved service that this call takes; nil: none of them.
    func question(
        _ octets: HexOctets, _ tag: HexOctets?, for service: [UInt8]? = nil
    ) async throws -> HostQuestion {
        guard let sealed = SealedQuestion(decoding: octets.octets), let tag else {
            throw Refusal(response: notSealed(host: ""))
        }
        let (host, epoch) = try await sealer(sealed.host) { $0.verifies(tag.octets, of: sealed) }
        try await useUp(sealed.nonce, from: sealed.seconds, host)
        guard sealed.service == service || !SealedQuestion.reservedServices.contains(sealed.service) else {
            throw Refusal(response: forAnotherCall(host))
        }
        return HostQuestion(sealed: sealed, host: host, epoch: epoch)
    }

    /// The same for the question of a host that binds a phone.
    func question(binding octets: HexOctets, _ tag: HexOctets) async throws -> SessionQuestion {
        guard let bind = Bind(decoding: octets.octets) else { throw Refusal(response: notSealed(host: "")) }
        let (host, epoch) = try await sealer(bind.host) { $0.verifies(tag.octets, of: bind) }
        try await useUp(bind.nonce, from: bind.seconds, host)
        return SessionQuestion(bind, host: host, epoch: epoch)
    }

    /// The host of that name, and the epoch of its key that fits.
    private func sealer(
        _ name: [UInt8], fits: (borrowing HostKey) -> Bool
    ) async throws -> (host: String, epoch: UInt32) {
        guard let host = String(validating: name, as: UTF8.self) else {
            throw Refusal(response: notSealed(host: ""))
        }
        guard let record = try await storage.host(host),
            let epoch = try record.keys.first(where: { fits(try opened($0, host)) })?.epoch
        else { throw Refusal(response: notSealed(host: host)) }
        return (host, epoch)
    }

    private func useUp(_ nonce: [UInt8], from seconds: UInt64, _ host: String) async throws {
        let now = UInt64(clamping: effects.now().seconds)
        let distance = now > seconds ? now - seconds : seconds - now
        guard distance <= ServiceContext.nonceWindow else {
            throw Refusal(response: staleQuestion("clock", host))
        }
        guard try await storage.takeNonce(nonce) else {
            throw Refusal(response: staleQuestion("replay", host))
        }
    }

    func forAnotherCall(_ host: String) -> Response {
        Response(
            400, json: message("This request was sealed for another call"),
            notes: [LogField("refused", "service"), LogField("host", host)])
    }

    /// A share of a client secret, sealed for the host that asked for the registration, under the key that
    /// sealed its question. A share leaves the authority once, so it is asked for when the key is at hand.
    func sealedShare(
        _ index: ShareIndex, of id: [UInt8], for enrolment: HostEnrolment
    ) async throws -> [UInt8] {
        let key = try await hostKey(enrolment.host, enrolment.epoch)
        let share = try await authority.clientSecretShare(index, of: id)
        return try key.seal(share, index, a: enrolment.a, id: id)
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
