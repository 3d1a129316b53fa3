// SPDX-License-Identifier: Apache-2.0
// Which uids belong to people, by UID_MIN and UID_MAX of /etc/login.defs.
import Octets

/// The uids of a host's people.
package struct PersonalUIDs: Equatable, Sendable {
    /// UID_MIN and UID_MAX; by default those of Debian and most systems.
    package private(set) var range: ClosedRange<UInt32> = 1_000...60_000

    /// The default range.
    package init() {}

    /// - Parameter text: that of /etc/login.defs. The last line of a key counts. Values that are no numbers,
    ///   or no range, leave the defaults.
    package init(loginDefs text: [UInt8]) {
        var (least, most) = (range.lowerBound, range.upperBound)
        for line in text.split(separator: 0x0a) where line.contains(0x55) {
            let words = words([UInt8](line))
            guard words.count > 1, let number = wholeNumber(words[1], in: 0...UInt32.max) else { continue }
            if words[0].spells("UID_MIN") { least = number }
            if words[0].spells("UID_MAX") { most = number }
        }
        if least > 0, least <= most { range = least...most }
    }

    /// Whether an account with this uid may be personal. Above UID_MAX are the accounts of directories;
    /// systemd assigns 60,514 to 65,535 to containers and to services without an account, and nobody (65,534)
    /// and the invalid uid 65,535 never are people.
    package func contains(_ uid: UInt32) -> Bool {
        uid >= range.lowerBound && !(65_534...65_535).contains(uid)
            && (range.contains(uid) || !(60_514...65_535).contains(uid))
    }
}
