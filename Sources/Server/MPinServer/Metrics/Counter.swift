// SPDX-License-Identifier: Apache-2.0
// A metric that only rises, such as the number of requests.
import MPinDatabase
import Synchronization

/// Counts from zero, which is the start of the process.
final class Counter<Labels: LabelSet>: MetricFamily {
    let kind = MetricKind.counter
    private let counts: Mutex<[Labels: Int]>

    /// `known` are the series that are shown from the start; others appear with their first count.
    init(_ known: [Labels] = []) { counts = Mutex([Labels: Int](zeroOf: known)) }

    func add(_ labels: Labels, _ count: Int = 1) {
        counts.withLock { $0[labels, default: 0] += count }
    }

    var samples: [Sample] {
        counts.withLock { $0 }.sorted { $0.key.values.lexicographicallyPrecedes($1.key.values) }
            .map { Sample(labels: $0.key.named, value: Double($0.value)) }
    }
}

extension Counter where Labels: CaseIterable {
    /// A counter that shows every series from the start.
    convenience init() { self.init(Array(Labels.allCases)) }
}

extension Counter where Labels == NoLabels {
    func add() { add(NoLabels()) }
}

extension Dictionary where Value: Numeric {
    /// Zero for each of these keys.
    init(zeroOf keys: [Key]) { self.init(keys.map { ($0, 0) }, uniquingKeysWith: { first, _ in first }) }
}
