// SPDX-License-Identifier: Apache-2.0
// The labels of mpind's metrics, and all their values.
import MPin
import MPinDatabase

/// A listener by its setting in mpind.conf: `listen`, `proxy-listen`, `admin-socket`, `rpa-listen`,
/// `metrics-listen`.
package enum ListenerKind: String, Label {
    case `public`, proxy, admin, rpa, metrics
    static let name: StaticString = "listener"
}

/// The route and the status of an answer.
struct AnswerLabels: LabelSet {
    static let names: [StaticString] = ["route", "status"]
    let route: RouteName
    let status: Int
    var values: [String] { route.values + [String(status)] }
}

extension RouteName: LabelSet {
    static let names: [StaticString] = ["route"]
    /// A request that was refused before its route was found, or has none, is counted as `none`.
    var values: [String] { [text.isEmpty ? "none" : text] }
}

/// How a user proved who they are, and the verdict.
struct LoginLabels: LabelSet, CaseIterable {
    static let names: [StaticString] = ["method", "verdict"]
    static let allCases = AuthenticationMethod.allCases.flatMap { method in
        VerdictWord.allCases.map { LoginLabels(method: method, verdict: $0) }
    }
    let method: AuthenticationMethod
    let verdict: VerdictWord
    var values: [String] { ["\(method)", verdict.rawValue] }
}

/// The failure counter that refused a try.
enum FailureCounter: String, Label {
    case source, device, identity
    static let name: StaticString = "counter"

    /// nil if nothing is counted.
    init?(_ counting: TryCounting) {
        switch counting {
        case .bySource: self = .source
        case .byDevice: self = .device
        case .untilBlock: self = .identity
        case .none: return nil
        }
    }
}

extension Access: Label {
    static let name: StaticString = "access"
}

extension ConnectionState: Label {
    static let name: StaticString = "state"
}

extension AuthorityQuestion.Command: Label {
    static let name: StaticString = "command"
}

/// The kind of a `StorageError`.
enum StorageErrorKind: String, Label {
    case full, busy, corrupt, refused, unavailable, closed
    case otherVersion = "other-version"
    case unknownOutcome = "unknown-outcome"
    static let name: StaticString = "kind"

    init(_ error: StorageError) {
        switch error {
        case .full: self = .full
        case .busy: self = .busy
        case .corrupt: self = .corrupt
        case .refused: self = .refused
        case .otherVersion: self = .otherVersion
        case .unavailable: self = .unavailable
        case .unknownOutcome: self = .unknownOutcome
        case .closed: self = .closed
        }
    }
}

extension RefusalKind: Label {
    static let name: StaticString = "reason"
}

/// How a TLS handshake ended. A client that disconnects in the middle of one is not counted.
package enum HandshakeResult: String, Label {
    case completed, failed
    static let name: StaticString = "result"
}

/// What was built, and what it works with.
struct BuildLabels: LabelSet {
    static let names: [StaticString] = ["version", "engine", "schema"]
    let version: String
    let engine: DatabaseEngine
    let schema: Int64
    var values: [String] { [version, engine.rawValue, String(schema)] }
}
