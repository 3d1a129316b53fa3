// SPDX-License-Identifier: Apache-2.0
// The certificates of the CAs to trust, read once, before the sandbox closes.
import CCurl
import CPlatform
import Octets

/// The PEM text of the named file, or of the system's store if the name is empty. Throws if the file cannot
/// be read, has no certificate, is longer than 4 MiB, or may be written by others than root and the caller.
func authorities(file: String, caller: uid_t) throws(CallFailure) -> [UInt8] {
    guard let path = file.isEmpty ? systemStore() : file, path.hasPrefix("/") else { throw .noCertificates }
    let octets: [UInt8]
    do throws(TrustedFile.Fault) {
        octets = try TrustedFile(Array(path.utf8), followsLink: true, owner: caller, forbidden: 0o022)
            .contents(atMost: 4 << 20)
    } catch { throw .noCertificates }
    guard octets.firstRange(of: Array("CERTIFICATE-----".utf8)) != nil else { throw .noCertificates }
    return octets
}

/// The path of the system's store that libcurl was built with.
private func systemStore() -> String? {
    guard let path = unsafe mpin_curl_authorities() else { return nil }
    return unsafe String(cString: path)
}
