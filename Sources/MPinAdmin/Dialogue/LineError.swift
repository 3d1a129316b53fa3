// SPDX-License-Identifier: Apache-2.0
// A line out of a descriptor, octet by octet straight into a secret; what follows the line stays unread.
import CPlatform
import Secrets

/// Why there is no line.
package enum LineError: Error, Equatable {
    /// The end came before a line.
    case ended
    /// The line has more octets than are taken.
    case tooLong
    /// A signal came that the caller waits for.
    case interrupted(Int32)
    /// The terminal or descriptor cannot be read.
    case failed
    /// There is no memory to keep it in.
    case outOfMemory
}

/// Octets of the longest line that is taken: a PIN has 128, and whoever typed more is to be told so.
private let lineLimit = 255

/// The next line, without its end; the rest of a line that is too long is read and thrown away.
///
/// - Parameter beforeRead: runs before each octet is read; for a caller that waits for signals as well.
func readLine(
    from descriptor: CInt, beforeRead: () throws(LineError) -> Void = { () throws(LineError) in }
) throws(LineError) -> Secret {
    var line = try secret(count: lineLimit + 1)
    var count = 0
    while true {
        try beforeRead()
        // What is too much lands on the last octet, again and again.
        let place = min(count, lineLimit)
        let got = unsafe line.withMutablePointer { base, _ in unsafe read(descriptor, base + place, 1) }
        if got < 0 {
            guard mpin_errno() == EINTR else { throw .failed }
            continue
        }
        guard got > 0 || count > 0 else { throw .ended }
        let isEnd = line.withBytes { unsafe $0.unsafeLoad(fromByteOffset: place, as: UInt8.self) == 0x0a }
        if got == 0 || isEnd { break }
        count += 1
    }
    guard count <= lineLimit else { throw .tooLong }
    return try line.withBytes { bytes throws(LineError) in
        do { return try Secret(copying: bytes.extracting(first: count)) } catch { throw .outOfMemory }
    }
}

private func secret(count: Int) throws(LineError) -> Secret {
    do { return try Secret(count: count) } catch { throw .outOfMemory }
}

/// The octets of an answer that is no secret of ours: an activation code travels the wire.
func octets(of answer: borrowing Secret) -> [UInt8] {
    answer.withBytes { bytes in
        (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
