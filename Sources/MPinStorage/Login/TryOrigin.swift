// SPDX-License-Identifier: Apache-2.0
// Tries of a PIN: where they come from, and which counters they belong to (docs/login.md, section 7).

/// Where a try came from, as the counters see it.
package struct TryOrigin: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case local = 0
        case network = 1
    }

    /// What is counted together: `local:` and a uid, an address, or a network.
    package let text: String
    package let kind: Kind
    /// A redeemed login makes this origin known to its identity.
    package let learns: Bool

    package init(_ text: String, learns: Bool = false) {
        self.text = text
        self.kind = text.hasPrefix("local:") ? .local : .network
        self.learns = learns
    }
}

/// Which counters a try belongs to.
package enum TryCounting: UInt8, Sendable {
    /// Row of three for each source; strange sources together; known sources together.
    case bySource = 0
    /// A second device that brought a right tag: its counters know no sources.
    case byDevice = 1
    /// A stranger who names a second device: nothing is counted, and the verdict is always "wrong".
    case none = 2
    /// A Milagro client whose PIN is blocked after so many wrong tries in a row, whatever the source.
    case untilBlock = 3
}

/// How the counters stand for one origin.
package struct TryStanding: Equatable, Sendable {
    /// Tries that remain before the next refusal.
    package let left: UInt16
    /// Until the next try is looked at; 0 if it is now, `UInt32.max` until an administrator unlocks.
    package let lockedSeconds: UInt32
    /// Wrong tries that remain before the PIN is blocked, or closed to strange sources, once no more than
    /// `Limits.scarceTries` do; a new PIN sets them back.
    package let scarce: UInt16?

    package init(left: UInt16, lockedSeconds: UInt32 = 0, scarce: UInt16? = nil) {
        self.left = left
        self.lockedSeconds = lockedSeconds
        self.scarce = scarce
    }
}
