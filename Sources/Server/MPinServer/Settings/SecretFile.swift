// SPDX-License-Identifier: Apache-2.0
// Files in the common grammar that have secret values: they are read into, and written from, locked pages
// only.
import MPin
package import MPinDatabase
import MPinWire
import Octets
import Secrets

/// Why the daemon cannot be set up or started: a sentence for the administrator.
package struct SetupError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    static let outOfMemory = SetupError("There is no memory for a secret.")

    /// Why a database could not be opened.
    package init(opening path: String, _ error: StorageError) {
        let why =
            switch error {
            case .full: "the disk is full"
            case .busy: "another process has locked it"
            case .corrupt: "it is damaged; restore it from a backup"
            case .refused: "it refused a value"
            case .otherVersion(let version):
                "another version of mpind made it (schema \(version)); install that version, or move the"
                    + " folder away, make a new server with `mpind init`, and enrol again"
            case .unavailable(let why): "\(why)"
            case .unknownOutcome: "the connection was lost"
            case .closed: "it is closed"
            }
        self.init(opening: path, because: why)
    }

    /// Why a database of PostgreSQL could not be opened.
    package init(openingPostgres address: String, _ error: StorageError) {
        switch error {
        case .otherVersion(let version):
            self.init(
                opening: address,
                because: "its tables are of schema \(version), made by another version of mpind; install that"
                    + " version, or take an empty database and enrol again")
        case .corrupt:
            self.init(
                opening: address,
                because: "its tables are of another kind, or not complete; if `mpind database copy` was"
                    + " interrupted, run it again")
        default: self.init(opening: address, error)
        }
    }

    /// The same with the reason that the engine gave, without a full stop.
    package init(opening path: String, because why: String) {
        self.init("Cannot open the database \(path): \(why).")
    }
}

func newSecret(_ count: Int) throws(SetupError) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

/// A file whose secret values stay on the locked pages into which it was read.
struct SecretFile: ~Copyable {
    let path: String
    private let contents: Secret
    private let section: Section

    private static let secretKeys: [StaticString] = [
        "app-key", "wrapping-key", "device-keys", "former-device-keys", "share-1", "share-2",
    ]

    /// Parses the contents of a file; `path` is for error messages.
    init(_ path: String, _ contents: consuming Secret) throws(SetupError) {
        let sections: [Section]
        do {
            sections = try contents.withBytes { bytes throws(GrammarError) in
                try parse(bytes, leaving: SecretFile.secretKeys)
            }
        } catch {
            throw SetupError("\(path), line \(error.line): \(error.reason.sentence)")
        }
        guard sections.count == 1, let section = sections.first else {
            throw SetupError("\(path) must not have sections.")
        }
        self.path = path
        self.contents = contents
        self.section = section
    }

    func invalid(_ key: StaticString) -> SetupError {
        SetupError("\(path): the value of `\(key)` is not valid.")
    }

    /// Throws if the file has other keys than these.
    func allow(only keys: [StaticString]) throws(SetupError) {
        do { try section.allow(only: keys) } catch {
            throw SetupError(
                "\(path), line \(error.line): unknown key `\(String(decoding: error.key, as: UTF8.self))`.")
        }
    }

    /// The contents of the whole file.
    consuming func takeContents() -> Secret { contents }

    /// A value that is not secret.
    func text(_ key: StaticString) throws(SetupError) -> String {
        String(decoding: try entry(key).value, as: UTF8.self)
    }

    /// The epoch of a key: a whole number from 1 on.
    func epoch(_ key: StaticString) throws(SetupError) -> UInt32 {
        guard let epoch = wholeNumber(try entry(key).value, in: 1...UInt32.max) else { throw invalid(key) }
        return epoch
    }

    /// A secret value of `count` octets, as written in the file.
    func text(_ key: StaticString, count: Int) throws(SetupError) -> Secret {
        let place = try entry(key).place
        guard place.count == count else { throw invalid(key) }
        do {
            return try contents.withBytes { bytes throws(OutOfMemory) in
                try Secret(copying: bytes.extracting(place))
            }
        } catch { throw .outOfMemory }
    }

    /// A secret value of `count` octets, from its hexadecimal digits.
    func octets(_ key: StaticString, count: Int) throws(SetupError) -> Secret {
        let digits = try text(key, count: 2 * count)
        var octets = try newSecret(count)
        let isHex = octets.withMutableBytes { octets in
            digits.withBytes { digits in
                for index in 0..<count {
                    let high = nibble(unsafe digits.unsafeLoad(fromByteOffset: 2 * index, as: UInt8.self))
                    let low = nibble(unsafe digits.unsafeLoad(fromByteOffset: 2 * index + 1, as: UInt8.self))
                    guard let high, let low else { return false }
                    octets.storeBytes(of: high << 4 | low, toByteOffset: index, as: UInt8.self)
                }
                return true
            }
        }
        guard isHex else { throw invalid(key) }
        return octets
    }

    func has(_ key: StaticString) -> Bool { !section.all(key).isEmpty }

    private func entry(_ key: StaticString) throws(SetupError) -> Entry {
        do { return try section.required(key) } catch {
            throw SetupError("\(path): `\(key)` must be given once.")
        }
    }
}

/// A text with secret values, built on locked pages; at most 4096 octets.
struct SecretText: ~Copyable {
    private var pages: Secret
    private var count = 0

    init() throws(SetupError) { pages = try newSecret(4096) }

    mutating func append(_ text: String) throws(SetupError) {
        for octet in text.utf8 { try append(octet) }
    }

    mutating func append(hexOf secret: borrowing Secret) throws(SetupError) {
        try secret.withBytes { bytes throws(SetupError) in try append(hexOf: bytes) }
    }

    mutating func append(hexOf bytes: RawSpan) throws(SetupError) {
        for index in 0..<bytes.byteCount {
            let octet = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            try append(hexDigit(octet >> 4))
            try append(hexDigit(octet & 15))
        }
    }

    private mutating func append(_ octet: UInt8) throws(SetupError) {
        guard count < pages.count else { throw .outOfMemory }
        let place = count
        pages.withMutableBytes { $0.storeBytes(of: octet, toByteOffset: place, as: UInt8.self) }
        count += 1
    }

    /// Writes a new file of mode 0600, as a whole or not at all.
    func write(to path: String) throws(SetupError) {
        let count = count
        try pages.withBytes { pages throws(SetupError) in
            try writeNewFile(path, pages.extracting(0..<count))
        }
    }
}
