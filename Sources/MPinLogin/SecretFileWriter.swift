// SPDX-License-Identifier: Apache-2.0
// A file of the store while it is being written: on the pages of a secret, for it may hold tokens and keys.
import CPlatform
import MPinProof
import MPinWire
import Secrets

struct SecretFileWriter: ~Copyable {
    private var page: Secret
    private(set) var count = 0

    init() throws(StoreError.Fault) {
        do { page = try Secret(count: Grammar.limit) } catch { throw .outOfMemory }
    }

    mutating func append(_ octets: [UInt8]) throws(StoreError.Fault) {
        guard octets.count <= page.count - count else { throw .tooLong }
        let start = count
        page.withMutableBytes { page in
            for (index, octet) in octets.enumerated() {
                page.storeBytes(of: octet, toByteOffset: start + index, as: UInt8.self)
            }
        }
        count += octets.count
    }

    /// Appends a part of another secret.
    mutating func append(_ secret: borrowing Secret, _ place: Range<Int>) throws(StoreError.Fault) {
        let start = count
        guard place.count <= page.count - count, place.lowerBound >= 0, place.upperBound <= secret.count
        else {
            throw .tooLong
        }
        page.withMutableBytes { page in
            secret.withBytes { octets in
                for index in 0..<place.count {
                    let octet = unsafe octets.unsafeLoad(
                        fromByteOffset: place.lowerBound + index, as: UInt8.self)
                    page.storeBytes(of: octet, toByteOffset: start + index, as: UInt8.self)
                }
            }
        }
        count += place.count
    }

    /// Appends the hexadecimal digits of a secret, in lower case.
    mutating func append(hexOf octets: RawSpan) throws(StoreError.Fault) {
        let start = count
        guard octets.byteCount * 2 <= page.count - count else { throw .tooLong }
        page.withMutableBytes { page in
            for index in 0..<octets.byteCount {
                let octet = unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                page.storeBytes(of: digit(octet >> 4), toByteOffset: start + index * 2, as: UInt8.self)
                page.storeBytes(of: digit(octet & 15), toByteOffset: start + index * 2 + 1, as: UInt8.self)
            }
        }
        count += octets.byteCount * 2
    }

    mutating func append(_ entries: [Entry]) throws(StoreError.Fault) {
        for entry in entries {
            // A line break would begin a line of its own.
            guard !entry.value.contains(0x0a) else { throw .key(entry.badValue) }
            try append(entry.key)
            try append(ascii(" = "))
            try append(entry.value)
            try append([0x0a])
        }
    }

    /// What has been written so far, as a file would be read.
    borrowing func text() throws(StoreError.Fault) -> Secret {
        let count = count
        do {
            return try page.withBytes { page throws(OutOfMemory) in
                try Secret(copying: page.extracting(0..<count))
            }
        } catch { throw .outOfMemory }
    }

    /// Puts the draft in the place of `name`.
    borrowing func replace(_ name: [UInt8], in folder: borrowing Descriptor) throws(StoreError.Fault) {
        try folder.replace(name, by: page, count: count)
    }
}

private func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

extension Descriptor {
    /// Puts the first octets of a secret in the place of `name`: a new file, fsync, rename, fsync of the
    /// folder. Killed at any moment, the old file is there or the new one.
    func replace(
        _ name: [UInt8], by page: borrowing Secret, count: Int
    ) throws(StoreError.Fault) {
        let code = unsafe withCString(ascii(".new.") + name) { temporary in
            unsafe withCString(name) { name in
                unsafe unlinkat(number, temporary, 0)
                let code = unsafe write(temporary, page, count)
                if code == 0, unsafe renameat(number, temporary, number, name) == 0 {
                    return fsync(number) == 0 ? 0 : mpin_errno()
                }
                let failure = code == 0 ? mpin_errno() : code
                unsafe unlinkat(number, temporary, 0)
                return failure
            }
        }
        guard code == 0 else { throw .system(errno: code) }
    }

    /// Makes a file that is on disk when this is done: 0, or errno.
    private func write(_ name: UnsafePointer<CChar>, _ page: borrowing Secret, _ count: Int) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe mpin_openat(number, name, flags, 0o600)
        guard file >= 0 else { return mpin_errno() }
        defer { close(file) }
        let code = holdingFileSizeSignal {
            unsafe page.withPointer { base, _ in unsafe writeAll(file, base, count) }
        }
        guard code == 0, fchmod(file, 0o600) == 0, fsync(file) == 0 else {
            return code == 0 ? mpin_errno() : code
        }
        return 0
    }
}

/// A file that may not grow brings SIGXFSZ, which would end a whole login program; the error of the write is
/// enough.
private func holdingFileSizeSignal<R>(_ body: () -> R) -> R {
    var only = sigset_t()
    unsafe sigemptyset(&only)
    unsafe sigaddset(&only, SIGXFSZ)
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &only, &before)
    let result = body()
    var none = timespec()
    _ = unsafe sigtimedwait(&only, nil, &none)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
}

/// 0 when all is written, else errno.
private func writeAll(_ file: CInt, _ base: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var done = 0
    while done < count {
        let put = unsafe CPlatform.write(file, base.advanced(by: done), count - done)
        if put >= 0 { done += put } else if mpin_errno() != EINTR { return mpin_errno() }
    }
    return 0
}
