// SPDX-License-Identifier: Apache-2.0
// An identity of an account or of a device, as a value.
package import MPin
import MPinWire
package import Octets
import Secrets

/// One registration of a user as it is stored, without its token.
package struct Identity: Equatable, Sendable {
    /// The identity hash; in a file, the name of the section.
    package let id: IdentityHash
    /// A name for people; it is not compared with anything.
    package let label: [UInt8]
    /// The time of enrolment, in the form `2026-11-21T12:00:00Z`.
    package let enrolled: [UInt8]
    /// nil for a second device, which stores everything else itself.
    package let pin: PINIdentity?

    package init(id: IdentityHash, label: [UInt8], enrolled: [UInt8], pin: PINIdentity?) {
        self.id = id
        self.label = label
        self.enrolled = enrolled
        self.pin = pin
    }

    /// The method by which this identity logs in to its account.
    package var way: AuthenticationMethod { pin == nil ? .phone : .pin }
}

/// What a proof by PIN needs besides the token.
package struct PINIdentity: Equatable, Sendable {
    package let mpinID: [UInt8]
    /// The epoch of the master secret.
    package let epoch: UInt32
    /// The backend at which it was enrolled, for people.
    package let backend: [UInt8]
    package let rule: PINRule
    /// Whether it was enrolled for remote logins, too.
    package let remote: Bool
    /// nil for a PIN on this host.
    package let personal: PersonalBackend?

    package init(
        mpinID: [UInt8], epoch: UInt32, backend: [UInt8], rule: PINRule, remote: Bool,
        personal: PersonalBackend? = nil
    ) {
        self.mpinID = mpinID
        self.epoch = epoch
        self.backend = backend
        self.rule = rule
        self.remote = remote
        self.personal = personal
    }
}

/// What a user's own device stores about its backend; the token is only for that backend.
package struct PersonalBackend: Equatable, Sendable {
    /// The other origins that its clientSettings may name.
    package let alsoOrigins: [[UInt8]]
    /// The file of CA certificates; nil for the system's certificates.
    package let caFile: [UInt8]?
    /// Whether our client registered the device, so that its proofs are bound to their purpose.
    package let isBound: Bool

    package init(alsoOrigins: [[UInt8]], caFile: [UInt8]?, isBound: Bool = true) {
        self.alsoOrigins = alsoOrigins
        self.caFile = caFile
        self.isBound = isBound
    }
}

extension PINRule {
    /// Reads `scrypt N r p SALT` (with the salt as 32 hexadecimal digits), `milagro-string`, `number 10000`
    /// or `number 1000000`; nil for any other text.
    package init?(text: [UInt8]) {
        let words = words(text)
        guard let rule = words.first else { return nil }
        if rule.spells("scrypt"), words.count == 5 {
            let numbers = words[1...3].compactMap { wholeNumber($0, in: 1...1 << 17) }
            guard numbers.count == 3, let cost = StretchCost(n: numbers[0], r: numbers[1], p: numbers[2]),
                let salt = octets(fromHex: words[4]), salt.count == 16
            else { return nil }
            self = .scrypt(cost, salt: salt)
        } else if rule.spells("milagro-string"), words.count == 1 {
            self = .milagroString
        } else if rule.spells("number"), words.count == 2,
            let modulus = wholeNumber(words[1], in: 1...1_000_000), modulus == 10_000 || modulus == 1_000_000
        {
            self = .number(modulus: modulus)
        } else {
            return nil
        }
    }

    package var text: [UInt8] {
        switch self {
        case .scrypt(let cost, let salt):
            let numbers = [cost.blocks, cost.blockSize, cost.passes].map { decimal($0.magnitude) }
            return [UInt8](([ascii("scrypt")] + numbers + [hex(salt)]).joined(separator: [0x20]))
        case .milagroString: return ascii("milagro-string")
        case .number(let modulus): return ascii("number ") + decimal(modulus.magnitude)
        }
    }
}

/// Whether a text has the form `2026-11-21T12:00:00Z`. Texts of this form sort in the order of time.
package func isTime(_ text: [UInt8]) -> Bool {
    let form = ascii("dddd-dd-ddTdd:dd:ddZ")
    return text.count == form.count
        && zip(text, form).allSatisfy { sign, place in
            place == UInt8(ascii: "d") ? (0x30...0x39).contains(sign) : sign == place
        }
}
