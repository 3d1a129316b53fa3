// SPDX-License-Identifier: Apache-2.0
// Reads and writes one identity of an account as a section of users/UID.
import MPin
import MPinProof
import MPinWire
import Octets

extension Identity {
    private static var commonKeys: [StaticString] { ["label", "way", "enrolled"] }
    private static var pinKeys: [StaticString] {
        ["mpin-id", "suite", "epoch", "backend", "pin-rule", "token"]
    }
    private static var personalKeys: [StaticString] { ["also-origin", "ca-file", "bound", "device-key"] }

    /// - Parameter isPersonal: the file is a user's own, on a second device.
    init(_ section: Section, isPersonal: Bool) throws(KeyError) {
        guard let name = section.name, let id = octets(fromHex: name).flatMap({ IdentityHash($0) }),
            hex(id) == name
        else {
            throw KeyError(line: section.line, key: section.name ?? [], problem: .badValue)
        }
        let pin: PINIdentity?
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
        let label = try section.value("label") { (1...255).contains($0.count) ? $0 : nil }
        let enrolled = try section.value("enrolled") { isTime($0) ? $0 : nil }
        self.init(id: id, label: label, enrolled: enrolled, pin: pin)
    }

    /// The entries of the section, without token and device key.
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
        let mpinID = try section.value("mpin-id") { text in
            octets(fromHex: text).flatMap { (1...Bound.mpinID).contains($0.count) ? $0 : nil }
        }
        let suite = try section.required("suite")
        guard suite.value.spells("bn254cx") else { throw suite.badValue }
        let epoch = try section.value("epoch") { wholeNumber($0, in: 0...UInt32.max) }
        let backend = try section.value("backend") { text in
            isPersonal ? Backend(text)?.address : text.isEmpty ? nil : text
        }
        let rule = try section.value("pin-rule") { PINRule(text: $0) }
        let personal = isPersonal ? try PersonalBackend(section) : nil
        let remote =
            isPersonal
            ? false
            : try section.value("remote") { text in
                text.spells("yes") ? true : text.spells("no") ? false : nil
            }
        _ = try section.required("token")
        self.init(
            mpinID: mpinID, epoch: epoch, backend: backend, rule: rule, remote: remote, personal: personal)
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

extension Section {
    /// The value of a required key, converted by `read`; nil from `read` is a bad value.
    func value<T>(_ key: StaticString, _ read: ([UInt8]) -> T?) throws(KeyError) -> T {
        let entry = try required(key)
        guard let value = read(entry.value) else { throw entry.badValue }
        return value
    }
}
