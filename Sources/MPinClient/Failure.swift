// SPDX-License-Identifier: Apache-2.0
// Why a call of the client did not succeed.
import MPin
import MPinProof
import MPinWire
import Octets

/// What a server's demand has against a new PIN.
public enum PINRefusal: Equatable, Sendable {
    /// It has fewer characters than these.
    case shorter(than: Int)
    /// It reads as a date.
    case date
}

/// What every call of ``Client`` throws.
public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Never ``Status/ok``.
    public let status: Status
    /// A sentence for the log, in English, without anything secret.
    public let message: String
    /// Of the answer that it came of; nil where no server was asked, or none answered.
    public let httpStatus: Int?
    /// The address that was refused because no trusted domain covers it; nil for every other reason. The
    /// status is then ``Status/networkError``.
    public let untrustedURL: String?
    /// After ``Status/incorrectPIN``: how many tries are left until a lock; nil if the server does not say.
    public internal(set) var triesLeft: Int?
    /// While a lock is on: after how many seconds the next try is looked at. After HTTP status 429 to a
    /// registration: in how many seconds the server may take one from here again. nil where the server does
    /// not say.
    public internal(set) var retryAfter: Int?
    /// Why ``Client/finishRegistration(_:pin:)`` has not taken a new PIN that the server's demand rules out.
    /// The status is then ``Status/incorrectPIN``.
    public internal(set) var refusedPIN: PINRefusal?

    /// Status and message in one line, for a log.
    public var description: String { "\(status): \(message)" }

    init(_ status: Status, _ message: String, httpStatus: Int? = nil, untrustedURL: String? = nil) {
        self.status = status
        self.message = presentable(message, limit: 300)
        self.httpStatus = httpStatus
        self.untrustedURL = untrustedURL
    }

    static func flow(_ message: String) -> Failure { Failure(.flowError, message) }
    static func answer(_ message: String) -> Failure { Failure(.responseParseError, message) }
    static let noBackend = Failure(.flowError, "no backend is set")

    static func untrusted(_ url: String) -> Failure {
        Failure(.networkError, "no trusted domain covers \(place(in: url))", untrustedURL: url)
    }

    /// An address without its query, which may be secret.
    static func place(in url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// A server at which as many registrations from here wait as may.
    static func full(_ response: HTTPResponse) -> Failure {
        let seconds = response.headers.first { $0.key.lowercased() == "retry-after" }
            .flatMap { Int($0.value) }.flatMap { (1...86_400).contains($0) ? $0 : nil }
        let minutes = seconds.map { ($0 + 59) / 60 }
        let time = minutes.map { $0 == 1 ? "in 1 minute" : "in \($0) minutes" } ?? "later"
        var failure = Failure(
            Status(.user, http: response.status),
            "as many registrations from here as may wait to be confirmed; try again \(time)",
            httpStatus: response.status)
        failure.retryAfter = seconds
        return failure
    }

    /// nil for what no server asks for.
    init?(_ fault: PINFault) {
        switch fault {
        case .shorterThanAsked(let least):
            self.init(.incorrectPIN, "the server asks for a PIN of \(least) characters at least")
            refusedPIN = .shorter(than: least)
        case .date:
            self.init(.incorrectPIN, "the server takes no dates as PINs")
            refusedPIN = .date
        case .tooShort, .tooLong, .foreignCharacter, .repeated, .counted, .year, .accountName, .readsAsCode:
            return nil
        }
    }

    /// A proof came to its end without V: something that it is made of is not what it must be.
    init(_ outcome: Outcome) {
        switch outcome {
        case .failed(.mathematics(let error)): self.init(error)
        case .failed(.outOfMemory): self.init(MPinError.outOfMemory)
        case .failed(.deviceKey):
            self.init(.cryptoError, "the device key is missing: register this user anew")
        case .failed(.seal(.missing)):
            self.init(.cryptoError, "the server does not say how it made its challenge")
        case .failed(.seal): self.init(.cryptoError, "the challenge was made for something else")
        default: self.init(.flowError, "the proof was out of turn")
        }
    }

    /// The mathematics refused a value.
    init(_ error: MPinError) {
        switch error {
        case .invalidPoint: self.init(.cryptoError, "a share, permit or token is no point of its group")
        case .invalidScalar: self.init(.cryptoError, "a challenge or PIN is no multiplier")
        case .infinity: self.init(.cryptoError, "a result would be the point at infinity")
        case .outOfMemory: self.init(.cryptoError, "there is no memory for a secret")
        case .noRandomness: self.init(.cryptoError, "the system has no randomness")
        }
    }
}
