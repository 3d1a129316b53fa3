// SPDX-License-Identifier: Apache-2.0
// Settings of, and connections to, the server of a user's own token. Here libcurl runs in this process: it
// does not run as root, so no relay is needed.
import MPinCurl
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire
import Secrets

/// Settings from the token alone, without mpin.conf: they name the token's backend and no other.
/// - Parameter isSecret: whether a secret or a proof will travel; then plain http is refused, even to
///   loopback.
func personalSettings(
    _ backend: [UInt8], _ personal: PersonalBackend, isSecret: Bool = true
) throws(Failure) -> Settings {
    var arguments = [[UInt8]("backend=".utf8) + backend]
    arguments += personal.alsoOrigins.map { [UInt8]("also-origin=".utf8) + $0 }
    if let file = personal.caFile { arguments.append([UInt8]("ca-file=".utf8) + file) }
    do throws(SettingsError) {
        let settings = try Settings(
            text: [], file: [], arguments: arguments, service: nil)
        if isSecret { try settings.checkForEnrolment() }
        return settings
    } catch { throw Failure(error) }
}

/// A connection to the backend. Nothing is sent yet.
func connected(_ settings: Settings) throws(TransportError) -> CurlTransport {
    let attempt: [UInt8]
    do { attempt = try randomOctets(8) } catch { throw .cannotStart }
    var line = CurlTransport(caller: ownAccount().uid)
    let answer: RelayResponse
    do { answer = try line.exchange(.hello(settings.hello(attempt: attempt))) } catch { throw .cannotStart }
    guard answer.status != RelayResponse.noCertificates else { throw .noCertificates }
    return line
}

/// The answer of a personal token's server to one request, over a connection of its own.
func personalAnswer(to request: DeviceRequest, _ settings: Settings) throws(Failure) -> DeviceResponse {
    do throws(TransportError) {
        var line = try connected(settings)
        return try line.exchange(request)
    } catch { throw Failure(personal: .transport(error), settings) }
}

extension Failure {
    /// As for a login, but with other sentences for transport and seal: a personal token has no relay and no
    /// sealed answers.
    init(personal reason: Reason, _ settings: Settings) {
        switch reason {
        case .transport(.noCertificates): self.init(reason, settings)
        case .transport:
            self.init(
                .broken,
                "The connection cannot be prepared: this machine lacks memory or random numbers.")
        case .seal(.missing):
            self.init(
                .broken, "Only mpind can be used with --personal, and this server is not mpind."
            )
        case .answer(let kind, let status):
            self.init(.broken, "\(kind.call): \(explained(status: status, settings))")
        case .settings, .store, .account, .callerNotRoot, .seal, .mathematics, .deviceKey, .questionTooLong,
            .outOfMemory, .noRandomness, .outOfTurn:
            self.init(reason, settings)
        }
    }

    /// Why there is no proof; nil if the outcome is a success.
    init?(personal outcome: Outcome, _ settings: Settings) {
        if case .failed(let reason) = outcome {
            self.init(personal: reason, settings)
        } else {
            self.init(outcome, settings)
        }
    }
}
