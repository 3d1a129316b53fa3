// SPDX-License-Identifier: Apache-2.0
// The two databases of a server: the front's, and the authority's book.
import MPinSQL
import MPinService
import MPinStorage

struct Stores {
    let storage: SQLStorage
    let book: SQLAuthorityBook

    init(_ settings: DaemonSettings) throws(SetupError) {
        storage = try opened(settings.data + "/mpind.db") { path throws(StorageError) in
            try SQLStorage(sqlite: .file(path))
        }
        book = try opened(settings.authorityData + "/book.db") { path throws(StorageError) in
            try SQLAuthorityBook(sqlite: .file(path))
        }
    }

    func close() async {
        await storage.close()
        await book.close()
    }
}

private func opened<R>(
    _ path: String, _ open: (String) throws(StorageError) -> R
) throws(SetupError) -> R {
    do { return try open(path) } catch {
        let why =
            switch error {
            case .full: "the disk is full"
            case .busy: "another process holds it"
            case .corrupt: "it is damaged; restore it from a backup"
            case .refused: "it refused a value"
            case .newer(let version): "a newer mpind wrote it (schema \(version))"
            case .unavailable(let code): "SQLite says \(code)"
            case .closed: "it is closed"
            }
        throw SetupError("Cannot open the database \(path): \(why).")
    }
}
