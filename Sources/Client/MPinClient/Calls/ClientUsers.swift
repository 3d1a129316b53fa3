// SPDX-License-Identifier: Apache-2.0
// Makes, finds, lists and deletes the users of a client.

extension Client {
    /// Makes a new user of the current backend. Nothing is stored or sent.
    ///
    /// Throws ``Status/flowError`` if no backend is set.
    ///
    /// - Parameters:
    ///   - identity: the name by which the server knows the user, an e-mail address for example.
    ///   - deviceName: the user's name for this device; ask for it if ``clientParameter(_:)`` of
    ///     `setDeviceName` is `true`.
    /// - Returns: A user whose state is ``UserState/invalid``.
    public func makeUser(_ identity: String, deviceName: String = "") throws(ClientFailure) -> User {
        User(
            identity: identity, backend: try currentBackend().place.key, deviceName: deviceName,
            state: .invalid,
            mpinID: [])
    }

    /// Erases a user, the token and everything else that is stored for the user. The server is not told. For
    /// a user who is not in the list, the call does nothing.
    public func deleteUser(_ user: User) throws(ClientFailure) {
        guard let record = try userStore.records().first(where: { $0.isOf(user) }) else { return }
        try userStore.remove(record)
        forget(record)
    }

    /// The users of the current backend. Throws ``Status/flowError`` if no backend is set.
    public func users() throws(ClientFailure) -> [User] { try users(of: currentBackend().place.key) }

    /// The users of a backend; the scheme of the address is ignored.
    public func users(of backend: String) throws(ClientFailure) -> [User] {
        let key = NamedBackend(backend)?.key ?? backend
        return try userStore.records().filter { $0.backend == key }.map(\.user)
    }

    /// The users of every backend.
    public func allUsers() throws(ClientFailure) -> [User] { try userStore.records().map(\.user) }

    /// Every backend that has users in the list, without scheme and final slash.
    public func backends() throws(ClientFailure) -> [String] { try userStore.backends() }

    /// The present state of a user; ``UserState/invalid`` for one that is not in the list (any more). Check
    /// after a failed login whether it blocked the user.
    public func state(of user: User) throws(ClientFailure) -> UserState {
        try userStore.records().first { $0.isOf(user) }?.state ?? .invalid
    }

    /// The user in the list, if it belongs to the current backend and is in one of these states.
    func record(of user: User, in states: UserState...) throws(ClientFailure) -> StoredRecord {
        let backend = try currentBackend()
        guard user.backend == backend.place.key else { throw .flow("the user belongs to another backend") }
        guard let record = try userStore.records().first(where: { $0.isOf(user) }) else {
            throw .flow("the user is not in the list")
        }
        guard states.contains(record.state) else { throw .flow("the user is \(record.state.stored)") }
        return record
    }
}

extension StoredRecord {
    /// Whether `user` is this registration.
    func isOf(_ user: User) -> Bool {
        backend == user.backend && mpinID == user.mpinID && identity == user.identity
    }
}
