// SPDX-License-Identifier: Apache-2.0
// Open files and folders, checked before anything is read: their owner must be root or the caller.
package import CPlatform
package import MPinProof
import MPinWire
package import Octets
import Secrets

extension Descriptor {
    /// Takes over the descriptor that a system call returned.
    init(checking result: CInt) throws(StoreError.Fault) {
        guard result >= 0 else {
            switch mpin_errno() {
            case ENOENT: throw .missing
            case ELOOP, ENOTDIR, ENXIO: throw .wrongType
            default: throw .system(errno: mpin_errno())
            }
        }
        self.init(result)
    }
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
            checking: unsafe withCString([0x2f]) {
                unsafe mpin_open($0, pathOnly | O_DIRECTORY | O_CLOEXEC, 0)
            })
        for step in steps { folder = try folder.folder(step) }
        return folder
    }

    /// A folder in this folder, checked by the same rule. A private one must be closed to group and others.
    package func folder(_ name: [UInt8], isPrivate: Bool = false) throws(StoreError.Fault) -> Descriptor {
        let flags = (isPrivate ? O_RDONLY : pathOnly) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let folder = try Descriptor(
            checking: unsafe withCString(name) { unsafe mpin_openat(number, $0, flags, 0) })
        var info = stat()
        guard unsafe fstat(folder.number, &info) == 0 else { throw .system(errno: mpin_errno()) }
        guard info.isOwned(by: geteuid()) else { throw .foreignOwner }
        guard info.isFolder else { throw .wrongType }
        let isSticky = info.st_mode & 0o1000 != 0 && info.st_uid == 0
        let forbidden: mode_t = isPrivate ? 0o077 : isSticky ? 0 : 0o022
        guard info.st_mode & forbidden == 0 else { throw .tooOpen }
        return folder
    }

    /// A regular file in this folder, to be read; `forbidden` are the mode bits that it must not have.
    package func file(_ name: [UInt8], forbidden: mode_t) throws(StoreError.Fault) -> TrustedFile {
        do throws(TrustedFile.Fault) {
            return try TrustedFile(name, in: number, owner: geteuid(), forbidden: forbidden)
        } catch { throw StoreError.Fault(error) }
    }

    /// A whole file of this folder that must be closed to others, read directly into the memory of a secret;
    /// nil if it is missing.
    func secret(_ name: [UInt8]) throws(StoreError.Fault) -> Secret? {
        do throws(StoreError.Fault) { return try file(name, forbidden: 0o077).secret() } catch {
            if error == .missing { return nil }
            throw error
        }
    }

    /// A folder in this folder that must be closed to others; nil if it is missing.
    func privateFolder(_ name: [UInt8]) throws(StoreError.Fault) -> Descriptor? {
        do throws(StoreError.Fault) { return try folder(name, isPrivate: true) } catch {
            if error == .missing { return nil }
            throw error
        }
    }
}

extension TrustedFile {
    /// The whole file.
    fileprivate borrowing func secret() throws(StoreError.Fault) -> Secret {
        guard status.st_size <= Grammar.limit else { throw .tooLong }
        var octets: Secret
        do { octets = try Secret(count: Int(status.st_size)) } catch { throw .outOfMemory }
        let fault = unsafe octets.withMutablePointer { base, count in unsafe read(into: base, count: count) }
        if let fault { throw StoreError.Fault(fault) }
        return octets
    }

    /// The whole file, for contents that are not secret.
    package borrowing func text() throws(StoreError.Fault) -> [UInt8] {
        do throws(Fault) { return try contents(atMost: Grammar.limit) } catch {
            throw StoreError.Fault(error)
        }
    }
}

extension StoreError.Fault {
    fileprivate init(_ fault: TrustedFile.Fault) {
        switch fault {
        case .missing: self = .missing
        case .notAFile, .system(ENOTDIR): self = .wrongType
        case .foreignOwner: self = .foreignOwner
        case .tooOpen: self = .tooOpen
        case .tooLong: self = .tooLong
        case .changed: self = .system(errno: EIO)
        case .system(let number): self = .system(errno: number)
        }
    }
}

/// Reads mpin.conf, which only root (or the caller) may be able to change, as well as the folders above it.
func readSettingsFile(_ path: [UInt8]) throws(StoreError) -> [UInt8] {
    let name = [UInt8](path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
    do throws(StoreError.Fault) {
        guard !name.isEmpty else { throw StoreError.Fault.badPath }
        let folder = try Descriptor.folder([UInt8](path.dropLast(name.count)))
        return try folder.file(name, forbidden: 0o022).text()
    } catch {
        throw StoreError(file: path, fault: error)
    }
}
