// SPDX-License-Identifier: Apache-2.0
// Frames between module and relay: a kind, then fields, each with its length before it (relay.md, section 2).

/// Constants of the frames.
package enum Frame {
    /// The number of octets of the longest frame.
    package static let limit = 65_536
    /// The version of the frames, which `hello` carries.
    package static let version: UInt8 = 4
    /// The kind of a request plus this is the kind of its response.
    static let answerOffset: UInt8 = 128

    /// The version that a `hello` of any version carries; nil for other frames.
    package static func version(of frame: [UInt8]) -> UInt8? {
        guard var fields = try? FrameFields(reading: frame), fields.kind == Kind.hello.rawValue
        else { return nil }
        return try? fields.number(0)
    }
}

/// What is wrong with a frame, or with a value that a frame cannot carry.
package enum FrameError: Error, Equatable {
    /// The frame is longer than `Frame.limit`.
    case tooLong
    /// The frame ends inside a field or before its last field.
    case truncated
    /// Octets follow the last field.
    case trailing
    case unknownKind(UInt8)
    /// A field has the wrong length, is out of bounds, or is not the text that it should be.
    case badField
}

/// The bounds of every field that has no fixed length, in octets.
package enum Bound {
    /// `mpinId`, here and in files.
    package static let mpinID = 500
    /// A sealed question: five texts of 255 octets and 64 identities fit.
    package static let question = 4_096
    /// wid: 32 hexadecimal digits, seven digits, or `0`.
    package static let wid = 32
    /// authOTT and regOTT: 32 hexadecimal digits in Milagro's servers.
    package static let ticket = 128
    /// A one-time password: six digits in Milagro's servers.
    package static let otp = 16
    /// A code as typed: 16 letters and the separators between them.
    package static let code = 64
    /// A name: userId, host, device.
    package static let name = 255
    /// A path, URL or origin: as long as a line of a file may be.
    package static let address = 1_024
    /// A sealed notice of wrong tries: the longest source fits.
    package static let notice = 320
    /// The sealed answer to a bind question: from no userID to the longest.
    static let bindAnswer = 94...349
    /// The most identities in a sealed question (a number, not octets).
    package static let identities = 64
    /// The most backends, origins or recorded addresses in `hello` (a number, not octets).
    package static let addresses = 16
}
