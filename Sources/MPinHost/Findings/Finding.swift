// SPDX-License-Identifier: Apache-2.0
// What `mpin doctor` found: a word for programs, a sentence for people, and what to do about it.

package struct Finding: Equatable, Sendable {
    package enum Level: String, Sendable, CaseIterable { case problem, warning, note, ok }

    package let word: FindingWord
    package let message: String
    /// What to do about it; nil where nothing is to be done.
    package let advice: String?
    /// What `--fix` would do.
    package let fix: Fix?

    package init(_ word: FindingWord, _ message: String, _ advice: String? = nil, fix: Fix? = nil) {
        self.word = word
        self.message = message
        self.advice = advice
        self.fix = fix
    }

    package var level: Level { word.level }
}

/// What `--fix` may do: nothing of it can lock anybody out, let anybody in, or undo what somebody meant.
package enum Fix: Equatable, Sendable {
    /// Root's, with this mode.
    case protect(path: String, mode: UInt16)
    /// The marker of a store that has files in it.
    case mark(path: String)
    /// The attribute by which dump(8) and others leave a file out.
    case leaveOutOfBackups(path: String)

    /// Of the file or folder that is changed; nil for one that is made.
    package var path: String? {
        switch self {
        case .protect(let path, _), .leaveOutOfBackups(let path): path
        case .mark: nil
        }
    }
}
