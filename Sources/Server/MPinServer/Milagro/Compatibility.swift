// SPDX-License-Identifier: Apache-2.0
// The settings of `profile = compat`, for unmodified Milagro clients.
import MPinWire
import Octets

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
    var checksNumbers = true
    /// The external RPA; nil if this server is the RPA itself.
    package var application: ExternalRPA?

    init() {}

    /// The settings that are allowed only with this profile.
    static let keys: [StaticString] =
        [
            "access-number-life", "access-number-checksum", "allow-origin", "max-invalid-logins",
            "rpa-listen",
        ] + ExternalRPA.keys

    private enum Profile: String {
        case none, compat
    }

    /// nil without the profile.
    init?(_ section: Section) throws(KeyError) {
        guard let entry = try section.one("profile") else { return nil }
        switch try value(entry, Profile.init(rawValue:)) {
        case .none: return nil
        case .compat: break
        }
        if let entry = try section.one("access-number-life") {
            accessNumberLife = try value(entry) { number($0, Compatibility.numberLife) }
        }
        if let entry = try section.one("access-number-checksum") {
            checksNumbers = try value(entry, yesOrNo)
        }
        for entry in section.all("allow-origin") {
            allowedOrigins.append(try value(entry, pageOrigin))
        }
        if let entry = try section.one("max-invalid-logins") {
            maxInvalidLogins = try value(entry) { number($0, Compatibility.wrongPINs) }
        }
        application = try ExternalRPA(section)
    }
}

extension Compatibility {
    /// The bounds of a setting that is a whole number; nil for other settings.
    static func bounds(of key: [UInt8]) -> ClosedRange<Int64>? {
        switch true {
        case key.spells("access-number-life"): numberLife
        case key.spells("max-invalid-logins"): wrongPINs
        default: nil
        }
    }
}

/// An origin whose pages cannot be changed in transit; nil for other text.
private func pageOrigin(_ text: String) -> String? {
    guard let url = PublicURL(text), url.isSafe else { return nil }
    return url.origin
}

/// Reads a whole number without a sign; nil if it is out of bounds.
func number(_ text: String, _ bounds: ClosedRange<Int64>) -> Int64? {
    wholeNumber(Array(text.utf8), in: bounds)
}
