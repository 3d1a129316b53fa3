// SPDX-License-Identifier: Apache-2.0
// The settings that say where the database is.
@testable import MPinDatabase
@testable import MPinServer
import Testing

struct DatabaseSettingsTests {
    @Test func `the database is a file, or a PostgreSQL server with its password and its pooler`() throws {
        #expect(try settings("data = /a").database == nil)
        let usual = try settings("database = postgresql:///mpind?host=/run/postgresql").database
        #expect(usual == DatabaseSettings(address: "postgresql:///mpind?host=/run/postgresql"))
        let all = "database = postgresql://x/y\ndatabase-password-file = /p\ndatabase-prepare = no"
        #expect(
            try settings(all).database
                == DatabaseSettings(address: "postgresql://x/y", passwordFile: "/p", prepares: false))
    }

    @Test(arguments: [
        "database = mpind.db", "database-prepare = no", "database = postgresql://x\ndatabase-prepare = maybe",
        "database = postgresql://x\ndatabase-password-file = relative",
    ]) func `other values, and settings without their database, are refused`(_ text: String) {
        #expect(throws: SetupError.self) { try settings(text) }
    }
}
