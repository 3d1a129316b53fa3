// SPDX-License-Identifier: Apache-2.0
// codes/UID: the set of backup codes of one account on this host. The folder codes/UID.unused shows which of
// them are unused.
import MPin
import MPinProof
import MPinWire
import Octets
import Secrets

struct CodeFile {
    let uid: UInt32
    let name: [UInt8]
    let host: [UInt8]
    /// All codes of the set, used ones too.
    package private(set) var codes: BackupCodes

    init(_ octets: consuming Secret) throws(StoreError.Fault) {
        let sections = try octets.sections(leaving: [])
        do throws(KeyError) { try self.init(sections) } catch { throw .key(error) }
    }

    private init(_ sections: [Section]) throws(KeyError) {
        let head = try sections.head(
            of: "mpin-codes", keys: ["uid", "name", "host", "made", "rule", "code"])
        uid = try head.uid()
        name = try head.text("name")
        host = try head.text("host")
        _ = try head.text("made")
        let rule = try head.required("rule")
        guard case .scrypt(let cost, let salt) = PINRule(text: rule.value) else { throw rule.badValue }
        codes = BackupCodes(cost: cost, salt: salt, hashes: [])
        for entry in head.all("code") {
            guard let hash = octets(fromHex: entry.value), codes.add(hash) else { throw entry.badValue }
        }
    }
}
