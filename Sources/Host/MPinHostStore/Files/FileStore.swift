// SPDX-License-Identifier: Apache-2.0
// The store of a login host: opens the folder with `users/` and `host`, checks it, and reads its files.
import CPlatform
package import MPin
package import MPinProof
import MPinWire
import Octets
import Secrets

/// The store of a login host, or of a user's own device. Every error is a `StoreError` with the file's path.
package struct FileStore: ~Copyable {
    /// The path of the folder.
    package let path: [UInt8]
    let root: Descriptor
    let users: Descriptor

    /// Opens the folder, `users` in it and the marker in `users`. Root (or the caller) must own them, nobody
    /// else may be able to change the folders above, and `users` and the marker must be closed to others.
    package init(at path: [UInt8]) throws(StoreError) {
        self.path = path
        do throws(StoreError.Fault) {
            let root = try Descriptor.folder(path)
            let users = try root.folder(ascii("users"), isPrivate: true)
            guard try users.holds(FileStore.marker) else { throw .noMarker }
            self.root = root
            self.users = users
        } catch {
            throw StoreError(file: path, fault: error)
        }
    }

    static var marker: [UInt8] { ascii(".mpin-store") }

    /// The file of the account; nil proves that no user with this uid is enrolled. A file with another uid,
    /// name or host is an error.
    package borrowing func user(_ account: Account, host: [UInt8]) throws(StoreError) -> UserFile? {
        guard let file = try user(uid: account.uid) else { return nil }
        let fault: StoreError.Fault? =
            file.name != account.name ? .otherName : file.host != host ? .otherHost : nil
        if let fault { throw StoreError(file: path(ofUser: account.uid), fault: fault) }
        return file
    }

    /// The file of a uid, whichever account has the uid now.
    package borrowing func user(uid: UInt32) throws(StoreError) -> UserFile? {
        do throws(StoreError.Fault) {
            guard let octets = try users.secret(decimal(uid)) else { return nil }
            let file = try UserFile(octets)
            guard file.uid == uid else { throw .otherUID }
            return file
        } catch {
            throw StoreError(file: path(ofUser: uid), fault: error)
        }
    }

    /// The uids that have a file, in ascending order.
    package borrowing func uids() throws(StoreError) -> [UInt32] {
        let names: [[UInt8]]
        do throws(StoreError.Fault) { names = try users.names() } catch {
            throw StoreError(file: path, fault: error)
        }
        var uids: [UInt32] = []
        for name in names {
            if let uid = wholeNumber(name, in: 0...Int(UInt32.max)) { uids.append(UInt32(uid)) }
        }
        return uids.sorted()
    }

    /// The key that this host shares with mpind.
    package borrowing func hostKey() throws(StoreError) -> HostKey {
        do throws(StoreError.Fault) {
            guard let octets = try root.secret(ascii("host")) else { throw .missing }
            return try HostKey(file: octets)
        } catch {
            throw StoreError(file: path + ascii("/host"), fault: error)
        }
    }

    /// The name under which mpind knows this host; nil where there is no key.
    package borrowing func hostName() throws(StoreError) -> [UInt8]? {
        do throws(StoreError) { return try hostKey().name } catch {
            if error.fault == .missing { return nil }
            throw error
        }
    }

    package borrowing func path(ofUser uid: UInt32) -> [UInt8] { path + ascii("/users/") + decimal(uid) }
}

extension HostKey {
    /// Parses the file `host`.
    fileprivate init(file: consuming Secret) throws(StoreError.Fault) {
        let sections = try file.sections(leaving: ["key"])
        let name: [UInt8]
        let epoch: UInt32
        let place: Range<Int>
        do throws(KeyError) {
            let head = try sections.head(of: "mpin-host", keys: ["name", "key", "epoch"])
            name = try head.value("name") { (1...255).contains($0.count) ? $0 : nil }
            epoch = try head.value("epoch") { wholeNumber($0, in: 0...Int(UInt32.max)).map { UInt32($0) } }
            place = try head.required("key").place
        } catch { throw .key(error) }
        let key = try file.octets(fromHexAt: place, count: 32)
        do { try self.init(name: name, epoch: epoch, key: key) } catch {
            throw error == .outOfMemory ? .outOfMemory : .badSecret
        }
    }
}

extension [Section] {
    /// The entries of a file without sections. Only `format`, whose value must be 1, and `keys` are allowed.
    func head(of format: StaticString, keys: [StaticString]) throws(KeyError) -> Section {
        let head = first ?? Section(name: nil, entries: [])
        if let other = dropFirst().first {
            throw KeyError(line: other.line, key: other.name ?? [], problem: .unknown)
        }
        try head.allow(only: [format] + keys)
        _ = try head.value(format) { wholeNumber($0, in: 1...1) }
        return head
    }
}

extension Section {
    @inline(never)
    func uid() throws(KeyError) -> UInt32 {
        try value("uid") { wholeNumber($0, in: 0...Int(UInt32.max)).map { UInt32($0) } }
    }

    /// A value that is not empty.
    @inline(never)
    func text(_ key: StaticString) throws(KeyError) -> [UInt8] { try value(key) { $0.isEmpty ? nil : $0 } }
}
