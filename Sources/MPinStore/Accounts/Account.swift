// SPDX-License-Identifier: Apache-2.0
// Looks up accounts and their groups in the passwd and group databases, and the range of people's uids. A
// name is never used as a path.
import CPlatform
package import MPinProof
package import MPinWire
import Octets

extension PersonalUIDs {
    /// Those of this host; Debian's where /etc/login.defs is missing, or others than root can change it.
    package static func ofThisHost() -> PersonalUIDs {
        do throws(StoreError) {
            return PersonalUIDs(loginDefs: try readSettingsFile(ascii("/etc/login.defs")))
        } catch { return PersonalUIDs() }
    }
}

extension Account {
    /// nil: the database has no such name, or no database can hold it (empty, over 255 octets, with a NUL).
    /// - Parameter strictly: ENOENT and ESRCH are errors, too. getpwnam_r(3) allows them for "no such name",
    ///   but glibc also returns them for a database that it could not query.
    package init?(named name: [UInt8], strictly: Bool = false) throws(AccountError) {
        guard (1...255).contains(name.count), !name.contains(0) else { return nil }
        var entry = unsafe passwd()
        var found: Account?
        let result = unsafe withDatabaseBuffer { buffer, count in
            var hit: UnsafeMutablePointer<passwd>?
            let result = unsafe withCString(name) { name in
                unsafe getpwnam_r(name, &entry, buffer, count, &hit)
            }
            if unsafe result == 0 && hit != nil {
                unsafe found = Account(
                    uid: entry.pw_uid, gid: entry.pw_gid, name: octets(ofCString: entry.pw_name))
            }
            return result
        }
        guard result == 0 || !strictly && isAbsence(result) else { throw AccountError(errno: result) }
        guard let found else { return nil }
        self = found
    }

    /// The names of the groups that the account is in.
    /// - Parameter strictly: a group without a name is an error; otherwise it is left out.
    package func groups(strictly: Bool) throws(AccountError) -> [[UInt8]] {
        var ids = [gid_t](repeating: 0, count: 64)
        while ids.count <= 65_536 {
            var count = CInt(truncatingIfNeeded: ids.count)
            let result = unsafe withCString(name) { name in
                unsafe ids.withUnsafeMutableBufferPointer { ids in
                    unsafe ids.baseAddress.map { unsafe getgrouplist(name, gid, $0, &count) } ?? -1
                }
            }
            if result >= 0 { return try names(ofGroups: ids.prefix(Int(max(count, 0))), strictly) }
            ids = [gid_t](repeating: 0, count: ids.count * 4)
        }
        throw AccountError(errno: ERANGE)
    }
}

/// Whether there is a group of this name. Throws if the database could not be queried; getgrouplist(3)
/// silently leaves out groups that it could not look up.
package func isGroup(_ name: [UInt8]) throws(AccountError) -> Bool {
    guard !name.contains(0) else { return false }
    var entry = unsafe group()
    var isThere = false
    let result = unsafe withDatabaseBuffer { buffer, count in
        var hit: UnsafeMutablePointer<group>?
        let result = unsafe withCString(name) { unsafe getgrnam_r($0, &entry, buffer, count, &hit) }
        unsafe isThere = hit != nil
        return result
    }
    guard result == 0 else { throw AccountError(errno: result) }
    return isThere
}

private func names(ofGroups ids: ArraySlice<gid_t>, _ strictly: Bool) throws(AccountError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    for id in ids {
        var entry = unsafe group()
        let result = unsafe withDatabaseBuffer { buffer, count in
            var hit: UnsafeMutablePointer<group>?
            let result = unsafe getgrgid_r(id, &entry, buffer, count, &hit)
            guard unsafe result == 0 && hit != nil else { return result == 0 ? ENOENT : result }
            names.append(unsafe octets(ofCString: entry.gr_name))
            return 0
        }
        guard result == 0 || !strictly && isAbsence(result) else { throw AccountError(errno: result) }
    }
    return names
}

/// Whether getpwnam_r(3) may return this code for "not found".
private func isAbsence(_ result: CInt) -> Bool { result == ENOENT || result == ESRCH }

/// Runs `body` with a buffer that grows as long as `body` returns ERANGE, up to 1 MiB.
private func withDatabaseBuffer(_ body: (UnsafeMutablePointer<CChar>, Int) -> CInt) -> CInt {
    var size = 4_096
    while true {
        var buffer = [CChar](repeating: 0, count: size)
        let result = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe body($0, buffer.count) } ?? ENOMEM
        }
        guard result == ERANGE, size < 1 << 20 else { return result }
        size *= 4
    }
}
