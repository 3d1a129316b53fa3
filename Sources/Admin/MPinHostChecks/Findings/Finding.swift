// SPDX-License-Identifier: Apache-2.0
// A finding of `mpin doctor`: a word for programs, a sentence for people, and advice.

/// One finding of `mpin doctor`.
package struct Finding: Equatable, Sendable {
    package enum Level: String, Sendable, CaseIterable { case problem, warning, note, ok }

    package let word: FindingWord
    package let message: String
    /// What to do about it; nil if nothing need be done.
    package let advice: String?
    /// The repair that `--fix` makes; nil if there is none.
    package let fix: Fix?

    package init(_ word: FindingWord, _ message: String, _ advice: String? = nil, fix: Fix? = nil) {
        self.word = word
        self.message = message
        self.advice = advice
        self.fix = fix
    }

    package var level: Level { word.level }
}

/// A repair of `--fix`. No repair can lock a user out, let one in, or undo an administrator's decision.
package enum Fix: Equatable, Sendable {
    /// Sets this mode.
    case protect(path: String, mode: UInt16)
    /// Makes the marker of a store that has files in it.
    case mark(path: String)
    /// Sets the attribute by which dump(8) and other programs leave a file out of backups.
    case leaveOutOfBackups(path: String)

    /// The path of the file or folder that the repair changes; nil for one that it makes.
    package var path: String? {
        switch self {
        case .protect(let path, _), .leaveOutOfBackups(let path): path
        case .mark: nil
        }
    }
}
