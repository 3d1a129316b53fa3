// SPDX-License-Identifier: Apache-2.0
// Opens the two databases of a server: the front's, and the authority's book.
import MPinSQL
import MPinService

func openStorage(_ folder: String) throws(SetupError) -> SQLStorage {
    let path = folder + "/mpind.db"
    do { return try SQLStorage(sqlite: .file(path)) } catch { throw SetupError(opening: path, error) }
}

func openBook(_ folder: String) throws(SetupError) -> SQLAuthorityBook {
    let path = folder + "/book.db"
    do { return try SQLAuthorityBook(sqlite: .file(path)) } catch { throw SetupError(opening: path, error) }
}
