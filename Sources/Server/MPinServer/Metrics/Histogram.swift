// SPDX-License-Identifier: Apache-2.0
// A metric of how large or how long things were, such as the seconds of requests.
import Synchronization

/// Counts observations in buckets with fixed bounds.
final class Histogram<Labels: LabelSet>: MetricFamily {
    private struct Tally {
        /// The observations in each bucket alone; the last is for those above all bounds.
        var buckets: [Int]
        var sum = 0.0

        mutating func add(_ value: Double, to bucket: Int) {
            buckets[bucket] += 1
            sum += value
        }
    }

    let kind = MetricKind.histogram
    private let bounds: [Double]
    private let tallies: Mutex<[Labels: Tally]>

    /// `bounds` are the greatest values of the buckets, ascending. `known` are the series that are shown from
    /// the start.
    init(_ known: [Labels] = [], bounds: [Double]) {
        self.bounds = bounds
        let none = Tally(buckets: Array(repeating: 0, count: bounds.count + 1))
        tallies = Mutex(Dictionary(known.map { ($0, none) }, uniquingKeysWith: { first, _ in first }))
    }

    func observe(_ labels: Labels, _ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        tallies.withLock { tallies in
            tallies[labels, default: Tally(buckets: Array(repeating: 0, count: bounds.count + 1))]
                .add(value, to: bucket)
        }
    }

    var samples: [Sample] {
        tallies.withLock { $0 }.sorted { $0.key.values.lexicographicallyPrecedes($1.key.values) }
            .flatMap { samples($0.key.named, $0.value) }
    }

    /// In the format each bucket also counts what is in those before it.
    private func samples(_ labels: [(name: StaticString, value: String)], _ tally: Tally) -> [Sample] {
        var count = 0
        var samples: [Sample] = []
        for (bound, observed) in zip(bounds + [.infinity], tally.buckets) {
            count += observed
            samples.append(
                Sample(
                    suffix: "_bucket", labels: labels + [("le", metricText(bound))], value: Double(count)))
        }
        return samples + [
            Sample(suffix: "_sum", labels: labels, value: tally.sum),
            Sample(suffix: "_count", labels: labels, value: Double(count)),
        ]
    }
}

extension Histogram where Labels: CaseIterable {
    /// A histogram that shows every series from the start.
    convenience init(bounds: [Double]) { self.init(Array(Labels.allCases), bounds: bounds) }
}

extension Histogram {
    /// Observes a time, in seconds.
    func observe(_ labels: Labels, _ time: Duration) { observe(labels, time / .seconds(1)) }
}

/// The buckets of all times: from half a millisecond to ten seconds.
let secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
