// SPDX-License-Identifier: Apache-2.0
// A finding of `mpin doctor`: a word for programs, a sentence for people, and advice.

/// One finding of `mpin doctor`.
struct Finding: Equatable, Sendable {
    enum Level: String, Sendable, CaseIterable { case problem, warning, note, ok }

    /// Programs and mpin(1) know it, so it must not change.
    let word: String
    let level: Level
    let message: String
    /// What to do about it; nil if nothing need be done.
    let advice: String?
    /// The repair that `--fix` makes; nil if there is none.
    let fix: Fix?

    init(problem word: String, _ message: String, _ advice: String? = nil, fix: Fix? = nil) {
        (self.word, level, self.message, self.advice, self.fix) = (word, .problem, message, advice, fix)
    }

    init(warning word: String, _ message: String, _ advice: String) {
        (self.word, level, self.message, self.advice, fix) = (word, .warning, message, advice, nil)
    }

    init(note word: String, _ message: String, _ advice: String? = nil, fix: Fix? = nil) {
        (self.word, level, self.message, self.advice, self.fix) = (word, .note, message, advice, fix)
    }

    init(ok word: String, _ message: String) {
        (self.word, level, self.message, advice, fix) = (word, .ok, message, nil, nil)
    }
}

/// A repair of `--fix`. No repair can lock a user out, let one in, or undo an administrator's decision.
enum Fix: Equatable, Sendable {
    /// Sets this mode.
    case protect(path: String, mode: UInt16)
    /// Makes the marker of a store that has files in it.
    case mark(path: String)
    /// Sets the attribute by which dump(8) and other programs leave a file out of backups.
    case leaveOutOfBackups(path: String)

    /// The path of the file or folder that the repair changes; nil for one that it makes.
    var path: String? {
        switch self {
        case .protect(let path, _), .leaveOutOfBackups(let path): path
        case .mark: nil
        }
    }
}
