// SPDX-License-Identifier: Apache-2.0
// The reply to an HTTP request: its status, and the members of the JSON object in its body, as text.
import MPinProof
import MPinWire
import Octets

struct Reply {
    let status: UInt16
    private let members: Members

    /// nil unless the fields are `answer STATUS (NAME VALUE)*`.
    init?(_ fields: [[UInt8]]) {
        guard fields.count >= 2, let members = Members(fields.dropFirst(2)) else { return nil }
        let status = wholeNumber(fields[1], in: 0...UInt16(599))
        self.status =
            status.flatMap { $0 == RelayResponse.unreachable || $0 >= 100 ? $0 : nil }
            ?? RelayResponse.notUnderstood
        self.members = members
    }

    subscript(_ name: StaticString) -> [UInt8]? { members[name] }

    /// The values with this name, for a member of the objects in an array.
    func all(_ name: StaticString) -> [[UInt8]] { members.all(name) }

    func octets(_ name: StaticString) -> [UInt8]? { self[name].flatMap { Octets.octets(fromHex: $0) } }

    /// A ticket; the next request has it in its path or body.
    func ticket(_ name: StaticString) -> [UInt8]? { self[name].flatMap { isTicket($0) ? $0 : nil } }

    /// A flag as mpind writes it: a JSON flag, or 0 or 1. nil if it is missing or anything else.
    func flag(_ name: StaticString) -> Bool? {
        guard let text = self[name] else { return nil }
        if text.spells("true") || text.spells("1") { return true }
        return text.spells("false") || text.spells("0") ? false : nil
    }

    /// nil if the number is missing or out of bounds.
    func number(_ name: StaticString, in bounds: ClosedRange<Int>) -> Int? {
        self[name].flatMap { wholeNumber($0, in: bounds) }
    }
}
