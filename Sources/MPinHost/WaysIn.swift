// SPDX-License-Identifier: Apache-2.0
// How root still gets in when M-Pin lets nobody in: the way back that a host must keep.

/// What is known of a host, for the question which way in stays.
package struct WaysIn: Equatable, Sendable {
    /// Whether root has a password that can be typed.
    package var rootHasPassword = false
    /// Services by which root gets in with it, and in which M-Pin is not asked.
    package var passwordServices: [String] = []
    /// Whether sshd takes a key of root's, and root has one.
    package var rootHasKey = false
    /// Whoever is not enrolled is asked for the password, root too.
    package var passesUnenrolled = false

    package init() {}

    /// Those that hold whatever happens to the server, in words; none is a host that can lock its owner out.
    package var certain: [String] {
        var ways: [String] = []
        if rootHasPassword, let service = passwordServices.first {
            ways.append("root's password by \(service)")
        }
        if rootHasPassword, passesUnenrolled { ways.append("root's password, for root is not enrolled") }
        if rootHasKey { ways.append("root's ssh key") }
        return ways
    }
}

/// Whether an account has a password that can be typed, by the text of /etc/shadow.
package func hasPassword(_ name: String, shadow: [UInt8]) -> Bool {
    for line in shadow.split(separator: 0x0a) {
        let fields = line.split(separator: 0x3a, omittingEmptySubsequences: false)
        guard fields.count > 2, fields[0].elementsEqual(name.utf8) else { continue }
        // An empty field is no password either; a hash that is locked begins with a bang.
        guard let first = fields[1].first else { return false }
        return fields[1].count > 2 && first != UInt8(ascii: "!") && first != UInt8(ascii: "*")
    }
    return false
}
