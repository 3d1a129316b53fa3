// SPDX-License-Identifier: Apache-2.0
// Reads and writes the users in the two storages, in the layout of Milagro's core.
import MPinWire

/// Nothing is kept between two calls: each reads the storages, so a new client continues where the last one
/// ended. Entries that this library does not know are written back unchanged.
struct UserStore {
    let secure: any Storage
    let plain: any Storage

    private struct Pages: Equatable {
        var secure: [String: JSON]
        var plain: [String: JSON]
    }

    /// Every user of every backend, in the order of their backends and names.
    func records() throws(ClientFailure) -> [StoredRecord] {
        let pages = try pages()
        var records: [StoredRecord] = []
        for (backend, users) in pages.plain.sorted(by: { $0.key < $1.key }) {
            guard let users = users.object else { throw .damaged }
            for (name, entry) in users.sorted(by: { $0.key < $1.key }) {
                let record = StoredRecord(
                    backend: backend, name: name, plain: entry, secret: pages.secure[name])
                guard let record else { throw .damaged }
                records.append(record)
            }
        }
        return records
    }

    /// The keys of the backends in the plain storage.
    func backends() throws(ClientFailure) -> [String] { try pages().plain.keys.sorted() }

    /// Writes one user. If the program is killed in between, the next client finds the old user or the new
    /// one.
    func store(_ record: StoredRecord) throws(ClientFailure) {
        var pages = try pages()
        let before = pages
        pages.secure[record.name] = record.secret(over: pages.secure[record.name])
        var users = pages.plain[record.backend]?.object ?? [:]
        users[record.name] = record.plain(over: users[record.name])
        pages.plain[record.backend] = .object(users)
        // A secret is written before the state that needs it, and removed after that state.
        let keeps = record.secret(over: nil) != nil
        try write(pages, over: before, secureFirst: keeps)
    }

    func remove(_ record: StoredRecord) throws(ClientFailure) {
        var pages = try pages()
        let before = pages
        pages.secure[record.name] = nil
        var users = pages.plain[record.backend]?.object ?? [:]
        users[record.name] = nil
        pages.plain[record.backend] = users.isEmpty ? nil : .object(users)
        try write(pages, over: before, secureFirst: false)
    }

    private func pages() throws(ClientFailure) -> Pages {
        Pages(secure: try object(in: secure), plain: try object(in: plain))
    }

    private func object(in storage: any Storage) throws(ClientFailure) -> [String: JSON] {
        let text: [UInt8]
        do throws(StorageFailure) { text = try storage.read() } catch {
            throw ClientFailure(.storageError, error.message)
        }
        if text.isEmpty { return [:] }
        guard let object = JSON(text)?.object else { throw .damaged }
        return object
    }

    private func write(_ new: Pages, over old: Pages, secureFirst: Bool) throws(ClientFailure) {
        if secureFirst, new.secure != old.secure { try write(new.secure, to: secure) }
        if new.plain != old.plain { try write(new.plain, to: plain) }
        if !secureFirst, new.secure != old.secure { try write(new.secure, to: secure) }
    }

    private func write(_ object: [String: JSON], to storage: any Storage) throws(ClientFailure) {
        guard let text = JSON.object(object).octets else { throw .damaged }
        do throws(StorageFailure) { try storage.write(text) } catch {
            throw ClientFailure(.storageError, error.message)
        }
    }
}

extension ClientFailure {
    fileprivate static let damaged = ClientFailure(.storageError, "the content of a storage is invalid")
}
