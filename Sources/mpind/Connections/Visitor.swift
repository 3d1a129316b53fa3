// SPDX-License-Identifier: Apache-2.0
// An accepted connection and its peer, as the kernel reports it.
import Glibc
import MPinServer
import MPinWire
import NIOCore

/// A connection that was accepted from its listening socket, and its peer.
struct Visitor: Sendable {
    let descriptor: CInt
    let peer: Peer
    let source: Source

    /// nil if the kernel does not report the peer; such a connection is not served.
    init?(_ descriptor: CInt, on listener: Listener) {
        let known =
            switch listener {
            case .unix: local(descriptor)
            case .tcp: distant(descriptor)
            }
        guard let known else { return nil }
        self.descriptor = descriptor
        (peer, source) = known
    }

    /// Closes it at once. A refused TCP connection leaves no state in the kernel.
    func refuse() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        if case .address = peer { unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, size) }
        close(descriptor)
    }
}

/// SO_PEERCRED: the ids that the caller had when it connected.
private func local(_ descriptor: CInt) -> (Peer, Source)? {
    var credentials = Credentials()
    var length = socklen_t(MemoryLayout<Credentials>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
        return nil
    }
    return (.local(user: credentials.user, process: credentials.process), .user(credentials.user))
}

/// `struct ucred` of the kernel.
private struct Credentials {
    var process: Int32 = 0
    var user = UInt32.max
    var group = UInt32.max
}

private func distant(_ descriptor: CInt) -> (Peer, Source)? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let asked = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard asked == 0 else { return nil }
    let octets = unsafe withUnsafeBytes(of: address) { unsafe [UInt8]($0.prefix(Int(length))) }
    let range =
        switch CInt(address.ss_family) {
        case AF_INET: 4..<8
        case AF_INET6: 8..<24
        default: 0..<0
        }
    guard octets.count >= range.upperBound, let source = Source(address: [UInt8](octets[range])),
        let text = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: octets[range]), port: 0).ipAddress
    else { return nil }
    return (.address(text), source)
}

/// The users who have reserved places: root, the user that this server runs as, and the relays' user.
func privilegedUsers() -> Set<UInt32> {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var strings = [CChar](repeating: 0, count: 65_536)
    let asked = unsafe getpwnam_r("_mpin", &entry, &strings, strings.count, &found)
    let relay = unsafe asked == 0 && found != nil ? [entry.pw_uid] : []
    return Set([0, geteuid()] + relay)
}
