// SPDX-License-Identifier: Apache-2.0
// Looks up accounts and their groups in the passwd and group databases, and the range of people's uids. A
// name is never used as a path.
import CPlatform
package import MPinProof
package import MPinWire
package import Octets

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
        do throws(AccountError) {
            guard let entry = try passwdEntry(named: name) else { return nil }
            self.init(uid: entry.uid, gid: entry.gid, name: entry.name)
        } catch {
            guard !strictly, isAbsence(error) else { throw error }
            return nil
        }
    }

    /// The names of the groups that the account is in.
    /// - Parameter strictly: a group without a name is an error; otherwise it is left out.
    package func groups(strictly: Bool) throws(AccountError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for id in try groupIDs(of: name, gid: gid) {
            do throws(AccountError) { names.append(try groupName(id)) } catch {
                guard !strictly, isAbsence(error) else { throw error }
            }
        }
        return names
    }
}

/// Whether there is a group of this name. Throws if the database could not be queried; getgrouplist(3)
/// silently leaves out groups that it could not look up.
package func isGroup(_ name: [UInt8]) throws(AccountError) -> Bool {
    guard !name.contains(0) else { return false }
    return try groupID(named: name) != nil
}

/// Whether getpwnam_r(3) may return this code for "not found".
private func isAbsence(_ error: AccountError) -> Bool { error.errno == ENOENT || error.errno == ESRCH }
