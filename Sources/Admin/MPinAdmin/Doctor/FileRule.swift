// SPDX-License-Identifier: Apache-2.0
// Rules for the owner and mode of a file or folder, and the findings about them.
import MPinWire

/// What lstat(2) reports about a path.
struct FileFacts: Equatable, Sendable {
    enum Kind: Sendable { case missing, file, folder, socket, other }
    let kind: Kind
    let uid: UInt32
    /// The lowest twelve bits of st_mode.
    let mode: UInt16

    init(_ kind: Kind, uid: UInt32 = 0, mode: UInt16 = 0) {
        (self.kind, self.uid, self.mode) = (kind, uid, mode)
    }
}

/// The kind, owner and mode that a path must have.
struct FileRule: Sendable {
    let path: String
    let kind: FileFacts.Kind
    /// The uids that may own it.
    let owners: Set<UInt32>
    /// The mode that a repair sets.
    let mode: UInt16
    /// The mode bits that it must not have.
    let forbidden: UInt16

    init(
        _ path: String, _ kind: FileFacts.Kind, owners: Set<UInt32>, mode: UInt16, forbidden: UInt16
    ) {
        (self.path, self.kind) = (path, kind)
        (self.owners, self.mode, self.forbidden) = (owners, mode, forbidden)
    }

    /// How a path breaks the rule.
    enum Fault: Equatable, Sendable {
        case missing, wrongKind
        case foreignOwner(UInt32)
        case open(UInt16)
    }

    /// The first fault; nil if the path keeps the rule.
    func fault(_ facts: FileFacts) -> Fault? {
        guard facts.kind != .missing else { return .missing }
        guard facts.kind == kind else { return .wrongKind }
        guard owners.contains(facts.uid) else { return .foreignOwner(facts.uid) }
        return facts.mode & forbidden == 0 ? nil : .open(facts.mode)
    }

    /// The finding about owner and mode; nil if both are right. The caller must check existence and kind.
    ///
    /// There is no automatic repair for a path that other users could write: an administrator must look at it
    /// first.
    func finding(_ facts: FileFacts, _ word: String) -> Finding? {
        let what: String
        let couldWrite: Bool
        switch fault(facts) {
        case .foreignOwner(let uid):
            what = "\(path) belongs to uid \(uid)"
            couldWrite = true
        case .open(let mode):
            what = "\(path) has mode 0\(String(mode, radix: 8))"
            couldWrite = mode & 0o022 != 0
        case nil, .missing, .wrongKind: return nil
        }
        let name = shellWord(path)
        let close = "'sudo chmod \(String(mode, radix: 8)) \(name)'"
        let mend = owners.contains(0) ? "'sudo chown root \(name)' and \(close)" : close
        guard !couldWrite else {
            return Finding(
                problem: word, "\(what): others could change it.",
                "Look at what is in it first. Then \(mend).")
        }
        return Finding(
            problem: word, "\(what): others can read it.",
            owners.contains(0) ? "Run \(mend), or 'sudo mpin doctor --fix'." : "Run \(mend).",
            fix: owners.contains(0) ? .protect(path: path, mode: mode) : nil)
    }
}
