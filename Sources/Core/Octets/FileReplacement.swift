// SPDX-License-Identifier: Apache-2.0
// Atomic replacement of a file: whatever happens, the folder holds the old file or the new one, never a part.
package import CPlatform

/// Writes a draft beside a file and then moves it into the file's place. If the process is killed at any
/// moment, the old file or the new one is there. The next run deletes a draft that a killed run left.
package struct FileReplacement {
    /// The name of the file, and its name while it is written.
    private let name: [UInt8]
    private let draft: [UInt8]
    /// The open folder of both names.
    private let folder: CInt
    private let mode: mode_t
    private let owner: (user: uid_t, group: gid_t)?

    /// - Parameters:
    ///   - draft: the name while it is written; by default `.new.` and the name.
    ///   - folder: an open folder, which stays open.
    ///   - mode: the permissions of the new file.
    ///   - owner: the owner of the new file; by default the user of this process.
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

    /// Writes the octets, flushes them to the disk, and moves the file into its place.
    /// - Parameters:
    ///   - onlyIfFree: if a file of this name exists, it stays, and the error is EEXIST.
    ///   - allows: called when everything is written, before the file is moved; false gives ECANCELED.
    /// - Returns: 0, or the system's error number.
    package func write(_ octets: RawSpan, onlyIfFree: Bool = false, allows: () -> Bool = { true }) -> CInt {
        unsafe withCString(draft) { draft in
            unsafe withCString(name) { name in
                unsafe unlinkat(folder, draft, 0)
                var code = unsafe make(draft, octets)
                if code == 0, !allows() { code = ECANCELED }
                if code == 0 { code = unsafe place(draft, name, onlyIfFree: onlyIfFree) }
                // After success there is no draft any more: a file of that name would be another writer's.
                if code != 0 { unsafe unlinkat(folder, draft, 0) }
                return code
            }
        }
    }

    /// Makes the draft and flushes it to the disk. Returns 0, or the system's error number.
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
        // A link, unlike a rename, never replaces an existing file.
        let moved =
            onlyIfFree
            ? unsafe linkat(folder, draft, folder, name, 0) : unsafe renameat(folder, draft, folder, name)
        guard moved == 0 else { return mpin_errno() }
        // After a link the file has two names. Remove the draft before the folder is flushed.
        if onlyIfFree { unsafe unlinkat(folder, draft, 0) }
        return fsync(folder) == 0 ? 0 : mpin_errno()
    }
}

/// Runs `body` with SIGXFSZ blocked and discards a pending one. The kernel sends that signal when a write
/// exceeds the file size limit, and it would end the whole login program; the error of the write is enough.
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

/// Returns 0 when everything is written, otherwise the system's error number.
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
