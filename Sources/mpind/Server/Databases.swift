// SPDX-License-Identifier: Apache-2.0
// The two databases of a server: its own, and the authority's book.
import MPinSQL
import MPinService

enum Databases {
    static func openStorage(_ settings: DaemonSettings) throws(SetupError) -> SQLStorage {
        let path = settings.data + "/mpind.db"
        do { return try SQLStorage(sqlite: .file(path), lives: settings.lives) } catch {
            throw SetupError(opening: path, error)
        }
    }

    static func openBook(_ folder: String) throws(SetupError) -> SQLAuthorityBook {
        let path = folder + "/book.db"
        do { return try SQLAuthorityBook(sqlite: .file(path)) } catch {
            throw SetupError(opening: path, error)
        }
    }
}
