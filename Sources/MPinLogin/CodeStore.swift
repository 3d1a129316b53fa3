// SPDX-License-Identifier: Apache-2.0
// Backup codes in the store: made and removed by `mpin`, and struck out, one by one, by a login.
import MPin
import MPinWire

extension FileStore {
    /// The account's codes; nil if it has none. Those of another uid, name or host are an error.
    borrowing func codes(at place: CodePlace) throws(StoreError) -> BackupCodes? {
        do throws(StoreError.Fault) {
            return try codesFolder()?.codeFile(at: place)?.text.codes
        } catch { throw StoreError(file: path(ofCodes: place.uid), fault: error) }
    }

    /// How many codes a uid has left, whoever has it now; nil if no set was made.
    package borrowing func codesLeft(uid: UInt32) throws(StoreError) -> Int? {
        do throws(StoreError.Fault) { return try codesFolder()?.codeFile(uid: uid)?.text.codes.left } catch {
            throw StoreError(file: path(ofCodes: uid), fault: error)
        }
    }

    /// Gives the account these codes in place of all that it had.
    package borrowing func replaceCodes(
        of account: Account, host: [UInt8], made: [UInt8], by codes: BackupCodes
    ) throws(StoreError) {
        try locked(path(ofCodes: account.uid)) { () throws(StoreError.Fault) in
            let folder = try root.making(FileStore.codesName, mode: 0o700)
            // An old copy would bring used codes back; files made in the folder take this over.
            folder.leaveOutOfBackups()
            try root.readable().flush()
            var draft = try Draft()
            try draft.append([
                Entry(key: ascii("mpin-codes"), value: ascii("1")),
                Entry(key: ascii("uid"), value: decimal(account.uid)),
                Entry(key: ascii("name"), value: account.name), Entry(key: ascii("host"), value: host),
                Entry(key: ascii("made"), value: made),
                Entry(key: ascii("rule"), value: PINRule.scrypt(codes.cost, salt: codes.salt).text),
            ])
            try draft.append(codes.hashes.map { Entry(key: ascii("code"), value: hex($0)) })
            // What this program could not read again it must not write.
            let new = try CodeFile(try draft.text())
            guard new.text.name == account.name, new.text.host == host else { throw .key(badName) }
            try draft.replace(decimal(account.uid), in: folder)
        }
    }

    /// Ends all codes of a uid; false if it had none.
    @discardableResult
    package borrowing func removeCodes(uid: UInt32) throws(StoreError) -> Bool {
        var had = false
        try locked(path(ofCodes: uid)) { () throws(StoreError.Fault) in
            guard let folder = try codesFolder() else { return }
            had = try folder.remove(decimal(uid))
        }
        return had
    }

    /// Strikes a code out, on disk, and says how many are left; nil if it is not there any more. Of two
    /// logins with one code the second one waits here, and finds it gone.
    borrowing func strike(
        _ hash: [UInt8], at place: CodePlace, by deadline: Deadline
    ) throws(StoreError) -> Int? {
        var left: Int?
        try locked(path(ofCodes: place.uid), by: deadline) { () throws(StoreError.Fault) in
            guard let folder = try codesFolder(), var file = try folder.codeFile(at: place),
                file.strike(hash)
            else { return }
            try file.replace(in: folder)
            left = file.text.codes.left
        }
        return left
    }

    private static var codesName: [UInt8] { ascii("codes") }

    private borrowing func path(ofCodes uid: UInt32) -> [UInt8] { path + ascii("/codes/") + decimal(uid) }

    /// nil: nobody on this host ever had codes.
    private borrowing func codesFolder() throws(StoreError.Fault) -> Descriptor? {
        do throws(StoreError.Fault) { return try root.folder(FileStore.codesName, isPrivate: true) } catch {
            if error == .missing { return nil }
            throw error
        }
    }
}

extension Descriptor {
    fileprivate func codeFile(uid: UInt32) throws(StoreError.Fault) -> CodeFile? {
        let file: CodeFile
        do throws(StoreError.Fault) {
            file = try CodeFile(try self.file(decimal(uid), forbidden: 0o077).contents())
        } catch {
            if error == .missing { return nil }
            throw error
        }
        guard file.text.uid == uid else { throw .otherUID }
        return file
    }

    fileprivate func codeFile(at place: CodePlace) throws(StoreError.Fault) -> CodeFile? {
        guard let file = try codeFile(uid: place.uid) else { return nil }
        guard file.text.name == place.name else { throw .otherName }
        guard file.text.host == place.host else { throw .otherHost }
        return file
    }
}
