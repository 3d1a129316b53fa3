// SPDX-License-Identifier: Apache-2.0
// What unmodified clients of Milagro's need beyond our own: profile = compat.
import MPinWire

package struct Compatibility: Equatable, Sendable {
    /// Seconds for which a number or a QR of a browser's session may be used.
    package var accessNumberLife: Int64 = 300
    /// Wrong PINs in a row that block an identity which a Milagro client registered.
    package var maxInvalidLogins: Int64 = 3
    /// An RPA of somebody else's; nil: our own.
    package var application: RelyingApplication?

    package init() {}

    /// Settings that mean something with this profile alone.
    static let keys: [StaticString] =
        ["access-number-life", "max-invalid-logins", "rpa-listen"] + RelyingApplication.keys

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
            accessNumberLife = try value(entry) { number($0, 30...3600) }
        }
        if let entry = try section.one("max-invalid-logins") {
            maxInvalidLogins = try value(entry) { number($0, 1...100) }
        }
        application = try RelyingApplication(section)
    }
}

private func number(_ text: String, _ bounds: ClosedRange<Int64>) -> Int64? {
    Int64(text).flatMap { bounds.contains($0) ? $0 : nil }
}
