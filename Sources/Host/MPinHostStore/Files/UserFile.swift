// SPDX-License-Identifier: Apache-2.0
// users/UID: the identities that may log in to one account or, in a user's own file on a second device, the
// identities of that user. The contents stay in a secret's memory, because they include tokens.
package import MPin
package import MPinProof
import MPinWire
package import Octets
import Secrets

package struct UserFile: ~Copyable {
    package let uid: UInt32
    /// This and `host` are empty in a user's own file on a second device, which is not used for logins here.
    package let name: [UInt8]
    package let host: [UInt8]
    package let identities: [Identity]
    private let octets: Secret
    /// The ranges of the tokens' digits in `octets`, in the order of `identities`; empty for an identity
    /// without a token.
    private let tokens: [Range<Int>]
    /// The ranges of the device keys, in the same order; empty for an identity without one.
    private let deviceKeys: [Range<Int>]

    init(_ octets: consuming Secret) throws(StoreError.Fault) {
        let sections = try octets.sections(leaving: ["token", "device-key"])
        let text: Text
        do throws(KeyError) { text = try Text(sections) } catch { throw .key(error) }
        for identity in text.identities {
            if let pin = identity.pin, identityHash(pin.mpinID) != identity.id { throw .otherIdentity }
        }
        uid = text.uid
        name = text.name
        host = text.host
        identities = text.identities
        tokens = text.tokens
        deviceKeys = text.deviceKeys
        self.octets = octets
    }

    /// The contents except tokens and device keys.
    private struct Text {
        let uid: UInt32
        let name: [UInt8]
        let host: [UInt8]
        var identities: [Identity] = []
        var tokens: [Range<Int>] = []
        var deviceKeys: [Range<Int>] = []

        init(_ sections: [Section]) throws(KeyError) {
            let head = sections.first ?? Section(name: nil, entries: [])
            let isPersonal = try head.one("mpin-device") != nil
            let form: StaticString = isPersonal ? "mpin-device" : "mpin-user"
            try head.allow(only: [form, "uid"] + (isPersonal ? [] : ["name", "host"]))
            _ = try head.value(form) { wholeNumber($0, in: 1...1) }
            uid = try head.uid()
            name = isPersonal ? [] : try head.text("name")
            host = isPersonal ? [] : try head.text("host")
            for section in sections.dropFirst() {
                identities.append(try Identity(section, isPersonal: isPersonal))
                tokens.append(section.all("token").first?.place ?? 0..<0)
                deviceKeys.append(try section.one("device-key")?.place ?? 0..<0)
            }
        }
    }

    /// The identity whose PIN is asked for: the last enrolled of those with a PIN. Of several enrolled in the
    /// same second, it is the last one in the file.
    package var pinIndex: Int? {
        identities.indices.reversed().filter { identities[$0].pin != nil }.max {
            identities[$0].enrolled.lexicographicallyPrecedes(identities[$1].enrolled)
        }
    }

    /// Hashes of the identities that may log in with a PIN on this host.
    package var pinIDs: [IdentityHash] { identities.filter { $0.pin != nil }.map { $0.id } }

    /// The token of an identity that has one.
    package borrowing func token(at index: Int) throws(StoreError.Fault) -> Token {
        guard tokens.indices.contains(index) else { throw .badSecret }
        let token = try octets.octets(fromHexAt: tokens[index], count: 65)
        do { return try Token(token) } catch {
            throw error == .outOfMemory ? .outOfMemory : .badSecret
        }
    }

    /// The device key of an identity; nil where it has none.
    package borrowing func deviceKey(at index: Int) throws(StoreError.Fault) -> DeviceKey? {
        guard deviceKeys.indices.contains(index), !deviceKeys[index].isEmpty else { return nil }
        let key = try octets.octets(fromHexAt: deviceKeys[index], count: DeviceKey.count)
        do { return try DeviceKey(key) } catch { throw error == .outOfMemory ? .outOfMemory : .badSecret }
    }

    /// Copies the line of a token to a file that is being written.
    borrowing func copyToken(at index: Int, to writer: inout SecretFileWriter) throws(StoreError.Fault) {
        try writer.append(ascii("token = "))
        try writer.append(octets, tokens[index])
        try writer.append([0x0a])
    }

    /// Copies the line of a device key, if there is one.
    borrowing func copyDeviceKey(at index: Int, to writer: inout SecretFileWriter) throws(StoreError.Fault) {
        guard !deviceKeys[index].isEmpty else { return }
        try writer.append(ascii("device-key = "))
        try writer.append(octets, deviceKeys[index])
        try writer.append([0x0a])
    }
}

extension Secret {
    /// The sections of a file. Values of `secretKeys` are not copied: their entries have only the range.
    borrowing func sections(leaving secretKeys: [StaticString]) throws(StoreError.Fault) -> [Section] {
        do throws(GrammarError) {
            return try withBytes { octets throws(GrammarError) in try parse(octets, leaving: secretKeys) }
        } catch {
            throw .grammar(line: error.line, error.reason)
        }
    }

    /// `count` octets decoded from hexadecimal digits of either case, without a copy outside secrets.
    borrowing func octets(
        fromHexAt place: Range<Int>, count: Int
    ) throws(StoreError.Fault) -> Secret {
        var decoded: Secret
        do { decoded = try Secret(count: count) } catch { throw .outOfMemory }
        let fits = decoded.withMutableBytes { decoded in
            withBytes { text in decode(text, place, into: &decoded) }
        }
        guard fits else { throw .badSecret }
        return decoded
    }
}

private func decode(_ text: RawSpan, _ place: Range<Int>, into decoded: inout MutableRawSpan) -> Bool {
    guard place.count == decoded.byteCount * 2, place.lowerBound >= 0, place.upperBound <= text.byteCount
    else { return false }
    for index in 0..<decoded.byteCount {
        let first = place.lowerBound + index * 2
        let digits = unsafe (
            text.unsafeLoad(fromByteOffset: first, as: UInt8.self),
            text.unsafeLoad(fromByteOffset: first + 1, as: UInt8.self)
        )
        guard let high = nibble(digits.0), let low = nibble(digits.1) else { return false }
        decoded.storeBytes(of: high << 4 | low, toByteOffset: index, as: UInt8.self)
    }
    return true
}
