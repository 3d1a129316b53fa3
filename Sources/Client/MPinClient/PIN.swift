// SPDX-License-Identifier: Apache-2.0
// A PIN, from where it is typed to the one call that uses it.
import MPin
import Secrets

/// A PIN, or a longer secret, of any octets. It cannot be copied; it is on locked memory pages, which are
/// wiped when it is released.
///
/// A call consumes the PIN and wipes it, whether it succeeds or throws; another try needs another PIN.
public struct PIN: ~Copyable, Sendable {
    let secret: Secret

    /// Copies the octets, UTF-8 as typed, and overwrites the array with zeros, also if this throws. Keep no
    /// other copy.
    ///
    /// Throws ``Status/cryptoError`` if there is not enough memory for a secret.
    public init(wiping octets: inout [UInt8]) throws(ClientFailure) {
        let made: Secret?
        do { made = try Secret(copying: unsafe octets.span.bytes) } catch { made = nil }
        for index in octets.indices { octets[index] = 0 }
        guard let made else { throw ClientFailure(MPinError.outOfMemory) }
        secret = made
    }

    /// Copies the UTF-8 of a string, for programs that have the PIN in a string already. A string cannot be
    /// wiped.
    ///
    /// Throws ``Status/cryptoError`` if there is not enough memory for a secret.
    public init(_ text: String) throws(ClientFailure) {
        var octets = [UInt8](text.utf8)
        try self.init(wiping: &octets)
    }

    /// Whether the PIN has no octets.
    public var isEmpty: Bool { secret.count == 0 }
}
