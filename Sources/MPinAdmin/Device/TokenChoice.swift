// SPDX-License-Identifier: Apache-2.0
// Which of a person's tokens is meant: an address is good for the server that it names, and for no other.
import MPinLogin
import MPinProof
import MPinStore
import MPinWire

/// What was said of a person's token and where it is kept; nil is unsaid.
package struct TokenChoice {
    /// Its name, its id, or the first eight digits of that.
    private let identity: String?
    /// The address of its server.
    private let backend: String?
    /// The folder of tokens.
    let store: [UInt8]?

    /// A choice by name or id, by server, in a folder; nil leaves each to what is there.
    package init(identity: String?, backend: String?, store: [UInt8]?) {
        (self.identity, self.backend, self.store) = (identity, backend, store)
    }

    func checkEnrolled() throws(Failure) {
        _ = try among(PersonalStore.open(store).identities())
    }

    /// The token that is meant.
    /// - Parameter origin: of what was scanned; nil: that says nothing of the server.
    func token(at origin: [UInt8]? = nil) throws(Failure) -> OwnToken {
        let tokens = try PersonalStore.open(store)
        let file = try tokens.file()
        switch file {
        case .none: throw .enrolledNowhere
        case .some(let file):
            return try OwnToken(try one(of: file.identities, at: origin), file, in: tokens.store.path)
        }
    }

    /// The tokens that the command line leaves.
    func among(_ identities: [Identity]) throws(Failure) -> [Identity] {
        guard !identities.isEmpty else { throw .enrolledNowhere }
        let left = identities.filter { isNamed($0) && isAt($0) }
        guard !left.isEmpty else {
            throw Failure(.notEnrolled, "You have no such token. You have: \(list(identities)).")
        }
        return left
    }

    /// The one that is meant.
    /// - Parameter origin: of what was scanned; nil: that says nothing of the server.
    func one(of identities: [Identity], at origin: [UInt8]?) throws(Failure) -> Identity {
        var left = try among(identities)
        if let origin {
            left = left.filter { $0.origin == origin }
            guard !left.isEmpty else { throw .otherBackend }
        }
        guard let one = left.first, left.count == 1 else {
            throw Failure(
                .settings, "Several tokens could be meant. Say --identity or --backend: \(list(left)).")
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
        // All sockets have one origin.
        return identity.pin?.backend == address
            || !backend.hasPrefix("unix:") && Backend(address).map { $0.origin == identity.origin } == true
    }

    private func list(_ identities: [Identity]) -> String {
        identities.map { "\(text($0.label)) (\(hexText($0.id).prefix(8))) at \(text($0.pin?.backend ?? []))" }
            .joined(separator: ", ")
    }
}

extension Identity {
    /// Of the backend that a token is for.
    fileprivate var origin: [UInt8]? { pin.flatMap { Backend($0.backend) }?.origin }
}

extension Failure {
    static let otherBackend = Failure(
        .refused,
        "This code is not from your backend. Nothing was sent. If somebody gave it to you, do not trust it.")
}
