// SPDX-License-Identifier: Apache-2.0
// Folders and files of the store: making, listing, flushing and removing them.
package import CPlatform
package import MPinProof
import MPinWire
package import Octets

extension Descriptor {
    /// A folder in this folder, made if it is missing.
    package func making(_ name: [UInt8], mode: mode_t) throws(StoreError.Fault) -> Descriptor {
        let made = unsafe withCString(name) { unsafe mkdirat(number, $0, mode) }
        guard made == 0 || mpin_errno() == EEXIST else { throw .system(errno: mpin_errno()) }
        return try folder(name, isPrivate: mode & 0o077 == 0)
    }

    /// A file in this folder that only its owner may read, made if it is missing.
    func creating(_ name: [UInt8], _ flags: CInt) throws(StoreError.Fault) -> Descriptor {
        let flags = flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        return try Descriptor(
            checking: unsafe withCString(name) { unsafe mpin_openat(number, $0, flags, 0o600) })
    }

    /// The same folder, opened for reading, so that it can be flushed.
    func readable() throws(StoreError.Fault) -> Descriptor {
        try Descriptor(
            checking: unsafe withCString(ascii(".")) {
                unsafe mpin_openat(number, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
            })
    }

    /// Removes a file of this folder; false if it was not there.
    @discardableResult
    func remove(_ name: [UInt8]) throws(StoreError.Fault) -> Bool {
        let removed = unsafe withCString(name) { unsafe unlinkat(number, $0, 0) }
        guard removed == 0 || mpin_errno() == ENOENT else { throw .system(errno: mpin_errno()) }
        try flush()
        return removed == 0
    }

    /// Whether there is a regular file of that name. Throws if its owner is not ours or it is open to others.
    func holds(_ name: [UInt8]) throws(StoreError.Fault) -> Bool {
        do throws(StoreError.Fault) { _ = try file(name, forbidden: 0o077) } catch {
            if error == .missing { return false }
            throw error
        }
        return true
    }

    /// The names in this folder, without `.` and `..`.
    func names() throws(StoreError.Fault) -> [[UInt8]] {
        let copy = unsafe withCString(ascii(".")) {
            unsafe mpin_openat(number, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard copy >= 0, let folder = unsafe fdopendir(copy) else {
            let code = mpin_errno()
            if copy >= 0 { _ = close(copy) }
            throw .system(errno: code)
        }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(folder) {
            var name = unsafe entry.pointee.d_name
            let text = unsafe withUnsafePointer(to: &name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe octets(ofCString: $0) }
            }
            if !text.spells("."), !text.spells("..") { names.append(text) }
        }
        _ = unsafe closedir(folder)
        return names
    }

    /// Sets the no-dump attribute, which asks backup programs to leave it out. Not every file system has it.
    func leaveOutOfBackups() { _ = mpin_leave_out(number) }

    /// Returns when the contents are on disk.
    func flush() throws(StoreError.Fault) {
        guard fsync(number) == 0 else { throw .system(errno: mpin_errno()) }
    }
}
