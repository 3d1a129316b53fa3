// SPDX-License-Identifier: Apache-2.0
// Why a call of the client did not succeed.
import MPin
import MPinProof
import MPinWire
import Octets

/// Why a server's rules do not allow a new PIN.
public enum PINRefusal: Equatable, Sendable {
    /// The PIN has fewer characters than the server requires.
    case shorter(than: Int)
    /// The PIN can be read as a date.
    case date
}

/// The error that every call of ``Client`` throws.
public struct ClientFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of the failure; never ``Status/ok``.
    public let status: Status
    /// A sentence for the log, in English, at most 300 octets, without secrets.
    public let message: String
    /// The HTTP status of the answer that caused the failure; nil if no answer did.
    public let httpStatus: Int?
    /// The address that was refused because no trusted domain covers it; then the status is
    /// ``Status/networkError``. nil for every other reason.
    public let untrustedURL: String?
    /// After ``Status/incorrectPIN``: how many tries are left until a lock; nil if the server does not say.
    public internal(set) var triesLeft: Int?
    /// During a lock: after how many seconds the server accepts the next try. After HTTP status 429 to a
    /// registration: after how many seconds the server may accept one from this address again. nil if the
    /// server does not say.
    public internal(set) var retryAfter: Int?
    /// Why ``Client/finishRegistration(_:pin:)`` refused a new PIN by the server's rules; then the status is
    /// ``Status/incorrectPIN``. nil for every other reason.
    public internal(set) var refusedPIN: PINRefusal?

    /// Status and message in one line, for a log.
    public var description: String { "\(status): \(message)" }

    init(_ status: Status, _ message: String, httpStatus: Int? = nil, untrustedURL: String? = nil) {
        self.status = status
        self.message = presentable(message, limit: 300)
        self.httpStatus = httpStatus
        self.untrustedURL = untrustedURL
    }

    static func flow(_ message: String) -> ClientFailure { ClientFailure(.flowError, message) }
    static func answer(_ message: String) -> ClientFailure { ClientFailure(.responseParseError, message) }
    /// A login cannot be refused by ``Client/deny(_:pin:accessCode:isForeign:)``: the user's server does not
    /// bind proofs, and would take the proof for an approval. Nothing was sent.
    public static let noRefusal = ClientFailure(
        .flowError, "the user's server has no refusal, and would take the proof for an approval")
    static let noBackend = ClientFailure(.flowError, "no backend is set")

    static func untrusted(_ url: String) -> ClientFailure {
        ClientFailure(.networkError, "no trusted domain covers \(place(in: url))", untrustedURL: url)
    }

    /// An address without its query, which may have secrets.
    static func place(in url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// The server has as many waiting registrations from here as it allows.
    static func full(_ response: HTTPResponse) -> ClientFailure {
        let seconds = response.headers.first { $0.key.lowercased() == "retry-after" }
            .flatMap { Int($0.value) }.flatMap { (1...86_400).contains($0) ? $0 : nil }
        let minutes = seconds.map { ($0 + 59) / 60 }
        let time = minutes.map { $0 == 1 ? "in 1 minute" : "in \($0) minutes" } ?? "later"
        var failure = ClientFailure(
            Status(.user, http: response.status),
            "too many registrations from here wait to be confirmed; try again \(time)",
            httpStatus: response.status)
        failure.retryAfter = seconds
        return failure
    }

    /// nil for a fault that is not against a server's rules.
    init?(_ fault: PINFault) {
        switch fault {
        case .shorterThanAsked(let least):
            self.init(.incorrectPIN, "the server requires a PIN of at least \(least) characters")
            refusedPIN = .shorter(than: least)
        case .date:
            self.init(.incorrectPIN, "the server does not allow dates as PINs")
            refusedPIN = .date
        case .tooShort, .tooLong, .foreignCharacter, .repeated, .counted, .year, .accountName, .readsAsCode:
            return nil
        }
    }

    /// A proof ended without V, because something that it needs is invalid or missing.
    init(_ outcome: Outcome) {
        switch outcome {
        case .failed(.mathematics(let error)): self.init(error)
        case .failed(.outOfMemory): self.init(MPinError.outOfMemory)
        case .failed(.deviceKey):
            self.init(.cryptoError, "the device key is missing: register this user again")
        case .failed(.seal(.missing)):
            self.init(.cryptoError, "the server does not say how it made its challenge")
        case .failed(.seal): self.init(.cryptoError, "the challenge was made for something else")
        default: self.init(.flowError, "the proof was out of turn")
        }
    }

    /// The cryptography refused a value.
    init(_ error: MPinError) {
        switch error {
        case .invalidPoint: self.init(.cryptoError, "a share, permit or token is not a point of its group")
        case .invalidScalar: self.init(.cryptoError, "a challenge or PIN is not a valid scalar")
        case .infinity: self.init(.cryptoError, "a result would be the point at infinity")
        case .outOfMemory: self.init(.cryptoError, "there is no memory for a secret")
        case .noRandomness: self.init(.cryptoError, "the system has no randomness")
        }
    }
}
