// SPDX-License-Identifier: Apache-2.0
// The certificates of the CAs to trust, read once, before the sandbox closes.
import CCurl
import CPlatform

/// The PEM text of the named file, or of the system's store if the name is empty. Throws if the file cannot
/// be read, has no certificate, is longer than 4 MiB, or may be written by others than root and the caller.
func authorities(file: String, caller: uid_t) throws(CannotStart) -> [UInt8] {
    guard let path = file.isEmpty ? systemStore() : file, path.hasPrefix("/") else { throw .certificates }
    let descriptor = unsafe mpin_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { throw .certificates }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG),
        isTrusted(status, caller), (1...4 << 20).contains(status.st_size)
    else { throw .certificates }
    var octets = [UInt8](repeating: 0, count: status.st_size)
    var count = 0
    while count < octets.count {
        let more = unsafe octets.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
        }
        guard more > 0 else { throw .certificates }
        count += more
    }
    guard octets.firstRange(of: Array("CERTIFICATE-----".utf8)) != nil else { throw .certificates }
    return octets
}

/// The path of the system's store that libcurl was built with.
private func systemStore() -> String? {
    guard let path = unsafe mpin_curl_authorities() else { return nil }
    return unsafe String(cString: path)
}
