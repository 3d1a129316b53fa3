// SPDX-License-Identifier: Apache-2.0
// The report of a command that has done its work.

/// What a command reports when it has done its work. As `Encodable` it is the command's JSON.
package protocol Report: Encodable {
    /// The lines for people.
    var lines: [String] { get }
    /// What failed although there is a report.
    var failures: [Failure] { get }
    /// The exit status of the command; nil is 0.
    var exit: Int32? { get }
}

extension Report {
    /// Empty unless a report has its own failures.
    package var failures: [Failure] { [] }
    /// The highest status of the failures; nil without any.
    package var exit: Int32? { failures.map(\.kind.exit).max() }
}
