// SPDX-License-Identifier: Apache-2.0
// The account that the relay runs as, and the check whether its program may be trusted with a login.
import CPlatform
import MPinProof
import MPinHostStore
import Octets

/// The account that the relay of a root process runs as.
package struct RelayUser: Equatable, Sendable {
    let uid: UInt32
    let gid: UInt32

    package init(uid: UInt32, gid: UInt32) {
        self.uid = uid
        self.gid = gid
    }

    /// The account `_mpin`; nil if it does not exist or cannot be looked up.
    package static func find() -> RelayUser? {
        do throws(AccountError) {
            guard let entry = try passwdEntry(named: ascii("_mpin")) else { return nil }
            return RelayUser(uid: entry.uid, gid: entry.gid)
        } catch { return nil }
    }
}

/// The path of a program with links resolved and a NUL at its end, if only root and the caller can change the
/// file and the folders above it; nil otherwise.
func trustedProgram(_ path: [UInt8], _ trouble: RelayTrouble? = nil) -> [CChar]? {
    guard isAbsolutePath(path) else { return nil }
    guard let found = unsafe withCString(path, { unsafe realpath($0, nil) }) else {
        trouble?.noteIfDenied("readlink")
        return nil
    }
    let place = unsafe octets(ofCString: found)
    unsafe free(found)
    let name = [UInt8](place.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
    do throws(StoreError.Fault) {
        _ = try Descriptor.folder([UInt8](place.dropLast(name.count))).file(name, forbidden: 0o022)
    } catch { return nil }
    return place.map { CChar(bitPattern: $0) } + [0]
}
