// SPDX-License-Identifier: Apache-2.0
// The sockets that systemd bound before it started us, by the protocol of sd_listen_fds(3).
import Glibc
import MPinServer
import MPinWire
import NIOCore

/// A listening socket whose name, mode and owner are those that systemd gave it.
struct InheritedSocket {
    let descriptor: CInt
    let listener: Listener
    /// For messages: the address, and the descriptor's name and number.
    let text: String
}

private let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
private let firstDescriptor: CInt = 3
/// More than any unit passes, but few enough that a wrong number causes an error and not a long search.
private let mostDescriptors: CInt = 64

/// The sockets that were handed to this process; none if they were meant for another one. Any fault is an
/// error: an administrator who configured sockets and does not get them would have a server that listens
/// elsewhere than expected.
func inheritedSockets() throws(SetupError) -> [InheritedSocket] {
    let (pid, count, names) = (variable("LISTEN_PID"), variable("LISTEN_FDS"), variable("LISTEN_FDNAMES"))
    // Child processes, if there ever are any, must not take these for their own.
    for name in variables { _ = unsafe unsetenv(name) }
    guard let pid, let count else { return [] }
    guard let process = pid_t(pid), process > 0 else {
        throw SetupError(
            "LISTEN_PID is \"\(pid)\", which is not the number of a process; start mpind with systemd, "
                + "or unset it."
        )
    }
    guard process == getpid() else { return [] }
    guard let count = CInt(count), (1...mostDescriptors).contains(count) else {
        throw SetupError("LISTEN_FDS is \"\(count)\", which is not a number from 1 to 64.")
    }
    let known =
        names.map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) } ?? []
    var sockets: [InheritedSocket] = []
    for index in 0..<count {
        let name = known.indices.contains(Int(index)) ? known[Int(index)] : "unknown"
        sockets.append(try inheritedSocket(firstDescriptor + index, name))
    }
    return sockets
}

private func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

private func inheritedSocket(_ descriptor: CInt, _ name: String) throws(SetupError) -> InheritedSocket {
    let subject = "Descriptor \(descriptor) (\"\(name)\"), which LISTEN_FDS hands over,"
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw SetupError("\(subject) is not open.") }
    guard option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
        option(SO_ACCEPTCONN, of: descriptor) == 1, let address = unsafe address(of: descriptor, getsockname)
    else {
        throw SetupError("\(subject) is not a listening stream socket; see the socket units (ListenStream=).")
    }
    return InheritedSocket(
        descriptor: descriptor, listener: address,
        text: "\(address.text) (\"\(name)\", descriptor \(descriptor))")
}

private func option(_ name: CInt, of descriptor: CInt) -> CInt? {
    var value: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
}

/// The address of a socket's own or other end, by getsockname(2) or getpeername(2); nil for families that we
/// do not serve. An abstract name begins with "@", so it is never equal to a path.
func address(
    of descriptor: CInt,
    _ ask: (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt
) -> Listener? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let asked = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe ask(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard asked == 0 else { return nil }
    let octets = unsafe withUnsafeBytes(of: address) { unsafe [UInt8]($0.prefix(Int(length))) }
    switch CInt(address.ss_family) {
    case AF_UNIX: return .unix(name(octets.dropFirst(MemoryLayout<sa_family_t>.size)))
    case AF_INET where octets.count >= 8: return tcp(octets[4..<8], port: octets[2..<4])
    case AF_INET6 where octets.count >= 24: return tcp(octets[8..<24], port: octets[2..<4])
    default: return nil
    }
}

private func name(_ octets: ArraySlice<UInt8>) -> String {
    guard octets.first == 0 else { return String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self) }
    return "@" + String(decoding: octets.dropFirst(), as: UTF8.self)
}

private func tcp(_ host: ArraySlice<UInt8>, port: ArraySlice<UInt8>) -> Listener? {
    let number = port.reduce(0) { $0 << 8 | Int($1) }
    let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: host), port: number)
    return address?.ipAddress.map { .tcp(host: $0, port: number) }
}
