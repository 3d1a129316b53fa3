// SPDX-License-Identifier: Apache-2.0
// What unmodified clients of Milagro's need beyond our own: profile = compat.
import MPinWire
import Octets

package struct Compatibility: Equatable, Sendable {
    /// Seconds for which a number or a QR of a browser's session may be used.
    package var accessNumberLife = longestNumberLife
    /// Wrong PINs in a row that block an identity which a Milagro client registers, or an application's RPA
    /// lets register.
    package var maxInvalidLogins = usualWrongPINs
    /// Whoever guesses has as long as that.
    static let longestNumberLife: Int64 = 300
    static let numberLife = 30...longestNumberLife
    static let usualWrongPINs: Int64 = 3
    static let wrongPINs: ClosedRange<Int64> = 1...100
    /// Pages of these origins, in lower case, may ask as those of this server do.
    package var allowedOrigins: [String] = []
    /// The numbers of browsers have a seventh digit that checks the others.
    package var checksNumbers = true
    /// An RPA of somebody else's; nil: our own.
    package var application: ExternalRPA?

    package init() {}

    /// Settings that mean something with this profile alone.
    static let keys: [StaticString] =
        [
            "access-number-life", "access-number-checksum", "allow-origin", "max-invalid-logins",
            "rpa-listen",
        ] + ExternalRPA.keys

    private enum Profile: String {
        case none, compat
    }

    /// Nil without the profile.
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
    /// nil for a setting that is none of these.
    static func bounds(of key: [UInt8]) -> ClosedRange<Int64>? {
        switch true {
        case key.spells("access-number-life"): numberLife
        case key.spells("max-invalid-logins"): wrongPINs
        default: nil
        }
    }
}

/// Of pages that nobody changes on their way: https, or http on this machine.
private func pageOrigin(_ text: String) -> String? {
    guard let origin = PublicURL(text)?.origin else { return nil }
    let isSafe = ["https://", "http://127.0.0.1", "http://[::1]", "http://localhost"].contains { place in
        origin.hasPrefix(place)
            && (place == "https://" || [":", ""].contains(origin.dropFirst(place.count).prefix(1)))
    }
    return isSafe ? origin : nil
}

/// A whole number within bounds.
func number(_ text: String, _ bounds: ClosedRange<Int64>) -> Int64? {
    Int64(text).flatMap { bounds.contains($0) ? $0 : nil }
}
