// SPDX-License-Identifier: Apache-2.0
// A metric that rises and falls, such as the number of connections.
import Synchronization

/// The latest value of each series.
final class Gauge<Labels: LabelSet>: MetricFamily {
    let kind = MetricKind.gauge
    private let levels: Mutex<[Labels: Double]>

    /// `known` are the series that are shown from the start, at zero.
    init(_ known: [Labels] = []) { levels = Mutex([Labels: Double](zeroOf: known)) }

    func set(_ labels: Labels, to value: Double) { levels.withLock { $0[labels] = value } }

    func add(_ labels: Labels, _ change: Double) {
        levels.withLock { $0[labels, default: 0] += change }
    }

    var samples: [Sample] {
        levels.withLock { $0 }.sorted { $0.key.values.lexicographicallyPrecedes($1.key.values) }
            .map { Sample(labels: $0.key.named, value: $0.value) }
    }
}

extension Gauge where Labels: CaseIterable {
    /// A gauge that shows every series from the start.
    convenience init() { self.init(Array(Labels.allCases)) }
}
