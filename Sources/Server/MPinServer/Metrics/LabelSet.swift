// SPDX-License-Identifier: Apache-2.0
// The labels of metrics. Their values are cases of enumerations, routes of a table, or fixed by the build.

/// What tells the series of one metric apart. A label never has text of a request, so /metrics names no user,
/// host, address or identity.
protocol LabelSet: Hashable, Sendable {
    /// The labels' names, in the order of `values`.
    static var names: [StaticString] { get }
    var values: [String] { get }
}

/// A label set with one label, whose values are the cases of an enumeration.
protocol Label: LabelSet, CaseIterable {
    static var name: StaticString { get }
    /// The raw value, if that is a text; otherwise the name of the case.
    var value: String { get }
}

extension Label {
    static var names: [StaticString] { [name] }
    var values: [String] { [value] }
    var value: String { "\(self)" }
}

extension Label where Self: RawRepresentable, RawValue == String {
    var value: String { rawValue }
}

/// The label set of a metric that has one series.
struct NoLabels: LabelSet, CaseIterable {
    static let names: [StaticString] = []
    static let allCases = [NoLabels()]
    let values: [String] = []
}
