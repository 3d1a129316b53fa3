// SPDX-License-Identifier: Apache-2.0
// Another user's process behind a socket, which a client must not accept as mpind.
import CPlatform
import Glibc

/// Listens at the path as this user, prints one line when it does, and never answers.
func listenAs(uid: String, at path: String) -> Never {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let done = unsafe withUnsafeBytes(of: &address) {
        unsafe bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
    }
    let id = uid_t(uid) ?? 0
    guard done == 0, unsafe chmod(path, 0o666) == 0, setresuid(id, id, id) == 0, listen(descriptor, 8) == 0
    else {
        exit(3)
    }
    print("listening")
    fflush(nil)
    while true { pause() }
}
