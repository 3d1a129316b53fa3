// SPDX-License-Identifier: Apache-2.0
// The two databases of a server: the front's, and the authority's book.
import MPinSQL
import MPinService

struct Stores {
    let storage: SQLStorage
    let book: SQLAuthorityBook

    init(_ settings: DaemonSettings) throws(SetupError) {
        let (front, authority) = (settings.data + "/mpind.db", settings.authorityData + "/book.db")
        do { storage = try SQLStorage(sqlite: .file(front)) } catch { throw SetupError(opening: front, error) }
        do { book = try SQLAuthorityBook(sqlite: .file(authority)) } catch {
            throw SetupError(opening: authority, error)
        }
    }

    func close() async {
        await storage.close()
        await book.close()
    }
}
