// SPDX-License-Identifier: Apache-2.0
// Open files and folders, checked before anything is read: their owner must be root or the caller.
package import CPlatform
package import MPinProof
import MPinWire
import Octets
import Secrets

/// An open file or folder, closed when the value ends.
public struct Descriptor: ~Copyable {
    let number: CInt

    /// Takes over the descriptor that a system call returned; `missing` is the fault to throw for ENOENT.
    init(_ result: CInt, missing: StoreError.Fault = .missing) throws(StoreError.Fault) {
        guard result >= 0 else {
            switch mpin_errno() {
            case ENOENT: throw missing
            case ELOOP, ENOTDIR, ENXIO: throw .wrongType
            default: throw .system(errno: mpin_errno())
            }
        }
        number = result
    }

    deinit { _ = close(number) }
}

/// O_PATH of Linux, which only _GNU_SOURCE declares: opens a folder to pass through it, not to read it.
private let pathOnly: CInt = 0o10_000_000

extension Descriptor {
    /// Opens a folder by its absolute path, step by step and without following links. Only root and the
    /// caller may be able to change the folders above it; a folder where others may make files, as /tmp, must
    /// be sticky and root's, so that they cannot move ours.
    package static func folder(_ path: [UInt8]) throws(StoreError.Fault) -> Descriptor {
        let steps = path.split(separator: UInt8(ascii: "/")).map { [UInt8]($0) }
        let goesUp = steps.contains { $0.spells(".") || $0.spells("..") }
        guard isAbsolutePath(path), !goesUp else { throw .badPath }
        var folder = try Descriptor(
            unsafe withCString([0x2f]) { unsafe mpin_open($0, pathOnly | O_DIRECTORY | O_CLOEXEC, 0) })
        for step in steps { folder = try folder.folder(step) }
        return folder
    }

    /// A folder in this folder, checked by the same rule. A private one must be closed to group and others.
    package func folder(_ name: [UInt8], isPrivate: Bool = false) throws(StoreError.Fault) -> Descriptor {
        let flags = (isPrivate ? O_RDONLY : pathOnly) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let folder = try Descriptor(unsafe withCString(name) { unsafe mpin_openat(number, $0, flags, 0) })
        let info = try folder.info()
        guard info.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) else { throw .wrongType }
        let isSticky = info.st_mode & 0o1000 != 0 && info.st_uid == 0
        let forbidden: mode_t = isPrivate ? 0o077 : isSticky ? 0 : 0o022
        guard info.st_mode & forbidden == 0 else { throw .tooOpen }
        return folder
    }

    /// A regular file in this folder, to be read; `forbidden` are the mode bits that it must not have.
    package func file(_ name: [UInt8], forbidden: mode_t, missing: StoreError.Fault = .missing)
        throws(StoreError.Fault) -> Descriptor
    {
        // Without O_NONBLOCK a named pipe in place of the file would block the login without end.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let file = try Descriptor(
            unsafe withCString(name) { unsafe mpin_openat(number, $0, flags, 0) }, missing: missing)
        let info = try file.info()
        guard info.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { throw .wrongType }
        guard info.st_mode & forbidden == 0 else { throw .tooOpen }
        return file
    }

    /// The result of fstat(2); throws `foreignOwner` unless the owner is root or the caller.
    func info() throws(StoreError.Fault) -> stat {
        var info = stat()
        guard unsafe fstat(number, &info) == 0 else { throw .system(errno: mpin_errno()) }
        guard info.st_uid == 0 || info.st_uid == geteuid() else { throw .foreignOwner }
        return info
    }

    /// The whole file, read directly into the memory of a secret.
    func contents() throws(StoreError.Fault) -> Secret {
        let size = try info().st_size
        guard size <= Grammar.limit else { throw .tooLong }
        var octets: Secret
        do { octets = try Secret(count: Int(size)) } catch { throw .outOfMemory }
        let fault = unsafe octets.withMutablePointer { base, count in
            unsafe readAll(number, into: base, count: count)
        }
        if let fault { throw fault }
        return octets
    }
}

extension Descriptor {
    /// The whole file, for contents that are not secret.
    package func publicContents() throws(StoreError.Fault) -> [UInt8] {
        let contents = try contents()
        return contents.withBytes { octets in
            (0..<octets.byteCount).map { unsafe octets.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }
}

private func readAll(
    _ file: CInt, into base: UnsafeMutablePointer<UInt8>, count: Int
) -> StoreError.Fault? {
    var done = 0
    while done < count {
        let got = unsafe read(file, base.advanced(by: done), count - done)
        if got > 0 {
            done += got
        } else if got == 0 {
            return .system(errno: EIO)
        } else if mpin_errno() != EINTR {
            return .system(errno: mpin_errno())
        }
    }
    return nil
}

/// Reads mpin.conf, which only root (or the caller) may be able to change, as well as the folders above it.
func readSettingsFile(_ path: [UInt8]) throws(StoreError) -> [UInt8] {
    let name = [UInt8](path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
    do throws(StoreError.Fault) {
        guard !name.isEmpty else { throw StoreError.Fault.badPath }
        let folder = try Descriptor.folder([UInt8](path.dropLast(name.count)))
        return try folder.file(name, forbidden: 0o022).publicContents()
    } catch {
        throw StoreError(file: path, fault: error)
    }
}
