// SPDX-License-Identifier: Apache-2.0
// The values of one metric, as Prometheus's text format 0.0.4 has them.

/// The type of a metric, in the format's word.
enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// One line of a metric.
struct Sample: Sendable {
    /// What follows the metric's name: nothing, or `_bucket`, `_sum` or `_count` of a histogram.
    var suffix: StaticString = ""
    let labels: [(name: StaticString, value: String)]
    let value: Double

    /// The line without its end.
    func line(of name: String) -> String {
        let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        return "\(name)\(suffix)" + (list.isEmpty ? "" : "{\(list)}") + " " + metricText(value)
    }
}

/// All series of one metric.
protocol MetricFamily: Sendable {
    var kind: MetricKind { get }
    var samples: [Sample] { get }
}

extension LabelSet {
    /// The labels with their names.
    var named: [(name: StaticString, value: String)] { zip(Self.names, values).map { ($0, $1) } }
}

/// A number in the text format; a whole one without a fraction.
func metricText(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { String($0) } ?? "\(value)"
}
