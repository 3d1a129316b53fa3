// SPDX-License-Identifier: Apache-2.0
// Reads files that decide about access. Kind, owner, mode and size are checked on the open file, before
// anything of it is read.
package import CPlatform

/// A file or folder that is open, and closed when the value ends.
public struct Descriptor: ~Copyable {
    package let number: CInt

    package init(_ number: CInt) { self.number = number }

    deinit { if number >= 0 { _ = close(number) } }
}

/// A regular file, open for reading.
public struct TrustedFile: ~Copyable {
    /// Why a file is not read.
    package enum Fault: Error, Equatable, Sendable {
        case missing
        /// It is a link, a folder, a pipe or a device.
        case notAFile
        /// It belongs to a user other than the permitted ones.
        case foreignOwner
        /// It has mode bits that it must not have.
        case tooOpen
        case tooLong
        /// It became shorter or longer while it was read.
        case changed
        /// The system's error number.
        case system(CInt)
    }
    package let descriptor: Descriptor
    /// The result of fstat(2).
    package let status: stat

    /// Opens a file.
    /// - Parameters:
    ///   - path: relative to the open folder, if there is one.
    ///   - followsLink: whether the path may be that of a link.
    ///   - owner: who may own the file besides root; nil: everybody.
    ///   - forbidden: the mode bits that it must not have.
    package init(
        _ path: [UInt8], in folder: CInt = AT_FDCWD, followsLink: Bool = false, owner: uid_t?,
        forbidden: mode_t = 0
    ) throws(Fault) {
        // Without O_NONBLOCK a named pipe in place of the file would block the program for ever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        descriptor = Descriptor(unsafe withCString(path) { unsafe mpin_openat(folder, $0, flags, 0) })
        var status = stat()
        let isOpen = unsafe descriptor.number >= 0 && fstat(descriptor.number, &status) == 0
        self.status = status
        guard isOpen else {
            switch mpin_errno() {
            case ENOENT: throw .missing
            case ELOOP, ENXIO: throw .notAFile
            default: throw .system(mpin_errno())
            }
        }
        guard status.isFile else { throw .notAFile }
        if let owner, !status.isOwned(by: owner) { throw .foreignOwner }
        guard status.st_mode & forbidden == 0 else { throw .tooOpen }
    }

    /// The whole file. Throws `tooLong` if it has more than `most` octets.
    package borrowing func contents(atMost most: Int) throws(Fault) -> [UInt8] {
        guard status.st_size <= most else { throw .tooLong }
        var octets = [UInt8](repeating: 0, count: Int(status.st_size))
        let fault = unsafe octets.withUnsafeMutableBytes {
            unsafe read(into: $0.baseAddress, count: $0.count)
        }
        if let fault { throw fault }
        return octets
    }

    /// Reads the whole file into memory for as many octets as it has. Returns what went wrong.
    package borrowing func read(into base: UnsafeMutableRawPointer?, count: Int) -> Fault? {
        var done = 0
        while done < count {
            let got = unsafe CPlatform.read(descriptor.number, base?.advanced(by: done), count - done)
            if got > 0 {
                done += got
            } else if got == 0 {
                return .changed
            } else if mpin_errno() != EINTR {
                return .system(mpin_errno())
            }
        }
        var more: UInt8 = 0
        return unsafe CPlatform.read(descriptor.number, &more, 1) == 0 ? nil : .changed
    }
}

extension stat {
    package var isFile: Bool { st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) }
    package var isFolder: Bool { st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) }

    /// Whether root or this user owns it.
    package func isOwned(by user: uid_t) -> Bool { st_uid == 0 || st_uid == user }
}

/// The result of one read of a file that nobody need trust, such as one of /proc; empty if it cannot be read.
package func beginning(ofFile path: [UInt8], atMost most: Int) -> [UInt8] {
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = Descriptor(unsafe withCString(path) { unsafe mpin_open($0, flags, 0) })
    var octets = [UInt8](repeating: 0, count: most)
    let count = unsafe octets.withUnsafeMutableBytes {
        unsafe read(file.number, $0.baseAddress, $0.count)
    }
    return [UInt8](octets.prefix(max(count, 0)))
}
