// SPDX-License-Identifier: Apache-2.0
// What the database has in place of one-time texts: the SHA-256 of each. The compiler refuses to exchange
// two kinds.
import Octets
import Secrets

/// The hash of a ticket (authOTT).
typealias TicketHash = FixedOctets<32, TicketMeaning>
/// The hash of the text that shows whose pending registration it is (regOTT).
typealias RegistrationTicketHash = FixedOctets<32, RegistrationTicketMeaning>
/// The hash of the key with which an external RPA makes a registration active (activateKey).
typealias ActivateKeyHash = FixedOctets<32, ActivateKeyMeaning>
/// The hash of the text that a browser polls with (webOTT).
typealias WebTicketHash = FixedOctets<32, WebTicketMeaning>
/// The hash of the token with which a device ends the session that it approved.
typealias SessionTokenHash = FixedOctets<32, SessionTokenMeaning>
/// The hash of an application's authorization code.
typealias AuthorizationCodeHash = FixedOctets<32, AuthorizationCodeMeaning>

/// The meaning of `TicketHash`.
enum TicketMeaning: OneTimeTextMeaning {}
/// The meaning of `RegistrationTicketHash`.
enum RegistrationTicketMeaning: OneTimeTextMeaning {}
/// The meaning of `ActivateKeyHash`.
enum ActivateKeyMeaning: OneTimeTextMeaning {}
/// The meaning of `WebTicketHash`.
enum WebTicketMeaning: OneTimeTextMeaning {}
/// The meaning of `SessionTokenHash`.
enum SessionTokenMeaning: OneTimeTextMeaning {}
/// The meaning of `AuthorizationCodeHash`.
enum AuthorizationCodeMeaning: OneTimeTextMeaning {}

/// A meaning whose octets are the SHA-256 of a text.
protocol OneTimeTextMeaning {}

extension FixedOctets where size == 32, Meaning: OneTimeTextMeaning {
    /// The hash of a text that was drawn or received.
    init(of text: String) { self.init(own: sha256([UInt8](text.utf8))) }
}
