// SPDX-License-Identifier: Apache-2.0
// Asks the passwd and group databases of the host.
package import CPlatform

/// The name is as the database spells it, which may differ from what was asked for.
package typealias PasswdEntry = (uid: uid_t, gid: gid_t, name: [UInt8])

/// The entry with this name; nil: the database has none.
package func passwdEntry(named name: [UInt8]) throws(AccountError) -> PasswdEntry? {
    var entry = unsafe passwd()
    var found: PasswdEntry?
    let result = unsafe withDatabaseBuffer { buffer, count in
        var hit: UnsafeMutablePointer<passwd>?
        let result = unsafe withCString(name) { unsafe getpwnam_r($0, &entry, buffer, count, &hit) }
        if unsafe hit != nil { found = unsafe copy(of: entry) }
        return result
    }
    guard result == 0 else { throw AccountError(errno: result) }
    return found
}

/// The first entry with this uid; nil: the database has none.
package func passwdEntry(uid: uid_t) throws(AccountError) -> PasswdEntry? {
    var entry = unsafe passwd()
    var found: PasswdEntry?
    let result = unsafe withDatabaseBuffer { buffer, count in
        var hit: UnsafeMutablePointer<passwd>?
        let result = unsafe getpwuid_r(uid, &entry, buffer, count, &hit)
        if unsafe hit != nil { found = unsafe copy(of: entry) }
        return result
    }
    guard result == 0 else { throw AccountError(errno: result) }
    return found
}

private func copy(of entry: passwd) -> PasswdEntry {
    unsafe (entry.pw_uid, entry.pw_gid, octets(ofCString: entry.pw_name))
}

/// The group with this name; nil: the database has none.
package func groupID(named name: [UInt8]) throws(AccountError) -> gid_t? {
    var entry = unsafe group()
    var found: gid_t?
    let result = unsafe withDatabaseBuffer { buffer, count in
        var hit: UnsafeMutablePointer<group>?
        let result = unsafe withCString(name) { unsafe getgrnam_r($0, &entry, buffer, count, &hit) }
        if unsafe hit != nil { found = unsafe entry.gr_gid }
        return result
    }
    guard result == 0 else { throw AccountError(errno: result) }
    return found
}

/// The name of a group. Throws ENOENT if the database has none.
package func groupName(_ id: gid_t) throws(AccountError) -> [UInt8] {
    var entry = unsafe group()
    var name: [UInt8] = []
    let result = unsafe withDatabaseBuffer { buffer, count in
        var hit: UnsafeMutablePointer<group>?
        let result = unsafe getgrgid_r(id, &entry, buffer, count, &hit)
        guard unsafe result == 0 && hit != nil else { return result == 0 ? ENOENT : result }
        name = unsafe octets(ofCString: entry.gr_name)
        return 0
    }
    guard result == 0 else { throw AccountError(errno: result) }
    return name
}

/// The ids of the groups of an account whose own group is `gid`.
package func groupIDs(of name: [UInt8], gid: gid_t) throws(AccountError) -> [gid_t] {
    var ids = [gid_t](repeating: 0, count: 64)
    while ids.count <= 65_536 {
        var count = CInt(truncatingIfNeeded: ids.count)
        let result = unsafe withCString(name) { name in
            unsafe ids.withUnsafeMutableBufferPointer { ids in
                unsafe ids.baseAddress.map { unsafe getgrouplist(name, gid, $0, &count) } ?? -1
            }
        }
        if result >= 0 { return [gid_t](ids.prefix(Int(max(count, 0)))) }
        ids = [gid_t](repeating: 0, count: ids.count * 4)
    }
    throw AccountError(errno: ERANGE)
}

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
