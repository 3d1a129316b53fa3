// SPDX-License-Identifier: Apache-2.0
// The changes that `mpin` makes in the store. Each one replaces a whole file under one lock. The module only
// strikes out backup codes, without the lock.
import CPlatform
package import MPin
package import MPinProof
import MPinWire
package import Octets
import Secrets

extension FileStore {
    /// Makes the folder, `users` and the marker where they are missing, then opens the store.
    /// - Parameter isPersonal: the store belongs to a user's own device: its folder is closed to others.
    package static func make(at path: [UInt8], isPersonal: Bool = false) throws(StoreError) -> FileStore {
        do throws(StoreError.Fault) {
            let name = [UInt8](path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
            guard isAbsolutePath(path), !name.isEmpty else { throw .badPath }
            let above = try Descriptor.folder([UInt8](path.dropLast(name.count)))
            let root = try above.making(name, mode: isPersonal ? 0o700 : 0o755)
            let users = try root.making(ascii("users"), mode: 0o700)
            try users.creating(FileStore.marker, O_WRONLY).flush()
        } catch {
            throw StoreError(file: path, fault: error)
        }
        return try FileStore(at: path)
    }

    /// Adds an identity with a PIN, its token and, on a second device, its device key. A second token of one
    /// mpinId is refused.
    package borrowing func add(
        _ identity: Identity, token: borrowing Token, deviceKey: borrowing DeviceKey?, of account: Account,
        host: [UInt8]
    ) throws(StoreError) {
        guard identity.pin != nil else {
            throw StoreError(file: path(ofUser: account.uid), fault: .badSecret)
        }
        try change(account, host: host) { writer, old throws(StoreError.Fault) in
            try writer.copy(old, without: [])
            try writer.begin(identity)
            try writer.append(ascii("token = "))
            try token.withOctets { octets throws(StoreError.Fault) in try writer.append(hexOf: octets) }
            try writer.append([0x0a])
            switch deviceKey {
            case .none: break
            case .some(let key): try writer.append(key)
            }
        }
    }

    /// Replaces the device key of the identity `id` in a user's own file.
    package borrowing func replaceDeviceKey(
        of id: IdentityHash, by new: borrowing DeviceKey, of account: Account
    ) throws(StoreError) {
        try change(account, host: []) { writer, old throws(StoreError.Fault) in
            switch old {
            case .none: throw .missing
            case .some(let file): try writer.copy(file, givingTo: id, new)
            }
        }
    }

    /// Throws if the store cannot be changed, for example on a file system that is mounted read-only.
    package borrowing func checkWritable(for account: Account) throws(StoreError) {
        try locked(path(ofUser: account.uid)) {}
    }

    /// Adds an identity of a second device.
    package borrowing func add(
        _ identity: Identity, of account: Account, host: [UInt8]
    ) throws(StoreError) {
        guard identity.pin == nil else {
            throw StoreError(file: path(ofUser: account.uid), fault: .badSecret)
        }
        try change(account, host: host) { writer, old throws(StoreError.Fault) in
            try writer.copy(old, without: [])
            try writer.begin(identity)
        }
    }

    /// Removes identities and a pending registration of one of them, because their tokens must not be made
    /// again. An identity that is not there is no error.
    package borrowing func remove(
        _ ids: [IdentityHash], of account: Account, host: [UInt8]
    ) throws(StoreError) {
        try change(account, host: host) { writer, old throws(StoreError.Fault) in
            try writer.copy(old, without: ids)
        }
        try removePending(account, host: host, among: ids)
    }

    /// Gives an identity a new label; its token, if it has one, stays.
    package borrowing func relabel(
        _ id: IdentityHash, _ label: [UInt8], of account: Account, host: [UInt8]
    ) throws(StoreError) {
        try change(account, host: host) { writer, old throws(StoreError.Fault) in
            try writer.copy(old, without: [], relabel: (id, label))
        }
    }

    /// Writes the host's key; an older one is replaced.
    package borrowing func write(_ key: borrowing HostKey) throws(StoreError) {
        try locked(path + ascii("/host")) { () throws(StoreError.Fault) in
            var writer = try SecretFileWriter()
            try writer.append([
                Entry(key: ascii("mpin-host"), value: ascii("1")), Entry(key: ascii("name"), value: key.name),
                Entry(key: ascii("epoch"), value: decimal(key.epoch)),
            ])
            try writer.append(ascii("key = "))
            try key.key.withBytes { octets throws(StoreError.Fault) in try writer.append(hexOf: octets) }
            try writer.append([0x0a])
            let folder = try root.readable()
            try writer.replace(ascii("host"), in: folder)
            // A copy of this file can pose as this host, so backups leave it out where that is possible.
            try root.file(ascii("host"), forbidden: 0o077).descriptor.leaveOutOfBackups()
        }
    }

    /// Rewrites the file of an account, or removes it if no identity is left.
    private borrowing func change(
        _ account: Account, host: [UInt8],
        _ write: (inout SecretFileWriter, borrowing UserFile?) throws(StoreError.Fault) -> Void
    ) throws(StoreError) {
        try locked(path(ofUser: account.uid)) { () throws(StoreError.Fault) in
            let old: UserFile?
            do throws(StoreError) { old = try user(account, host: host) } catch { throw error.fault }
            var writer = try SecretFileWriter()
            try writer.append(head(account, host))
            try write(&writer, old)
            // Never write a file that this program could not read back.
            let new = try UserFile(try writer.text())
            guard new.name == account.name, new.host == host else { throw .key(badName) }
            if new.identities.isEmpty {
                try users.remove(decimal(account.uid))
            } else {
                try writer.replace(decimal(account.uid), in: users)
            }
        }
    }

    /// The first lines of an account's file; without a host, those of a user's own file.
    private borrowing func head(_ account: Account, _ host: [UInt8]) -> [Entry] {
        let uid = Entry(key: ascii("uid"), value: decimal(account.uid))
        guard !host.isEmpty else { return [Entry(key: ascii("mpin-device"), value: ascii("1")), uid] }
        return [
            Entry(key: ascii("mpin-user"), value: ascii("1")), uid,
            Entry(key: ascii("name"), value: account.name), Entry(key: ascii("host"), value: host),
        ]
    }

    /// Runs `body` while no other process changes the store. Waits up to 30 s for the lock, then throws
    /// `locked`. Logins take no lock.
    /// - Parameter file: the path for errors.
    borrowing func locked(
        _ file: [UInt8], _ body: () throws(StoreError.Fault) -> Void
    ) throws(StoreError) {
        do throws(StoreError.Fault) {
            let lock = try users.creating(ascii(".lock"), O_RDWR)
            try lock.waitForLock(Deadline(milliseconds: 30_000))
            try body()
        } catch {
            throw StoreError(file: file, fault: error)
        }
    }
}

extension Descriptor {
    /// flock(2) has no timeout except by a signal, and signals belong to the calling program.
    fileprivate func waitForLock(_ end: Deadline) throws(StoreError.Fault) {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            let code = mpin_errno()
            guard code == EINTR || code == EWOULDBLOCK else { throw .system(errno: code) }
            if end.isOver { throw .locked }
            if code == EWOULDBLOCK { _ = poll(nil, 0, 10) }
        }
    }
}

/// The fault for a name that the grammar does not read back as it was written.
var badName: KeyError { KeyError(line: 0, key: ascii("name"), problem: .badValue) }

extension SecretFileWriter {
    /// Copies the identities of a file except `ids`, and gives one of them a new label.
    fileprivate mutating func copy(
        _ old: borrowing UserFile?, without ids: [IdentityHash],
        relabel: (id: IdentityHash, label: [UInt8])? = nil
    ) throws(StoreError.Fault) {
        switch old {
        case .none: return
        case .some(let file):
            for (index, identity) in file.identities.enumerated() where !ids.contains(identity.id) {
                if let relabel, relabel.id == identity.id {
                    try begin(
                        Identity(
                            id: identity.id, label: relabel.label, enrolled: identity.enrolled,
                            pin: identity.pin))
                } else {
                    try begin(identity)
                }
                guard identity.pin != nil else { continue }
                try file.copyToken(at: index, to: &self)
                try file.copyDeviceKey(at: index, to: &self)
            }
        }
    }

    /// Copies a user's own file with a new device key for one of its identities.
    fileprivate mutating func copy(
        _ file: borrowing UserFile, givingTo id: IdentityHash, _ key: borrowing DeviceKey
    ) throws(StoreError.Fault) {
        guard file.identities.contains(where: { $0.id == id }) else { throw .missing }
        for (index, identity) in file.identities.enumerated() {
            try begin(identity)
            try file.copyToken(at: index, to: &self)
            if identity.id == id {
                try append(key)
            } else {
                try file.copyDeviceKey(at: index, to: &self)
            }
        }
    }

    fileprivate mutating func append(_ key: borrowing DeviceKey) throws(StoreError.Fault) {
        try append(ascii("device-key = "))
        try key.withOctets { octets throws(StoreError.Fault) in try append(hexOf: octets) }
        try append([0x0a])
    }

    fileprivate mutating func begin(_ identity: Identity) throws(StoreError.Fault) {
        try append(ascii("\n["))
        try append(hex(identity.id))
        try append(ascii("]\n"))
        try append(identity.entries)
    }
}
