// SPDX-License-Identifier: Apache-2.0
// Certificates and their keys, made and read by OpenSSL's libcrypto.
import CSSL
import Glibc
import MPinServer
import MPinWire
import Octets

/// A key of P-256, which libcrypto makes, keeps and writes; it is never in memory that we manage.
@safe struct CertificateKey: ~Copyable {
    fileprivate let pointer: OpaquePointer

    init() throws(SetupError) {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw SetupError("No key can be made (\(libcryptoReason())).") }
        unsafe pointer = key
    }

    /// Reads a key in PEM; libcrypto prompts for the passphrase of an encrypted one at the terminal.
    init(file: String) throws(SetupError) {
        try checkPrivateKeyFile(file)
        let input = unsafe BIO_new_file(file, "r")
        defer { unsafe BIO_free(input) }
        guard let key = unsafe PEM_read_bio_PrivateKey(input, nil, nil, nil) else {
            throw SetupError("\(file) cannot be read as a key in PEM.")
        }
        unsafe pointer = key
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Writes it in PEM (PKCS #8) to an open file.
    borrowing func write(to descriptor: CInt) -> Bool {
        let output = unsafe BIO_new_fd(descriptor, BIO_NOCLOSE)
        defer { unsafe BIO_free(output) }
        return unsafe PEM_write_bio_PrivateKey(output, pointer, nil, nil, 0, nil, nil) == 1
    }
}

/// An X.509 certificate.
@safe final class Certificate {
    private let pointer: OpaquePointer

    /// A CA that can vouch for these names of servers and for nothing else.
    convenience init(authorityFor names: [ServerName], _ key: borrowing CertificateKey, days: Int)
        throws(SetupError)
    {
        try self.init("M-Pin CA of \(names.first?.text ?? "")", key, days: days)
        try unsafe add(
            [
                ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "critical,keyCertSign"),
                ("extendedKeyUsage", "serverAuth"), ("subjectKeyIdentifier", "hash"),
                ("nameConstraints", "critical," + constraints(names)),
            ], issuer: pointer)
        guard unsafe X509_set_issuer_name(pointer, X509_get_subject_name(pointer)) == 1,
            unsafe X509_sign(pointer, key.pointer, EVP_sha256()) > 0
        else { throw SetupError("No CA can be made (\(libcryptoReason())).") }
    }

    /// A server's certificate, signed by a CA and valid no longer than the CA.
    convenience init(
        server names: [ServerName], _ key: borrowing CertificateKey, days: Int,
        authority: Certificate, _ authorityKey: borrowing CertificateKey
    ) throws(SetupError) {
        guard authority.has(authorityKey) else {
            throw SetupError("The CA's key does not belong to the CA's certificate.")
        }
        // The names are in the extension. A common name that looked like a name would be checked as well.
        try self.init("M-Pin server", key, days: days)
        try unsafe add(
            [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("extendedKeyUsage", "serverAuth"), ("subjectKeyIdentifier", "hash"),
                ("authorityKeyIdentifier", "keyid:always"),
                ("subjectAltName", names.map(\.alternative).joined(separator: ",")),
            ], issuer: authority.pointer)
        if end > authority.end {
            unsafe X509_set1_notAfter(pointer, X509_get0_notAfter(authority.pointer))
        }
        guard unsafe X509_set_issuer_name(pointer, X509_get_subject_name(authority.pointer)) == 1,
            unsafe X509_sign(pointer, authorityKey.pointer, EVP_sha256()) > 0
        else { throw SetupError("No certificate can be made (\(libcryptoReason())).") }
    }

    /// The first certificate of a file in PEM.
    init(file: String) throws(SetupError) {
        let input = unsafe BIO_new_file(file, "r")
        defer { unsafe BIO_free(input) }
        guard let read = unsafe PEM_read_bio_X509(input, nil, nil, nil) else {
            throw SetupError("\(file) cannot be read as a certificate in PEM.")
        }
        unsafe pointer = read
    }

    /// The common parts: a random serial number, the times, a name, the key. It begins an hour ago, for
    /// clocks that are slow.
    private init(_ name: String, _ key: borrowing CertificateKey, days: Int) throws(SetupError) {
        guard let made = unsafe X509_new() else { throw SetupError("There is no memory for a certificate.") }
        unsafe pointer = made
        let subject = unsafe X509_get_subject_name(made)
        // A common name has 64 characters at most; it is only for display.
        let octets = [UInt8](name.utf8.prefix(64))
        guard unsafe X509_set_version(made, 2) == 1, unsafe setNumber(made),
            unsafe X509_time_adj_ex(X509_getm_notBefore(made), 0, -3600, nil) != nil,
            unsafe X509_time_adj_ex(X509_getm_notAfter(made), CInt(clamping: days), -3600, nil) != nil,
            unsafe X509_NAME_add_entry_by_txt(
                subject, "CN", MBSTRING_ASC, octets, CInt(octets.count), -1, 0) == 1,
            unsafe X509_set_pubkey(made, key.pointer) == 1
        else { throw SetupError("No certificate can be made (\(libcryptoReason())).") }
    }

    deinit { unsafe X509_free(pointer) }

    private func add(
        _ extensions: [(name: String, value: String)], issuer: OpaquePointer
    ) throws(SetupError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
        for (name, value) in extensions {
            let made = unsafe X509V3_EXT_nconf(nil, &context, name, value)
            defer { unsafe X509_EXTENSION_free(made) }
            guard unsafe made != nil, unsafe X509_add_ext(pointer, made, -1) == 1 else {
                throw SetupError("The extension \(name) = \(value) cannot be made (\(libcryptoReason())).")
            }
        }
    }
}

extension Certificate {
    /// Writes it in PEM to an open file.
    func write(to descriptor: CInt) -> Bool {
        let output = unsafe BIO_new_fd(descriptor, BIO_NOCLOSE)
        defer { unsafe BIO_free(output) }
        return unsafe PEM_write_bio_X509(output, pointer) == 1
    }

    /// Its SHA-256, as `openssl x509 -fingerprint -sha256` and `mpin setup` write it.
    var fingerprint: String {
        var octets = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        guard unsafe X509_digest(pointer, EVP_sha256(), &octets, &count) == 1 else { return "" }
        return String(decoding: colonHex(octets), as: UTF8.self)
    }

    /// Whether this CA has signed it.
    func isSigned(by authority: Certificate) -> Bool {
        unsafe X509_check_issued(authority.pointer, pointer) == X509_V_OK
            && X509_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
    }

    /// Whether this is its key.
    func has(_ key: borrowing CertificateKey) -> Bool {
        unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    var begin: UnixTime { UnixTime(seconds: unsafe mpin_x509_begin(pointer)) }
    var end: UnixTime { UnixTime(seconds: unsafe mpin_x509_end(pointer)) }

    /// The DNS names and IP addresses that it is for. Other kinds of names are left out.
    var names: [ServerName] {
        let index = unsafe X509_get_ext_by_NID(pointer, NID_subject_alt_name, -1)
        let output = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(output) }
        guard index >= 0, unsafe X509V3_EXT_print(output, X509_get_ext(pointer, index), 0, 0) == 1 else {
            return []
        }
        var text = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe BIO_read(output, &text, CInt(text.count))
        return String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self).split(separator: ",")
            .compactMap { entry in
                let entry = entry.drop { $0 == " " }
                let value = entry.split(separator: ":", maxSplits: 1).dropFirst().first
                let isName = entry.hasPrefix("DNS:") || entry.hasPrefix("IP Address:")
                return isName ? value.flatMap { ServerName(String($0)) } : nil
            }
    }
}

/// The name constraints, which forbid every other name. A kind of name that they do not mention would be
/// allowed without limits, so a kind without an allowed name gets one that no server has, or is excluded as a
/// whole.
private func constraints(_ names: [ServerName]) -> String {
    var constraints = names.map(\.constraint)
    if !names.contains(where: { $0.address == nil }) { constraints.append("permitted;DNS:invalid") }
    if !names.contains(where: { $0.address?.octets.count == 4 }) {
        constraints.append("excluded;IP:0.0.0.0/0.0.0.0")
    }
    if !names.contains(where: { $0.address?.octets.count == 16 }) { constraints.append("excluded;IP:::/::") }
    return constraints.joined(separator: ",")
}

private func setNumber(_ certificate: OpaquePointer) -> Bool {
    var octets = [UInt8](repeating: 0, count: 16)
    guard unsafe RAND_bytes(&octets, CInt(octets.count)) == 1 else { return false }
    let number = unsafe BN_bin2bn(octets, CInt(octets.count), nil)
    defer { unsafe BN_free(number) }
    return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
}

/// libcrypto's reason for its last failure.
func libcryptoReason() -> String {
    unsafe ERR_reason_error_string(ERR_peek_last_error()).map { unsafe String(cString: $0) } ?? "no reason"
}
