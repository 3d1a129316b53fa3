// SPDX-License-Identifier: Apache-2.0
// The authority's four commands as frames of fixed length (docs/protocol/authority.md).
package import MPin
import MPinDatabase
package import Octets
package import Secrets

/// A command in 44 octets: version, command, half, 0, epoch (4), date (4), id (32). Numbers are big endian,
/// and fields that a command does not use are zero.
package struct AuthorityQuestion: Equatable, Sendable {
    package enum Command: UInt8, CaseIterable, Sendable {
        case serverSecret = 1
        case clientSecret = 2
        case timePermit = 3
        case revoke = 4
    }

    package static let count = 44
    static let version: UInt8 = 1

    package let command: Command
    /// nil for `revoke`, which concerns both halves.
    let half: ShareIndex?
    /// Zero for `serverSecret`, which is sent before the epoch is known.
    let epoch: UInt32
    /// Days since 1970; zero unless the command is `timePermit`.
    let date: UInt32
    /// nil for `serverSecret`.
    package let id: IdentityHash?

    package static func serverSecret(_ half: ShareIndex) -> AuthorityQuestion {
        AuthorityQuestion(command: .serverSecret, half: half, epoch: 0, date: 0, id: nil)
    }

    package static func clientSecret(
        _ half: ShareIndex, of id: IdentityHash, epoch: UInt32
    ) -> AuthorityQuestion {
        AuthorityQuestion(command: .clientSecret, half: half, epoch: epoch, date: 0, id: id)
    }

    package static func timePermit(
        _ half: ShareIndex, of id: IdentityHash, date: UInt32, epoch: UInt32
    ) -> AuthorityQuestion {
        AuthorityQuestion(command: .timePermit, half: half, epoch: epoch, date: date, id: id)
    }

    package static func revoke(_ id: IdentityHash, epoch: UInt32) -> AuthorityQuestion {
        AuthorityQuestion(command: .revoke, half: nil, epoch: epoch, date: 0, id: id)
    }

    /// The frame.
    package var octets: [UInt8] {
        [AuthorityQuestion.version, command.rawValue, half?.rawValue ?? 0, 0]
            + bigEndian(epoch) + bigEndian(date) + (id ?? .zero).octets
    }
}

extension AuthorityQuestion {
    /// Decodes a frame; nil for every frame that `octets` never makes.
    init?(_ octets: [UInt8]) {
        guard octets.count == AuthorityQuestion.count, octets[0] == AuthorityQuestion.version,
            octets[3] == 0, let command = Command(rawValue: octets[1])
        else { return nil }
        let isServer = command == .serverSecret
        self.init(
            command: command, half: ShareIndex(rawValue: octets[2]), epoch: number(octets[4..<8]),
            date: number(octets[8..<12]), id: isServer ? nil : IdentityHash(Array(octets[12...])))
        guard (half == nil) == (command == .revoke), (epoch == 0) == isServer,
            command == .timePermit || date == 0, self.octets == octets
        else { return nil }
    }
}

/// An answer in 136 octets: version, status, detail, 0, epoch (4), payload (128). Numbers are big endian. The
/// payload is a share, padded with zeros.
package struct AuthorityAnswer: ~Copyable {
    package static let count = 136

    enum Status: UInt8 {
        case done = 1
        case refused = 2
        case busy = 3
        case malformed = 4
        case otherEpoch = 5
        case failed = 6
        /// The authority's database failed; `detail` says how.
        case book = 7
    }

    package let frame: Secret

    package init(frame: consuming Secret) { self.frame = frame }

    /// The first `count` octets of the payload. Throws what `epoch()` throws.
    package borrowing func share(_ count: Int) throws(AuthorityError) -> Secret {
        _ = try epoch()
        do {
            return try frame.withBytes { bytes throws(OutOfMemory) in
                try Secret(copying: bytes.extracting(8..<(8 + min(128, count))))
            }
        } catch { throw .failed }
    }

    /// The epoch of the master secret. Throws the authority's error if it did not carry out the command, and
    /// `.away` if the frame is malformed.
    package borrowing func epoch() throws(AuthorityError) -> UInt32 {
        guard frame.count == AuthorityAnswer.count else { throw .away }
        let head = frame.withBytes { plainOctets($0.extracting(0..<8)) }
        guard head[0] == AuthorityQuestion.version, let status = Status(rawValue: head[1]) else {
            throw .away
        }
        switch status {
        case .done: return number(head[4..<8])
        case .refused: throw .refused
        case .busy: throw .busy
        case .otherEpoch: throw .otherEpoch
        case .malformed, .failed: throw .failed
        case .book: throw .book(StorageError(detail: head[2]))
        }
    }
}

extension AuthorityAnswer {
    init(
        status: Status, epoch: UInt32, detail: UInt8 = 0, share: RawSpan = RawSpan()
    ) throws(OutOfMemory) {
        var frame = try Secret(count: AuthorityAnswer.count)
        frame.withMutableBytes { frame in
            let head = [AuthorityQuestion.version, status.rawValue, detail, 0] + bigEndian(epoch)
            for (place, octet) in head.enumerated() {
                frame.storeBytes(of: octet, toByteOffset: place, as: UInt8.self)
            }
            for place in 0..<min(128, share.byteCount) {
                let octet = unsafe share.unsafeLoad(fromByteOffset: place, as: UInt8.self)
                frame.storeBytes(of: octet, toByteOffset: 8 + place, as: UInt8.self)
            }
        }
        self.init(frame: frame)
    }

    init(_ error: AuthorityError, epoch: UInt32) throws(OutOfMemory) {
        switch error {
        case .refused: try self.init(status: .refused, epoch: epoch)
        case .book(let error): try self.init(status: .book, epoch: epoch, detail: error.detail)
        case .busy: try self.init(status: .busy, epoch: epoch)
        case .otherEpoch: try self.init(status: .otherEpoch, epoch: epoch)
        case .away, .failed: try self.init(status: .failed, epoch: epoch)
        }
    }
}

extension StorageError {
    fileprivate var detail: UInt8 {
        switch self {
        case .full: 1
        case .busy: 2
        case .corrupt: 3
        case .refused: 4
        case .otherVersion: 5
        case .unavailable: 6
        case .closed: 7
        case .unknownOutcome: 8
        }
    }

    /// The database's own words are not sent: they are only in the authority's log.
    fileprivate init(detail: UInt8) {
        let told: [StorageError] = [.full, .busy, .corrupt, .refused, .closed, .unknownOutcome]
        self = told.first { $0.detail == detail } ?? .unavailable(.code(0))
    }
}

/// A big-endian number.
private func number(_ octets: ArraySlice<UInt8>) -> UInt32 { octets.reduce(0) { $0 << 8 | UInt32($1) } }
