// SPDX-License-Identifier: Apache-2.0
// One identity of an account, as a section of users/UID says it.
package import MPin
import MPinWire
import Secrets

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

    package var way: Way { pin == nil ? .phone : .pin }
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

extension Identity {
    private static var commonKeys: [StaticString] { ["label", "way", "enrolled"] }
    private static var pinKeys: [StaticString] {
        ["mpin-id", "suite", "epoch", "backend", "pin-rule", "token"]
    }
    private static var personalKeys: [StaticString] { ["also-origin", "ca-file", "bound", "device-key"] }

    /// - Parameter isPersonal: the file is a person's own, on a second device.
    init(_ section: Section, isPersonal: Bool) throws(KeyError) {
        guard let name = section.name, let id = octets(fromHex: name), id.count == 32, hex(id) == name else {
            throw KeyError(line: section.line, key: section.name ?? [], problem: .badValue)
        }
        self.id = id
        let way = try section.required("way")
        if way.value.spells("pin") {
            let more = isPersonal ? Identity.personalKeys : ["remote"]
            try section.allow(only: Identity.commonKeys + Identity.pinKeys + more)
            pin = try PINIdentity(section, isPersonal: isPersonal)
        } else if !isPersonal, way.value.spells("phone") {
            try section.allow(only: Identity.commonKeys)
            pin = nil
        } else {
            throw way.badValue
        }
        label = try section.value("label") { (1...255).contains($0.count) ? $0 : nil }
        enrolled = try section.value("enrolled") { isTime($0) ? $0 : nil }
    }

    /// The entries of the section, but for the token and the device key.
    var entries: [Entry] {
        var entries = [
            Entry(key: ascii("label"), value: label),
            Entry(key: ascii("way"), value: ascii(pin == nil ? "phone" : "pin")),
            Entry(key: ascii("enrolled"), value: enrolled),
        ]
        if let pin { entries += pin.entries }
        return entries
    }
}

extension PINIdentity {
    fileprivate init(_ section: Section, isPersonal: Bool) throws(KeyError) {
        mpinID = try section.value("mpin-id") { text in
            octets(fromHex: text).flatMap { (1...Bound.mpinID).contains($0.count) ? $0 : nil }
        }
        let suite = try section.required("suite")
        guard suite.value.spells("bn254cx") else { throw suite.badValue }
        epoch = try section.value("epoch") { wholeNumber($0, in: 0...Int(UInt32.max)).map { UInt32($0) } }
        backend = try section.value("backend") { isPersonal ? Backend($0)?.address : $0.isEmpty ? nil : $0 }
        rule = try section.value("pin-rule") { PINRule(text: $0) }
        personal = isPersonal ? try PersonalBackend(section) : nil
        remote =
            isPersonal
            ? false
            : try section.value("remote") { text in
                text.spells("yes") ? true : text.spells("no") ? false : nil
            }
        _ = try section.required("token")
    }

    fileprivate var entries: [Entry] {
        [
            Entry(key: ascii("mpin-id"), value: hex(mpinID)),
            Entry(key: ascii("suite"), value: ascii("bn254cx")),
            Entry(key: ascii("epoch"), value: decimal(epoch)),
            Entry(key: ascii("backend"), value: backend),
            Entry(key: ascii("pin-rule"), value: rule.text),
        ] + (personal?.entries ?? [Entry(key: ascii("remote"), value: ascii(remote ? "yes" : "no"))])
    }
}

extension PersonalBackend {
    fileprivate init(_ section: Section) throws(KeyError) {
        var origins: [[UInt8]] = []
        for entry in section.all("also-origin") {
            guard let origin = origin(entry.value) else { throw entry.badValue }
            origins.append(origin)
        }
        let file = try section.one("ca-file")
        if let file, !isAbsolutePath(file.value) { throw file.badValue }
        let bound = try section.one("bound")
        if let bound, !bound.value.spells("no") { throw bound.badValue }
        self.init(alsoOrigins: origins, caFile: file?.value, isBound: bound == nil)
    }

    fileprivate var entries: [Entry] {
        alsoOrigins.map { Entry(key: ascii("also-origin"), value: $0) }
            + (caFile.map { [Entry(key: ascii("ca-file"), value: $0)] } ?? [])
            + (isBound ? [] : [Entry(key: ascii("bound"), value: ascii("no"))])
    }
}

extension PINRule {
    /// `scrypt 16384 8 1 <32 hex salt>`, `milagro-string`, `number 10000`, `number 1000000`.
    package init?(text: [UInt8]) {
        let words = words(text)
        guard let rule = words.first else { return nil }
        if rule.spells("scrypt"), words.count == 5 {
            let numbers = words[1...3].compactMap { wholeNumber($0, in: 1...Int(UInt32.max)) }
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

extension Section {
    /// The value of a required key as its reader takes it.
    func value<T>(_ key: StaticString, _ read: ([UInt8]) -> T?) throws(KeyError) -> T {
        let entry = try required(key)
        guard let value = read(entry.value) else { throw entry.badValue }
        return value
    }
}

/// `2026-11-21T12:00:00Z`: of this form, texts stand in the order of time.
private func isTime(_ text: [UInt8]) -> Bool {
    let form = ascii("dddd-dd-ddTdd:dd:ddZ")
    return text.count == form.count
        && zip(text, form).allSatisfy { sign, place in
            place == UInt8(ascii: "d") ? (0x30...0x39).contains(sign) : sign == place
        }
}
