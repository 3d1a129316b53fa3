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
        let least = loginDefsNumber("UID_MIN", in: text, 0...UInt32.max) ?? range.lowerBound
        let most = loginDefsNumber("UID_MAX", in: text, 0...UInt32.max) ?? range.upperBound
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

/// The number of a key in the text of /etc/login.defs. Of several lines the last within the bounds counts;
/// nil if there is none.
package func loginDefsNumber<N: FixedWidthInteger>(
    _ key: StaticString, in text: [UInt8], _ bounds: ClosedRange<N>
) -> N? {
    var found: N?
    for line in text.split(separator: 0x0a) {
        let words = words([UInt8](line))
        guard words.count > 1, words[0].spells(key) else { continue }
        found = wholeNumber(words[1], in: bounds) ?? found
    }
    return found
}
