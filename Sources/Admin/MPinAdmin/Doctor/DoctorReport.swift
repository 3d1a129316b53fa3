// SPDX-License-Identifier: Apache-2.0
// The report of `mpin doctor`: problems come first; what is in order is shown only with `--verbose`.
import MPinConsole

/// The findings and repairs on a host, or test QR codes.
package struct DoctorReport: Report {
    let findings: [FindingReport]
    let mended: [Mended]
    let problems: Int
    let warnings: Int
    let screens: [ScreenReport]
    /// Whether the lines are those of problems alone.
    package var showsOnlyProblems = false
    private let verbose: Bool
    private let isBlind: Bool

    enum CodingKeys: CodingKey { case findings, mended, problems, warnings, screens }

    /// A report with the problems first. `verbose` also shows what is in order.
    init(_ findings: [Finding], verbose: Bool) { self.init(findings, [], verbose: verbose) }

    init(_ findings: [Finding], _ mended: [Mended], verbose: Bool) {
        let order = Finding.Level.allCases
        self.findings = order.flatMap { level in
            findings.filter { $0.level == level }.map { FindingReport($0) }
        }
        self.mended = mended
        problems = findings.count { $0.level == .problem }
        warnings = findings.count { $0.level == .warning }
        screens = []
        self.verbose = verbose
        isBlind = findings.contains { Self.blinding.contains($0.word) }
    }

    init(screens: [ScreenReport]) {
        findings = []
        mended = []
        (problems, warnings) = (0, 0)
        self.screens = screens
        verbose = false
        isBlind = false
    }

    /// Findings about settings and store without which the other checks mean little.
    private static let blinding: Set<String> = [
        "settings-missing", "settings-wrong", "settings-open", "store-missing", "store-open",
        "store-unmarked", "store-wrong",
    ]

    /// 2 if the settings or the store cannot be used, 1 if there are other problems.
    package var exit: Int32? { isBlind ? 2 : problems > 0 ? 1 : nil }

    /// Encodes the QR codes alone if there are any, else findings, repairs and counts.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        guard screens.isEmpty else { return try container.encode(screens, forKey: .screens) }
        try container.encode(findings, forKey: .findings)
        try container.encode(mended, forKey: .mended)
        try container.encode(problems, forKey: .problems)
        try container.encode(warnings, forKey: .warnings)
    }

    /// The repairs, the findings, and a summary; or the QR codes.
    package var lines: [String] {
        guard screens.isEmpty else { return screens.flatMap(\.lines) }
        guard !showsOnlyProblems else {
            return findings.filter { $0.level == Finding.Level.problem.rawValue }.flatMap(\.lines)
        }
        let told = findings.filter { verbose || $0.level != Finding.Level.ok.rawValue }
        return mended.map(\.sentence) + told.flatMap(\.lines) + [summary]
    }

    private var summary: String {
        let notes = findings.count { $0.level == Finding.Level.note.rawValue }
        let counts = [(problems, "problem"), (warnings, "warning"), (notes, "note")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        let good = findings.count { $0.level == Finding.Level.ok.rawValue }
        return (counts + ["\(good) in order"]).joined(separator: ", ") + "."
    }
}

struct FindingReport: Encodable {
    let word: String
    let level: String
    let message: String
    let advice: String?
    let fixable: Bool

    init(_ finding: Finding) {
        word = finding.word
        level = finding.level.rawValue
        message = shownLong(finding.message)
        advice = finding.advice.map(shownLong)
        fixable = finding.fix != nil
    }

    fileprivate var lines: [String] {
        let indent = String(repeating: " ", count: 9)
        return [aligned(level + ":", 9) + message + " [\(word)]"] + (advice.map { [indent + $0] } ?? [])
    }
}

/// A sentence made safe for the terminal: it may contain file names and output of programs.
private func shownLong(_ sentence: String) -> String { text([UInt8](sentence.utf8), limit: 600) }
