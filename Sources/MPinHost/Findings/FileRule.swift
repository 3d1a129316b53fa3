// SPDX-License-Identifier: Apache-2.0
// Whether a file or folder is whose it must be, and closed to whom it must be.

/// What lstat(2) says of a path.
package struct FileFacts: Equatable, Sendable {
    package enum Kind: Sendable { case missing, file, folder, socket, other }
    package let kind: Kind
    package let uid: UInt32
    /// The lowest twelve bits.
    package let mode: UInt16

    package init(_ kind: Kind, uid: UInt32 = 0, mode: UInt16 = 0) {
        self.kind = kind
        self.uid = uid
        self.mode = mode
    }
}

/// What a path must be.
package struct FileRule: Sendable {
    package let path: String
    package let kind: FileFacts.Kind
    /// Whose it may be.
    package let owners: Set<UInt32>
    /// The mode that it gets when it is mended.
    package let mode: UInt16
    /// Mode bits that it must not have.
    package let forbidden: UInt16

    package init(
        _ path: String, _ kind: FileFacts.Kind, owners: Set<UInt32>, mode: UInt16, forbidden: UInt16
    ) {
        self.path = path
        self.kind = kind
        self.owners = owners
        self.mode = mode
        self.forbidden = forbidden
    }

    package enum Fault: Equatable, Sendable {
        case missing, wrongKind
        case foreignOwner(UInt32)
        case open(UInt16)
    }

    package func fault(_ facts: FileFacts) -> Fault? {
        guard facts.kind != .missing else { return .missing }
        guard facts.kind == kind else { return .wrongKind }
        guard owners.contains(facts.uid) else { return .foreignOwner(facts.uid) }
        return facts.mode & forbidden == 0 ? nil : .open(facts.mode)
    }

    /// The finding about owner and mode, nil if both are good; that it is there and of its kind is for the
    /// caller.
    ///
    /// What others could have written is not mended before somebody has looked at it.
    package func finding(_ facts: FileFacts, _ word: FindingWord) -> Finding? {
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
        let close = "'sudo chmod \(String(mode, radix: 8)) \(path)'"
        let mend = owners.contains(0) ? "'sudo chown root \(path)' and \(close)" : close
        guard !couldWrite else {
            return Finding(
                word, "\(what): others could change it.", "Look at what is in it first. Then \(mend).")
        }
        return Finding(
            word, "\(what): others can read it.",
            owners.contains(0) ? "Run \(mend), or 'sudo mpin doctor --fix'." : "Run \(mend).",
            fix: owners.contains(0) ? .protect(path: path, mode: mode) : nil)
    }
}
