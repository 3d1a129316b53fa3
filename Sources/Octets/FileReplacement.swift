// SPDX-License-Identifier: Apache-2.0
// A file that takes its place as a whole: whatever happens, the old text stands there or the new one.
package import CPlatform

/// A new file beside its place, then in its place. Killed at any moment, the old file is there or the new
/// one; what a killed run left beside the place is taken away by the next one.
package struct FileReplacement {
    /// What the file shall be called, and what it is called while it is written: names in the folder.
    private let name: [UInt8]
    private let draft: [UInt8]
    /// The open folder of both.
    private let folder: CInt
    private let mode: mode_t
    private let owner: (user: uid_t, group: gid_t)?

    /// - Parameters:
    ///   - draft: the name while it is written; `.new.` and the name unless told.
    ///   - folder: an open folder, which stays open.
    ///   - mode: the permissions of the new file.
    ///   - owner: who shall have the new file; its maker unless told.
    package init(
        _ name: [UInt8], draft: [UInt8]? = nil, in folder: CInt, mode: mode_t = 0o600,
        owner: (user: uid_t, group: gid_t)? = nil
    ) {
        self.name = name
        self.draft = draft ?? ascii(".new.") + name
        self.folder = folder
        self.mode = mode
        self.owner = owner
    }

    /// Writes the octets, has them on the disk, and puts them in their place.
    /// - Parameters:
    ///   - onlyIfFree: a file that is there already keeps its place, and the error is EEXIST.
    ///   - allows: asked when all is written and before the place is taken; false gives ECANCELED.
    /// - Returns: 0, or the system's error number.
    package func write(_ octets: RawSpan, onlyIfFree: Bool = false, allows: () -> Bool = { true }) -> CInt {
        unsafe withCString(draft) { draft in
            unsafe withCString(name) { name in
                unsafe unlinkat(folder, draft, 0)
                var code = unsafe make(draft, octets)
                if code == 0, !allows() { code = ECANCELED }
                if code == 0 { code = unsafe place(draft, name, onlyIfFree: onlyIfFree) }
                // What is in its place leaves no draft: one of this name would be another writer's.
                if code != 0 { unsafe unlinkat(folder, draft, 0) }
                return code
            }
        }
    }

    /// Makes a file that is on the disk when this is done.
    private func make(_ draft: UnsafePointer<CChar>, _ octets: RawSpan) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe mpin_openat(folder, draft, flags, 0o600)
        guard file >= 0 else { return mpin_errno() }
        defer { close(file) }
        let code = unsafe octets.withUnsafeBytes { octets in
            holdingFileSizeSignal { unsafe writeAll(file, octets) }
        }
        guard code == 0 else { return code }
        if let owner, fchown(file, owner.user, owner.group) != 0 { return mpin_errno() }
        return fchmod(file, mode) == 0 && fsync(file) == 0 ? 0 : mpin_errno()
    }

    private func place(_ draft: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, onlyIfFree: Bool) -> CInt
    {
        // A link, unlike a rename, never takes the place of a file that is there.
        let moved =
            onlyIfFree
            ? unsafe linkat(folder, draft, folder, name, 0) : unsafe renameat(folder, draft, folder, name)
        guard moved == 0 else { return mpin_errno() }
        // A link leaves a second name of the file, whose end has to be on the disk as well.
        if onlyIfFree { unsafe unlinkat(folder, draft, 0) }
        return fsync(folder) == 0 ? 0 : mpin_errno()
    }
}

/// A file that may not grow brings SIGXFSZ, which would end a whole login program; the error of the write is
/// enough.
private func holdingFileSizeSignal(_ body: () -> CInt) -> CInt {
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

/// 0 when all is written, else the system's error number.
private func writeAll(_ file: CInt, _ octets: UnsafeRawBufferPointer) -> CInt {
    var done = 0
    while done < octets.count {
        let put = unsafe write(file, octets.baseAddress?.advanced(by: done), octets.count - done)
        if put > 0 {
            done += put
        } else if put == 0 {
            return EIO
        } else if mpin_errno() != EINTR {
            return mpin_errno()
        }
    }
    return 0
}
