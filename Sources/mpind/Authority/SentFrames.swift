// SPDX-License-Identifier: Apache-2.0
// Frames of fixed length on a blocking socket whose patience ends.
import Glibc

/// How long a read, a write or a connect may take; then it fails.
func setPatience(_ socket: CInt, seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
}

/// False unless all of them went out.
func sent(_ bytes: UnsafeRawBufferPointer, to socket: CInt) -> Bool {
    var length = 0
    while length < bytes.count {
        let more = unsafe send(
            socket, bytes.baseAddress?.advanced(by: length), bytes.count - length, CInt(MSG_NOSIGNAL))
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { return false }
        length += more
    }
    return true
}

/// False unless as many came.
func received(_ bytes: UnsafeMutableRawBufferPointer, from socket: CInt) -> Bool {
    var length = 0
    while length < bytes.count {
        let more = unsafe recv(socket, bytes.baseAddress?.advanced(by: length), bytes.count - length, 0)
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { return false }
        length += more
    }
    return true
}
