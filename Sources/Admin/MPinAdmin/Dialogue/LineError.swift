// SPDX-License-Identifier: Apache-2.0
// Reads one line from a descriptor, octet by octet into a `Secret`; the octets after the line stay unread.
import CPlatform
import Secrets

/// Why there is no line.
package enum LineError: Error, Equatable {
    /// The end came before a line.
    case ended
    /// The line is longer than 255 octets.
    case tooLong
    /// A signal arrived for which the caller waits; its number.
    case interrupted(Int32)
    /// The terminal or descriptor cannot be read.
    case failed
    /// There is no memory for the line.
    case outOfMemory
}

/// The longest line that is accepted, in octets. A PIN has at most 128; the margin lets the PIN's own check
/// report one that is too long.
private let lineLimit = 255

/// The next line, without its newline. A line that is too long is read to its end and dropped.
///
/// - Parameter beforeRead: runs before each octet is read, for a caller that also waits for signals.
func readLine(
    from descriptor: CInt, beforeRead: () throws(LineError) -> Void = { () throws(LineError) in }
) throws(LineError) -> Secret {
    var line = try secret(count: lineLimit + 1)
    var count = 0
    while true {
        try beforeRead()
        // Octets beyond the limit overwrite the last one.
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

/// The octets of an answer that need not be kept in a `Secret`, such as an activation code, which is sent to
/// the server.
func octets(of answer: borrowing Secret) -> [UInt8] {
    answer.withBytes { bytes in
        (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
