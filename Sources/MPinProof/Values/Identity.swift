// SPDX-License-Identifier: Apache-2.0
// One identity of an account or of a device, as values.
package import MPin
import MPinWire
import Octets
import Secrets

/// One registration of a user as a store keeps it, without its token.
package struct Identity: Equatable, Sendable {
    /// SHA-256 of the mpinId, 32 octets; the section's name.
    package let id: [UInt8]
    /// For people; compared with nothing.
    package let label: [UInt8]
    /// `2026-11-21T12:00:00Z`.
    package let enrolled: [UInt8]
    /// nil: a second device, which keeps all else itself.
    package let pin: PINIdentity?

    package init(id: [UInt8], label: [UInt8], enrolled: [UInt8], pin: PINIdentity?) {
        self.id = id
        self.label = label
        self.enrolled = enrolled
        self.pin = pin
    }

    package var way: AuthenticationMethod { pin == nil ? .phone : .pin }
}

/// What a PIN on this host needs beside its token.
package struct PINIdentity: Equatable, Sendable {
    package let mpinID: [UInt8]
    /// Of the master secret.
    package let epoch: UInt32
    /// Where it was enrolled, for people.
    package let backend: [UInt8]
    package let rule: PINRule
    /// Enrolled to be typed from afar.
    package let remote: Bool
    /// nil: a PIN on this host.
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

/// What a person's own device keeps of its backend: the token is for that one alone.
package struct PersonalBackend: Equatable, Sendable {
    /// Whom its clientSettings may name beside itself.
    package let alsoOrigins: [[UInt8]]
    /// nil: the system's certificates.
    package let caFile: [UInt8]?
    /// Registered by a client of ours: its proofs say what they are for.
    package let isBound: Bool

    package init(alsoOrigins: [[UInt8]], caFile: [UInt8]?, isBound: Bool = true) {
        self.alsoOrigins = alsoOrigins
        self.caFile = caFile
        self.isBound = isBound
    }
}

extension PINRule {
    /// `scrypt 16384 8 1 <32 hex salt>`, `milagro-string`, `number 10000`, `number 1000000`.
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

/// `2026-11-21T12:00:00Z`: of this form, texts stand in the order of time.
package func isTime(_ text: [UInt8]) -> Bool {
    let form = ascii("dddd-dd-ddTdd:dd:ddZ")
    return text.count == form.count
        && zip(text, form).allSatisfy { sign, place in
            place == UInt8(ascii: "d") ? (0x30...0x39).contains(sign) : sign == place
        }
}
