// SPDX-License-Identifier: Apache-2.0
// The words after a command of mpin-bench.

/// Words such as `clients=1,4,16`.
struct BenchOptions {
    private let values: [Substring: Substring]

    init(_ words: some Sequence<String>) throws {
        var values: [Substring: Substring] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw BenchError.arguments }
            values[parts[0]] = parts[1]
        }
        self.values = values
    }

    func text(_ key: String) throws -> String {
        guard let value = values[key[...]] else { throw BenchError.arguments }
        return String(value)
    }

    /// The parts between commas; none if the option is not given.
    func list(_ key: String) -> [String] { (values[key[...]] ?? "").split(separator: ",").map(String.init) }

    func numbers(_ key: String) throws -> [Int] {
        try list(key).map { text in
            guard let number = Int(text) else { throw BenchError.arguments }
            return number
        }
    }

    func number(_ key: String) throws -> Int {
        guard let number = try numbers(key).first else { throw BenchError.arguments }
        return number
    }
}
