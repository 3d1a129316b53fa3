// SPDX-License-Identifier: Apache-2.0
// The records that a phone keeps: of an identity, and of an enrolment that was interrupted. The script seals
// them and never reads their contents.
import MPin
import MPinProof
import MPinWire
import Octets
import PageMessages

enum Record {
    private static var version: StaticString { "mpin device 1" }

    /// The fields are version, label, time, mpinId, server, PIN rule, token and device key. nil for an
    /// identity without a PIN.
    static func write(
        _ identity: Identity, token: borrowing Token, key: borrowing DeviceKey
    ) -> [UInt8]? {
        guard let pin = identity.pin else { return nil }
        var record = Message(version)
        for field in [identity.label, identity.enrolled, pin.mpinID, pin.backend, pin.rule.text] {
            record.add(field)
        }
        record.add(token.withOctets(copied))
        record.add(key.withOctets(copied))
        return record.octets
    }

    /// The same with an optional device key; nil without one, because a phone always has a device key.
    static func write(
        _ identity: Identity, token: borrowing Token, key: borrowing DeviceKey?
    ) -> [UInt8]? {
        switch key {
        case .none: nil
        case .some(let key): write(identity, token: token, key: key)
        }
    }

    /// nil for a record that `write` would not have written, or one of another server.
    static func read(_ octets: [UInt8], at origin: [UInt8]) -> Credential? {
        guard let fields = fields(of: unsafe octets.span.bytes), fields.count == 8,
            fields[0].spells(version), let identity = identity(fields, at: origin),
            let tokenOctets = secret(fields[6]), let token = try? Token(tokenOctets),
            let keyOctets = secret(fields[7]), let key = try? DeviceKey(keyOctets)
        else { return nil }
        return Credential(
            identity: identity, token: token, ids: [identity.id], hostKey: nil, deviceKey: key)
    }

    private static func identity(_ fields: [[UInt8]], at origin: [UInt8]) -> Identity? {
        let (label, enrolled, mpinID) = (fields[1], fields[2], fields[3])
        guard (1...Bound.name).contains(label.count), isPlainText(label), isTime(enrolled),
            (1...Bound.mpinID).contains(mpinID.count), fields[4] == origin,
            let rule = PINRule(text: fields[5]), rule.text == fields[5]
        else { return nil }
        return Identity(
            id: identityHash(mpinID), label: label, enrolled: enrolled,
            pin: PINIdentity(
                mpinID: mpinID, epoch: 1, backend: origin, rule: rule, remote: false,
                personal: PersonalBackend(alsoOrigins: [], caFile: nil)))
    }
}

extension Members {
    /// The records of one to sixteen identities at this server; nil if there are others.
    func records(at origin: [UInt8]) -> [[UInt8]]? {
        let records = all("record")
        guard (1...16).contains(records.count) else { return nil }
        for record in records { guard Record.read(record, at: origin) != nil else { return nil } }
        return records
    }
}

extension PendingRegistration {
    private static var version: StaticString { "mpin pending 1" }

    /// The fields are version, user, mpinId, registration ticket, server and activation code.
    var record: [UInt8] {
        var record = Message(PendingRegistration.version)
        for field in [userID, mpinID, regOTT, backend, activationCode] { record.add(field) }
        return record.octets
    }

    /// nil for octets that `record` would not be, or a record of another server.
    init?(record: [UInt8], at origin: [UInt8]) {
        guard let fields = fields(of: unsafe record.span.bytes), fields.count == 6,
            fields[0].spells(PendingRegistration.version), isName(fields[1]),
            (1...Bound.mpinID).contains(fields[2].count), isTicket(fields[3]), fields[4] == origin,
            isCode(fields[5])
        else { return nil }
        self.init(
            userID: fields[1], mpinID: fields[2], regOTT: fields[3], a: nil, backend: origin,
            activationCode: fields[5])
    }
}

func isName(_ text: [UInt8]) -> Bool { (1...Bound.name).contains(text.count) && isPlainText(text) }

func isTicket(_ text: [UInt8]) -> Bool { (1...Bound.ticket).contains(text.count) && isPlainText(text) }

/// A code is empty where an administrator confirms the registration.
func isCode(_ text: [UInt8]) -> Bool { text.count <= Bound.code && isPlainText(text) }
