// SPDX-License-Identifier: Apache-2.0
// Interleaved rounds: each round runs every operation, so that other load on the machine slows all of them.

/// One operation, repeated `count` times in each round.
struct Operation {
    let name: String
    let count: Int
    let body: (Int) throws -> UInt64
    /// Nanoseconds for one operation, by round.
    var times: [Double] = []

    init(_ name: String, _ count: Int, _ body: @escaping (Int) throws -> UInt64) {
        self.name = name
        self.count = count
        self.body = body
    }

    var shortest: Double { times.min() ?? 0 }
    var median: Double { times.sorted()[times.count / 2] }
}

/// Runs the rounds and prints a table; `unit` names the operation that serves as the unit of the others.
func run(_ operations: [Operation], rounds: Int, unit: String) throws {
    var operations = operations
    var sink: UInt64 = 0
    for _ in 0..<rounds {
        for index in operations.indices {
            let count = operations[index].count
            let body = operations[index].body
            let spent = try ContinuousClock().measure { sink ^= try body(count) }
            operations[index].times.append(
                (Double(spent.components.seconds) * 1e9 + Double(spent.components.attoseconds) / 1e9)
                    / Double(count))
        }
    }
    guard let one = operations.first(where: { $0.name == unit }) else { return }
    print(row("", ["min us", "median us", "min M", "median M"]))
    for operation in operations {
        let multiples = [operation.shortest / one.shortest, operation.median / one.median]
        print(
            row(
                operation.name,
                [decimal(operation.shortest / 1000, 4), decimal(operation.median / 1000, 4)]
                    + multiples.map { decimal($0, $0 < 10 ? 2 : 0) }))
    }
    print("M is one \(unit). check \(sink)")
}

private func row(_ name: String, _ columns: [String]) -> String {
    columns.reduce(name + padding(30 - name.count)) { $0 + padding(12 - $1.count) + $1 }
}

func padding(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

/// A number with this many decimals.
func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let whole = Int((value * Double(scale)).rounded())
    guard places > 0 else { return "\(whole)" }
    let fraction = "\(whole % scale)"
    return "\(whole / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
}
