// SPDX-License-Identifier: Apache-2.0
// Backup codes in the store: `mpin` makes and removes them, and a login strikes one out. Each unused code has
// an empty file, and to use the code up is to remove that file. The removal succeeds for only one of several
// logins, so they need no lock, which a stopped login would keep.
import CPlatform
import MPin
package import MPinProof
import MPinWire
import Octets

extension FileStore {
    /// The account's unused codes; nil if no set was made. A set of another uid, name or host is an error.
    package borrowing func codes(at place: BackupCodePlace) throws(StoreError) -> BackupCodes? {
        do throws(StoreError.Fault) {
            guard let folder = try codesFolder(), let file = try folder.codeFile(at: place) else {
                return nil
            }
            return try folder.unused(file)
        } catch { throw StoreError(file: path(ofCodes: place.uid), fault: error) }
    }

    /// How many codes a uid has left, whichever account has it now; nil if no set was made.
    package borrowing func codesLeft(uid: UInt32) throws(StoreError) -> Int? {
        do throws(StoreError.Fault) {
            guard let folder = try codesFolder(), let file = try folder.codeFile(uid: uid) else { return nil }
            return try folder.unused(file).left
        } catch { throw StoreError(file: path(ofCodes: uid), fault: error) }
    }

    /// Replaces all codes of the account by these. The old ones end first; the new ones are good after the
    /// last step.
    /// - Parameter made: the time, as the file shows it.
    package borrowing func replaceCodes(
        of account: Account, host: [UInt8], made: [UInt8], by codes: BackupCodes
    ) throws(StoreError) {
        try locked(path(ofCodes: account.uid)) { () throws(StoreError.Fault) in
            let folder = try root.making(FileStore.codesName, mode: 0o700)
            // An old copy would bring used codes back. Files made in the folder inherit the attribute.
            folder.leaveOutOfBackups()
            try root.readable().flush()
            var writer = try SecretFileWriter()
            try writer.append([
                Entry(key: ascii("mpin-codes"), value: ascii("1")),
                Entry(key: ascii("uid"), value: decimal(account.uid)),
                Entry(key: ascii("name"), value: account.name), Entry(key: ascii("host"), value: host),
                Entry(key: ascii("made"), value: made),
                Entry(key: ascii("rule"), value: PINRule.scrypt(codes.cost, salt: codes.salt).text),
            ])
            try writer.append(codes.hashes.map { Entry(key: ascii("code"), value: hex($0)) })
            // Never write a file that this program could not read back.
            let new = try CodeFile(try writer.text())
            guard new.name == account.name, new.host == host else { throw .key(badName) }
            try folder.removeUnused(of: account.uid)
            try folder.makeUnused(codes.hashes, of: account.uid)
            try writer.replace(decimal(account.uid), in: folder)
        }
    }

    /// Removes all codes of a uid; false if it had no set.
    @discardableResult
    package borrowing func removeCodes(uid: UInt32) throws(StoreError) -> Bool {
        var had = false
        try locked(path(ofCodes: uid)) { () throws(StoreError.Fault) in
            guard let folder = try codesFolder() else { return }
            try folder.removeUnused(of: uid)
            had = try folder.remove(decimal(uid))
            _ = try folder.remove(standingName(uid))
        }
        return had
    }

    /// Strikes a code out on disk and returns how many are left; nil if the code is no longer there. Of two
    /// logins with the same code, only one removes its file.
    borrowing func strike(_ hash: [UInt8], at place: BackupCodePlace) throws(StoreError) -> Int? {
        do throws(StoreError.Fault) {
            guard let folder = try codesFolder(), let file = try folder.codeFile(at: place),
                file.codes.hashes.contains(hash), let unused = try folder.unusedFolder(of: place.uid),
                try unused.remove(hex(hash))
            else { return nil }
            return try folder.unused(file).left
        } catch { throw StoreError(file: path(ofCodes: place.uid), fault: error) }
    }

    private static var codesName: [UInt8] { ascii("codes") }

    private borrowing func path(ofCodes uid: UInt32) -> [UInt8] { path + ascii("/codes/") + decimal(uid) }

    /// nil: no account on this host ever had codes.
    borrowing func codesFolder() throws(StoreError.Fault) -> Descriptor? {
        try root.privateFolder(FileStore.codesName)
    }
}

/// The name of the folder that holds an empty file for each unused code, named by the code's hash.
private func unusedName(_ uid: UInt32) -> [UInt8] { decimal(uid) + ascii(".unused") }

extension Descriptor {
    fileprivate func codeFile(uid: UInt32) throws(StoreError.Fault) -> CodeFile? {
        guard let octets = try secret(decimal(uid)) else { return nil }
        let file = try CodeFile(octets)
        guard file.uid == uid else { throw .otherUID }
        return file
    }

    fileprivate func codeFile(at place: BackupCodePlace) throws(StoreError.Fault) -> CodeFile? {
        guard let file = try codeFile(uid: place.uid) else { return nil }
        guard file.name == place.name else { throw .otherName }
        guard file.host == place.host else { throw .otherHost }
        return file
    }

    /// The folder of unused codes; nil: the uid has none.
    fileprivate func unusedFolder(of uid: UInt32) throws(StoreError.Fault) -> Descriptor? {
        try privateFolder(unusedName(uid))
    }

    /// The codes of a set that have not been used.
    fileprivate func unused(_ file: CodeFile) throws(StoreError.Fault) -> BackupCodes {
        guard let folder = try unusedFolder(of: file.uid) else { return file.codes.only { _ in false } }
        var unused: [[UInt8]] = []
        for hash in file.codes.hashes where try folder.holds(hex(hash)) { unused.append(hash) }
        return file.codes.only { unused.contains($0) }
    }

    fileprivate func makeUnused(_ hashes: [[UInt8]], of uid: UInt32) throws(StoreError.Fault) {
        let folder = try making(unusedName(uid), mode: 0o700)
        for hash in hashes {
            _ = try folder.creating(hex(hash), O_WRONLY | O_EXCL)
        }
        try folder.flush()
    }

    /// Removes the files of all unused codes of a uid, whatever codes/UID holds.
    fileprivate func removeUnused(of uid: UInt32) throws(StoreError.Fault) {
        guard let folder = try unusedFolder(of: uid) else { return }
        for name in try folder.names() { _ = try folder.remove(name) }
        let code = unsafe withCString(unusedName(uid)) { unsafe unlinkat(number, $0, AT_REMOVEDIR) }
        guard code == 0 else { throw .system(errno: mpin_errno()) }
        try flush()
    }
}
