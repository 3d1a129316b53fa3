// SPDX-License-Identifier: Apache-2.0
// Reads all lines of the passwd database.
import CPlatform
import MPinProof

/// A line of the passwd database.
struct PasswdLine {
    let name: String
    let uid: uid_t
    let gid: gid_t
    let home: String
    let shell: String
    var account: Account { Account(uid: uid, gid: gid, name: [UInt8](name.utf8)) }
}

/// All lines of the passwd database, one for each name. A database on the network may list fewer accounts
/// than it has.
func passwdLines() -> [PasswdLine] {
    var found: [PasswdLine] = []
    var names: Set<String> = []
    setpwent()
    defer { endpwent() }
    while let line = unsafe getpwent() {
        guard let name = unsafe line.pointee.pw_name else { continue }
        let home = unsafe line.pointee.pw_dir
        let shell = unsafe line.pointee.pw_shell
        let entry = unsafe PasswdLine(
            name: String(cString: name), uid: line.pointee.pw_uid, gid: line.pointee.pw_gid,
            home: home.map { unsafe String(cString: $0) } ?? "",
            shell: shell.map { unsafe String(cString: $0) } ?? "")
        if names.insert(entry.name).inserted { found.append(entry) }
    }
    return found
}
