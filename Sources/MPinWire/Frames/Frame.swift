// SPDX-License-Identifier: Apache-2.0
// One frame between module and relay: a kind, then fields, each with its length before it.

/// What both ends agree on.
package enum Frame {
    /// Octets of the longest frame.
    package static let limit = 65_536
    /// What `hello` names.
    package static let version: UInt8 = 3
    /// Added to the kind of a question, gives the kind of its answer.
    static let answerOffset: UInt8 = 128

    /// The version that a `hello` names, whatever else that version has in it; nil for other frames.
    package static func version(of frame: [UInt8]) -> UInt8? {
        guard var fields = try? FieldReader(frame), fields.kind == Kind.hello.rawValue else { return nil }
        return try? fields.octet()
    }
}

/// What is wrong with a frame, or with a value that no frame can carry.
package enum FrameError: Error, Equatable {
    /// Longer than `Frame.limit`.
    case tooLong
    /// Ends inside a field or before its last one.
    case truncated
    /// Goes on behind its last field.
    case trailing
    case unknownKind(UInt8)
    /// A field of the wrong length, out of bounds, or not the text it should be.
    case badField
}

/// The questions, by number; an answer has the number of its question + 128.
package enum Kind: UInt8, Sendable, CaseIterable {
    case hello = 1
    case settings = 2
    case permits = 3
    case passOne = 4
    case passTwo = 5
    case authenticate = 6
    case session = 16
    case end = 17
    case otp = 18
    case standing = 19
    case bind = 20
    case bindAnswer = 21
    case bindDone = 22
    case register = 32
    case clientSecret = 33
    case join = 34
    case inspect = 48
}

/// The bounds of every field that has no fixed length, in octets.
package enum Bound {
    /// The identity's octets, as files hold them too.
    package static let mpinID = 500
    /// The sealed question: five texts of 255 and 64 identities fit.
    package static let question = 4_096
    /// wid: 32 hex digits, seven digits, or `0`.
    package static let wid = 32
    /// authOTT, regOTT: 32 hex digits with Milagro.
    package static let ticket = 128
    /// The one-time password: six digits with Milagro.
    package static let otp = 16
    /// Codes as typed: 16 letters, with what people put between them.
    package static let code = 64
    /// Names: userId, host, device.
    package static let name = 255
    /// One path, URL or origin: as long as a line of a file may be.
    package static let address = 1_024
    /// The sealed notice of wrong tries: its longest source fits.
    package static let notice = 320
    /// Who approved a bind session, sealed: without a userID, and with the longest.
    static let bindAnswer = 94...349
    /// How many identities one sealed question may list.
    package static let identities = 64
    /// How many backends, origins, or recorded addresses `hello` may name.
    package static let addresses = 16
}
