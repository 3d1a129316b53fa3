// SPDX-License-Identifier: Apache-2.0
// The tables of a schema, read from its script, for a copy from one engine to another.

/// A table: its columns in order, and those of its primary key.
struct SchemaTable: Equatable {
    let name: String
    let columns: [String]
    let key: [String]
    /// The column that the engine numbers by itself, if there is one.
    let numbered: String?

    /// The place of each column of the key among the columns.
    var places: [Int] { key.compactMap { columns.firstIndex(of: $0) } }

    /// Reads the lines of a script between `CREATE TABLE` and the closing bracket.
    fileprivate init(_ name: String, _ lines: ArraySlice<Substring>) {
        var (columns, key, numbered): ([String], [String], String?) = ([], [], nil)
        for line in lines {
            let words = line.split(whereSeparator: { " ,()".contains($0) }).map(String.init)
            guard let first = words.first else { continue }
            if first == "PRIMARY" {
                key = Array(words.dropFirst(2))
            } else {
                columns.append(first)
                if line.contains("PRIMARY KEY") { key = [first] }
                if line.contains("AUTOINCREMENT") { numbered = first }
            }
        }
        (self.name, self.columns, self.key, self.numbered) = (name, columns, key, numbered)
    }
}

extension Schema {
    /// All tables; one comes after those that it refers to.
    var tables: [SchemaTable] {
        var tables: [SchemaTable] = []
        for statement in script.split(separator: ";") {
            let lines = statement.split(separator: "\n").drop { !$0.contains("CREATE TABLE") }
            guard let words = lines.first?.split(separator: " "), words.count > 2 else { continue }
            tables.append(SchemaTable(String(words[2]), lines.dropFirst().dropLast()))
        }
        return tables
    }

    /// The same schema in a database that is not complete yet, so no server opens it. "mPcp" in ASCII.
    package var unfinished: Schema {
        Schema(applicationID: 0x6d50_6370, version: version, script: script, tuning: tuning)
    }
}
