// SPDX-License-Identifier: Apache-2.0
// The folders of the server: SQL stands only in the files of statements and tables.
import Testing

@Suite struct RoomTests {
    private let words = ["SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "ALTER TABLE"]

    @Test func `handlers of the server contain no SQL`() {
        var files = 0
        for file in House.swift where file.path.hasPrefix("Sources/Server/MPinServer/") {
            let holdsSQL = file.lines.contains { line in words.contains { line.contains($0) } }
            guard holdsSQL else { continue }
            files += 1
            let isNamed = ["Statements.swift", "Tables.swift"].contains { file.path.hasSuffix($0) }
            #expect(isNamed, "\(file.path) contains SQL")
        }
        #expect(files > 10)
    }
}
