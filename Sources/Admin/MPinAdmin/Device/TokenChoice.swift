// SPDX-License-Identifier: Apache-2.0
// The choice of one of a user's tokens. A scanned address selects only tokens of the server that it names.
import MPinLogin
import MPinProof
import MPinHostStore
import MPinWire

/// What the command line says about a user's token and its folder; nil where it says nothing.
package struct TokenChoice {
    /// The token's name, its id, or the first eight digits of the id.
    private let identity: String?
    /// The address of the token's server.
    private let backend: String?
    /// The folder of tokens.
    let store: [UInt8]?

    /// A choice by name or id, by server, in a folder. nil for `identity` or `backend` matches every token;
    /// nil for `store` is the usual folder.
    package init(identity: String?, backend: String?, store: [UInt8]?) {
        (self.identity, self.backend, self.store) = (identity, backend.map(serverAddress), store)
    }

    /// Throws if no token matches the command line.
    func checkEnrolled() throws(Failure) {
        _ = try among(PersonalStore.open(store).identities())
    }

    /// The chosen token, opened.
    /// - Parameters:
    ///   - origin: the origin of the scanned address; nil if the scanned text names no server.
    ///   - id: the id of the token for which a login waits; nil if that is not known.
    func token(at origin: [UInt8]? = nil, of id: String? = nil) throws(Failure) -> OwnToken {
        let tokens = try PersonalStore.open(store)
        let file = try tokens.file()
        switch file {
        case .none: throw .enrolledNowhere
        case .some(let file):
            let identities = file.identities.filter { id == nil || hexText($0.id) == id }
            return try OwnToken(try one(of: identities, at: origin), file, in: tokens.store.path)
        }
    }

    /// The tokens that match the command line; throws if none does.
    func among(_ identities: [Identity]) throws(Failure) -> [Identity] {
        guard !identities.isEmpty else { throw .enrolledNowhere }
        let left = identities.filter { isNamed($0) && isAt($0) }
        guard !left.isEmpty else {
            throw Failure(.notEnrolled, "You have no such token. You have: \(list(identities)).")
        }
        return left
    }

    /// The chosen identity; throws unless exactly one matches.
    /// - Parameter origin: the origin of the scanned address; nil if the scanned text names no server.
    func one(of identities: [Identity], at origin: [UInt8]?) throws(Failure) -> Identity {
        var left = try among(identities)
        if let origin {
            left = left.filter { $0.origin == origin }
            guard !left.isEmpty else { throw .otherBackend }
        }
        guard let one = left.first, left.count == 1 else {
            throw Failure(
                .settings, "Several tokens match. Choose one with --identity or --backend: \(list(left)).")
        }
        return one
    }

    private func isNamed(_ identity: Identity) -> Bool {
        guard let name = self.identity else { return true }
        let id = hexText(identity.id)
        return [UInt8](name.utf8) == identity.label || name == id || name == id.prefix(8)
    }

    private func isAt(_ identity: Identity) -> Bool {
        guard let backend else { return true }
        let address = [UInt8](backend.utf8)
        // All Unix sockets share one origin, so they are compared by address.
        return identity.pin?.backend == address
            || !backend.hasPrefix("unix:") && Backend(address).map { $0.origin == identity.origin } == true
    }

    private func list(_ identities: [Identity]) -> String {
        identities.map { "\(text($0.label)) (\(hexText($0.id).prefix(8))) at \(text($0.pin?.backend ?? []))" }
            .joined(separator: ", ")
    }
}

extension Identity {
    /// The origin of the token's backend.
    fileprivate var origin: [UInt8]? { pin.flatMap { Backend($0.backend) }?.origin }
}

extension Failure {
    static let otherBackend = Failure(
        .refused,
        "This code is not from your backend. Nothing was sent. If somebody gave it to you, do not trust it.")
}
