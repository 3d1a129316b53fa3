// SPDX-License-Identifier: Apache-2.0
// codes/UID: the backup codes of one account on this host. A used one is blotted out where it stands.
import MPin
import MPinWire
import Secrets

struct CodeFile: ~Copyable {
    private(set) var text: Text
    private var page: Secret

    struct Text {
        let uid: UInt32
        let name: [UInt8]
        let host: [UInt8]
        fileprivate(set) var codes: BackupCodes
        /// Where the codes stand, in their order.
        fileprivate var places: [Range<Int>] = []

        fileprivate init(_ sections: [Section]) throws(KeyError) {
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
                guard let hash = octets(fromHex: entry.value), codes.add(hash) else {
                    throw entry.badValue
                }
                places.append(entry.place)
            }
        }
    }

    init(_ octets: consuming Secret) throws(StoreError.Fault) {
        let sections = try octets.sections(leaving: [])
        do throws(KeyError) { text = try Text(sections) } catch { throw .key(error) }
        page = octets
    }

    /// Blots a code out; false if it is none of these.
    mutating func strike(_ hash: [UInt8]) -> Bool {
        guard let index = text.codes.strike(hash) else { return false }
        let place = text.places.remove(at: index)
        page.withMutableBytes { octets in
            var index = place.upperBound
            // Back over value and key, to where the line before ends.
            while index > 0, octet(octets, index - 1) != 0x0a {
                index -= 1
                octets.storeBytes(of: 0x20, toByteOffset: index, as: UInt8.self)
            }
        }
        return true
    }

    /// Puts this in the place of the account's file, whole or not at all.
    borrowing func replace(in folder: borrowing Descriptor) throws(StoreError.Fault) {
        try folder.replace(decimal(text.uid), by: page, count: page.count)
    }
}

private func octet(_ octets: borrowing MutableRawSpan, _ index: Int) -> UInt8 {
    unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self)
}
