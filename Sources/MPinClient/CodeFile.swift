// SPDX-License-Identifier: Apache-2.0
// codes/UID: the backup codes of one account on this host. It holds hashes alone, so it needs no secret pages.
import MPin
import MPinWire
import Secrets

struct CodeFile {
    let uid: UInt32
    let name: [UInt8]
    let host: [UInt8]
    var codes: BackupCodes

    init(_ account: Account, host: [UInt8], _ codes: BackupCodes) {
        (uid, name, self.host, self.codes) = (account.uid, account.name, host, codes)
    }

    init(_ octets: borrowing Secret) throws(StoreError.Fault) {
        let sections = try octets.sections(leaving: [])
        do throws(KeyError) { try self.init(sections) } catch { throw .key(error) }
    }

    private init(_ sections: [Section]) throws(KeyError) {
        let head = try sections.head(of: "mpin-codes", keys: ["uid", "name", "host", "made", "rule", "code"])
        uid = try head.value("uid") { wholeNumber($0, in: 0...Int(UInt32.max)).map { UInt32($0) } }
        name = try head.value("name") { $0.isEmpty ? nil : $0 }
        host = try head.value("host") { $0.isEmpty ? nil : $0 }
        let made = try head.value("made") { isTime($0) ? $0 : nil }
        let rule = try head.required("rule")
        guard case .scrypt(let cost, let salt) = PINRule(text: rule.value) else { throw rule.badValue }
        var hashes: [[UInt8]] = []
        for entry in head.all("code") {
            // A code that stood here twice would be good twice.
            guard let hash = octets(fromHex: entry.value), hash.count == 32, !hashes.contains(hash),
                hashes.count < BackupCodes.most
            else { throw entry.badValue }
            hashes.append(hash)
        }
        codes = BackupCodes(cost: cost, salt: salt, made: made, hashes: hashes)
    }

    private var entries: [Entry] {
        [
            Entry(key: ascii("mpin-codes"), value: ascii("1")),
            Entry(key: ascii("uid"), value: decimal(uid)), Entry(key: ascii("name"), value: name),
            Entry(key: ascii("host"), value: host), Entry(key: ascii("made"), value: codes.made),
            Entry(key: ascii("rule"), value: PINRule.scrypt(codes.cost, salt: codes.salt).text),
        ] + codes.hashes.map { Entry(key: ascii("code"), value: hex($0)) }
    }

    /// Puts this in the place of the account's file, whole or not at all.
    func replace(in folder: borrowing Descriptor) throws(StoreError.Fault) {
        var draft = try Draft()
        try draft.append(entries)
        // What this program could not read again it must not write.
        let new = try CodeFile(try draft.text())
        guard new.name == name, new.host == host else { throw .key(badName) }
        try draft.replace(decimal(uid), in: folder)
    }
}
