// SPDX-License-Identifier: Apache-2.0
// What the database has in place of one-time texts: the SHA-256 of each. The compiler refuses to exchange
// two kinds.
package import Octets
import Secrets

/// The hash of a ticket (authOTT).
package typealias TicketHash = FixedOctets<32, TicketMeaning>
/// The hash of the text that shows whose pending registration it is (regOTT).
package typealias RegistrationTicketHash = FixedOctets<32, RegistrationTicketMeaning>
/// The hash of the key with which an external RPA makes a registration active (activateKey).
package typealias ActivateKeyHash = FixedOctets<32, ActivateKeyMeaning>
/// The hash of the text that a browser polls with (webOTT).
package typealias WebTicketHash = FixedOctets<32, WebTicketMeaning>
/// The hash of the token with which a device ends the session that it approved.
package typealias SessionTokenHash = FixedOctets<32, SessionTokenMeaning>
/// The hash of an application's authorization code.
package typealias AuthorizationCodeHash = FixedOctets<32, AuthorizationCodeMeaning>

/// The meaning of `TicketHash`.
package enum TicketMeaning: OneTimeTextMeaning {}
/// The meaning of `RegistrationTicketHash`.
package enum RegistrationTicketMeaning: OneTimeTextMeaning {}
/// The meaning of `ActivateKeyHash`.
package enum ActivateKeyMeaning: OneTimeTextMeaning {}
/// The meaning of `WebTicketHash`.
package enum WebTicketMeaning: OneTimeTextMeaning {}
/// The meaning of `SessionTokenHash`.
package enum SessionTokenMeaning: OneTimeTextMeaning {}
/// The meaning of `AuthorizationCodeHash`.
package enum AuthorizationCodeMeaning: OneTimeTextMeaning {}

/// A meaning whose octets are the SHA-256 of a text.
package protocol OneTimeTextMeaning {}

extension FixedOctets where size == 32, Meaning: OneTimeTextMeaning {
    /// The hash of a text that was drawn or received.
    package init(of text: String) { self.init(own: sha256([UInt8](text.utf8))) }
}
