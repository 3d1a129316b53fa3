// SPDX-License-Identifier: Apache-2.0
// Listening sockets and folders for tests.
import Foundation

package struct NoSocket: Error {}

/// A folder that only its owner can write to; it is removed with its last reference.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "mpin-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    deinit { remove() }
}

/// A socket that every user may connect to.
func listening(unix path: String) throws -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let descriptor = try bound(AF_UNIX, &address)
    guard unsafe chmod(path, 0o666) == 0 else { throw NoSocket() }
    return try listening(descriptor)
}

/// A socket at a free port of the loopback address.
func listening(ipv6: Bool) throws -> (descriptor: CInt, port: UInt16) {
    if ipv6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        let descriptor = try bound(AF_INET6, &address)
        return (try listening(descriptor), UInt16(bigEndian: address.sin6_port))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let descriptor = try bound(AF_INET, &address)
    return (try listening(descriptor), UInt16(bigEndian: address.sin_port))
}

/// A Unix socket that listens and is never served, and whose queue is full.
package final class FullQueue: Sendable {
    package let backend: String
    private let folder: TemporaryFolder
    private let descriptors: [CInt]

    package init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        backend = "unix:" + path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let listener = try bound(AF_UNIX, &address)
        guard unsafe chmod(path, 0o666) == 0, listen(listener, 0) == 0 else { throw NoSocket() }
        var descriptors = [listener]
        var isFull = false
        while !isFull {
            let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let waiting = socket(AF_UNIX, type, 0)
            descriptors.append(waiting)
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let done = unsafe withUnsafeBytes(of: &address) {
                unsafe connect(waiting, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
            }
            isFull = done != 0
            guard waiting >= 0, done == 0 || errno == EAGAIN else { throw NoSocket() }
        }
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}

/// A port of 127.0.0.1 without a listener; it is bound, so that no other process takes it.
package final class ClosedPort: Sendable {
    package let number: UInt16
    private let descriptor: CInt

    package init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        descriptor = try bound(AF_INET, &address)
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

private func bound<Address>(_ family: CInt, _ address: inout Address) throws -> CInt {
    let descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var size = socklen_t(MemoryLayout<Address>.size)
    let done = unsafe withUnsafeMutableBytes(of: &address) { octets in
        let name = unsafe octets.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        return unsafe bind(descriptor, name, size) == 0 && getsockname(descriptor, name, &size) == 0
    }
    guard descriptor >= 0, done else { throw NoSocket() }
    return descriptor
}

private func listening(_ descriptor: CInt) throws -> CInt {
    guard listen(descriptor, 16) == 0 else { throw NoSocket() }
    return descriptor
}
