// SPDX-License-Identifier: Apache-2.0
// The two databases of a server: its own, and the authority's book.
import MPinCurl
import MPinSQL
import MPinService

enum Databases {
    static func openStorage(
        _ settings: DaemonSettings, _ metrics: Metrics = Metrics()
    ) throws(SetupError) -> SQLStorage {
        let path = settings.data + "/mpind.db"
        do {
            let storage = try SQLStorage(sqlite: .file(path), lives: settings.lives, observer: metrics)
            metrics.runs(Release.version, on: storage.engine, schema: SQLStorage.schema)
            return storage
        } catch {
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
