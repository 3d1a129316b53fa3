// SPDX-License-Identifier: Apache-2.0
// Asks the passwd and group databases of the host.
package import CPlatform

/// The name is as the database spells it, which may differ from what was asked for.
package typealias PasswdEntry = (uid: uid_t, gid: gid_t, name: [UInt8])

/// The entry with this name; nil: the database has none.
package func passwdEntry(named name: [UInt8]) throws(AccountError) -> PasswdEntry? {
    try unsafe lookUp(passwd(), copied) { entry, buffer, count, hit in
        unsafe withCString(name) { unsafe getpwnam_r($0, entry, buffer, count, hit) }
    }
}

/// The first entry with this uid; nil: the database has none.
package func passwdEntry(uid: uid_t) throws(AccountError) -> PasswdEntry? {
    try unsafe lookUp(passwd(), copied) { unsafe getpwuid_r(uid, $0, $1, $2, $3) }
}

private func copied(_ entry: passwd) -> PasswdEntry {
    unsafe (entry.pw_uid, entry.pw_gid, octets(ofCString: entry.pw_name))
}

/// The group with this name; nil: the database has none.
package func groupID(named name: [UInt8]) throws(AccountError) -> gid_t? {
    try unsafe lookUp(group(), { unsafe $0.gr_gid }) { entry, buffer, count, hit in
        unsafe withCString(name) { unsafe getgrnam_r($0, entry, buffer, count, hit) }
    }
}

/// The name of a group. Throws ENOENT if the database has none.
package func groupName(_ id: gid_t) throws(AccountError) -> [UInt8] {
    let name = try unsafe lookUp(group(), { unsafe octets(ofCString: $0.gr_name) }) {
        unsafe getgrgid_r(id, $0, $1, $2, $3)
    }
    guard let name else { throw AccountError(errno: ENOENT) }
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

/// What `copy` takes from the entry that `find` finds, with a buffer that grows as long as `find` returns
/// ERANGE, up to 1 MiB; nil: the database has no such entry.
private func lookUp<Entry, Value>(
    _ empty: Entry, _ copy: (Entry) -> Value,
    _ find: (
        UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> CInt
) throws(AccountError) -> Value? {
    var size = 4_096
    while true {
        var entry = empty
        var hit: UnsafeMutablePointer<Entry>?
        var found: Value?
        var buffer = [CChar](repeating: 0, count: size)
        let result = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return ENOMEM }
            let result = unsafe find(&entry, base, buffer.count, &hit)
            if unsafe result == 0 && hit != nil { found = copy(entry) }
            return result
        }
        if result == 0 { return found }
        guard result == ERANGE, size < 1 << 20 else { throw AccountError(errno: result) }
        size *= 4
    }
}
