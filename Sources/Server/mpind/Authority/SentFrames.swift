// SPDX-License-Identifier: Apache-2.0
// Sending and receiving of frames of fixed length on a blocking socket with a time limit.
import Glibc

/// Sets the time after which a read, a write or a connect fails.
func setPatience(_ socket: CInt, seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    _ = unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
}

/// Sends all octets; false if that failed.
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

/// Fills the buffer; false if fewer octets came.
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
