// SPDX-License-Identifier: Apache-2.0
// The users of a client: made, found, listed, deleted.

extension Client {
    /// A user of the current backend, whom nobody knows yet and nothing is stored of.
    ///
    /// - Parameters:
    ///   - identity: who the user is to the server, an e-mail address for example.
    ///   - deviceName: what the user calls this device; ask for it where the client parameter `setDeviceName`
    ///     is `true`.
    public func makeUser(_ identity: String, deviceName: String = "") throws(Failure) -> User {
        User(
            identity: identity, backend: try currentBackend().place.key, deviceName: deviceName,
            state: .invalid,
            mpinID: [])
    }

    /// Erases a user, its token and whatever else is kept of it. The server is not told. A user who is not in
    /// the list is none to erase.
    public func deleteUser(_ user: User) throws(Failure) {
        guard let record = try book.records().first(where: { $0.isOf(user) }) else { return }
        try book.remove(record)
        forget(record)
    }

    /// The users of the current backend.
    public func users() throws(Failure) -> [User] { try users(of: currentBackend().place.key) }

    /// The users of a backend, whose scheme does not matter.
    public func users(of backend: String) throws(Failure) -> [User] {
        let key = NamedBackend(backend)?.key ?? backend
        return try book.records().filter { $0.backend == key }.map(\.user)
    }

    /// The users of every backend.
    public func allUsers() throws(Failure) -> [User] { try book.records().map(\.user) }

    /// Every backend that users are kept of, without scheme and final slash.
    public func backends() throws(Failure) -> [String] { try book.backends() }

    /// How far a user is by now; ``UserState/invalid`` for one that is not in the list (any more). Ask after
    /// a failed login whether it blocked the user.
    public func state(of user: User) throws(Failure) -> UserState {
        try book.records().first { $0.isOf(user) }?.state ?? .invalid
    }

    /// The user in the list, if it belongs to the current backend and is in one of these states.
    func record(of user: User, in states: UserState...) throws(Failure) -> StoredRecord {
        let backend = try currentBackend()
        guard user.backend == backend.place.key else { throw .flow("the user belongs to another backend") }
        guard let record = try book.records().first(where: { $0.isOf(user) }) else {
            throw .flow("the user is not in the list")
        }
        guard states.contains(record.state) else { throw .flow("the user is \(record.state.stored)") }
        return record
    }
}

extension StoredRecord {
    /// Whether a value names this registration.
    func isOf(_ user: User) -> Bool {
        backend == user.backend && mpinID == user.mpinID && identity == user.identity
    }
}
