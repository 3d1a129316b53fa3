// SPDX-License-Identifier: Apache-2.0
// Where a try of a PIN comes from, and which counters it belongs to (docs/login.md, section 7).

/// Where a try came from, as the counters see it.
package struct TryOrigin: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case local = 0
        case network = 1
    }

    /// The key of the counter: `local:` and a uid, an address, or a network.
    let text: String
    let kind: Kind
    /// True if a redeemed login makes this origin known to its identity.
    let learns: Bool
    /// True if the login shows its user no notice of wrong tries: they stay for a later one.
    let showsNoNotice: Bool

    init(_ text: String, learns: Bool = false, showsNoNotice: Bool = false) {
        self.text = text
        self.showsNoNotice = showsNoNotice
        self.kind = text.hasPrefix("local:") ? .local : .network
        self.learns = learns
    }
}

/// Which counters a try belongs to.
enum TryCounting: UInt8, Sendable {
    /// Wrong tries in a row for each source, and the totals of strange sources and of known sources.
    case bySource = 0
    /// A second device with a right tag: its counters are the same for all sources.
    case byDevice = 1
    /// A client that names a second device but has no right tag: nothing is counted, and the verdict is
    /// always "wrong".
    case none = 2
    /// A Milagro client whose PIN is blocked after so many wrong tries in a row, whatever the source.
    case untilBlock = 3
}

/// The state of the counters for one origin.
struct TryStanding: Equatable, Sendable {
    /// Tries that remain before the next refusal.
    let left: UInt16
    /// Seconds until the next try is verified: 0 if at once, `UInt32.max` if only after an administrator
    /// unlocks.
    var lockedSeconds: UInt32 = 0
    /// Wrong tries that remain before the PIN is blocked, or strange sources are refused; nil while more than
    /// `Limits.scarceTries` remain. A new PIN resets the count.
    var scarce: UInt16? = nil
}
