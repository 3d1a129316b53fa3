// SPDX-License-Identifier: Apache-2.0
// A PIN on its way from whoever typed it to the one call that uses it.
import MPin
import Secrets

/// A PIN, or a longer secret, of any octets. It cannot be copied; it lies on locked pages that are wiped with
/// it.
///
/// A call takes the PIN over and wipes it, whether it succeeds or throws; another try needs another PIN.
public struct PIN: ~Copyable, Sendable {
    let secret: Secret

    /// Takes the octets over, UTF-8 as they were typed, and overwrites the array's own with zeros. Keep no
    /// other copy.
    ///
    /// Throws ``Status/cryptoError`` where there is no memory for a secret.
    public init(wiping octets: inout [UInt8]) throws(Failure) {
        let made: Secret?
        do { made = try Secret(copying: unsafe octets.span.bytes) } catch { made = nil }
        for index in octets.indices { octets[index] = 0 }
        guard let made else { throw Failure(MPinError.outOfMemory) }
        secret = made
    }

    /// For programs that have the PIN in a string already. A string cannot be wiped.
    public init(_ text: String) throws(Failure) {
        var octets = [UInt8](text.utf8)
        try self.init(wiping: &octets)
    }

    /// Whether nothing was typed.
    public var isEmpty: Bool { secret.count == 0 }
}
