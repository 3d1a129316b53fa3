// SPDX-License-Identifier: Apache-2.0
// The settings of `profile = compat`, for unmodified Milagro clients.
package import MPinWire

/// What unmodified Milagro clients need in addition to what our own clients need.
package struct Compatibility: Equatable, Sendable {
    /// For how many seconds the number or QR code of a browser's session may be used.
    var accessNumberLife = longestNumberLife
    /// How many wrong PINs in a row block an identity that a Milagro client registered, or that an external
    /// RPA admitted.
    var maxInvalidLogins = usualWrongPINs
    /// The longest allowed life: an attacker can guess a number while it lives.
    static let longestNumberLife: Int64 = 300
    static let numberLife = 30...longestNumberLife
    static let usualWrongPINs: Int64 = 3
    static let wrongPINs: ClosedRange<Int64> = 1...100
    /// The origins, in lower case, whose web pages may send requests like those of this server's own origin.
    var allowedOrigins: [String] = []
    /// Whether the numbers of browsers' sessions have a seventh digit that checks the others.
    package var checksNumbers = true
    /// The listener for an external RPA only, which only this machine can reach.
    package var rpaListen: Listener?
    /// What an external RPA decides.
    package var externalRPA = ExternalRPA()

    init() {}

    /// The rows of this profile.
    mutating func read(_ row: inout RowReader) {
        row.number("access-number-life", &accessNumberLife, Compatibility.numberLife)
        row.choice("access-number-checksum", &checksNumbers, yesOrNo)
        row.texts("allow-origin", &allowedOrigins, pageOrigin)
        row.number("max-invalid-logins", &maxInvalidLogins, Compatibility.wrongPINs)
        row.looser(
            if: maxInvalidLogins > Compatibility.usualWrongPINs,
            "an attacker can try that many PINs of a Milagro client before it is blocked.")
        row.text("rpa-listen", &rpaListen) { Listener($0).flatMap { $0.isDistant ? nil : $0 } }
        externalRPA.read(&row)
    }
}

/// An origin whose pages cannot be changed in transit; nil for other text.
private func pageOrigin(_ text: String) -> String? {
    guard let url = PublicURL(text), url.isSafe else { return nil }
    return url.origin
}
