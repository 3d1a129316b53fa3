// SPDX-License-Identifier: Apache-2.0
// Sixteen letters that an administrator hands out once: an activation code, or a host's join code.
import Octets
package import Secrets

/// 69 bits; 64 where it stands in a picture. Good once. It is kept as letters without hyphens.
public struct OneTimeCode: ~Copyable, Sendable {
    package static let count = 16
    package let letters: Secret

    /// Takes what was typed or sent, in any case, with blanks and hyphens; `malformed` if it is none.
    package init(typed: borrowing Secret) throws(SealFailure) {
        let letters: Secret?
        do { letters = try CodeAlphabet.letters(of: typed, count: Self.count) } catch { throw .outOfMemory }
        guard let letters else { throw .malformed }
        self.letters = letters
    }

    private init(letters: consuming Secret) { self.letters = letters }

    /// Whether it has the form of a code that stands in a picture: its letters, as digits of base 20, sum to
    /// 0 modulo 20. A code to be typed never has it, so nobody puts one into a picture by mistake, where
    /// whoever scans it first could log in at once.
    package var isForPicture: Bool {
        letters.withBytes { letters in
            var sum = 0
            for index in 0..<letters.byteCount {
                let letter = unsafe letters.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                sum += CodeAlphabet.letters.firstIndex(of: letter) ?? 0
            }
            return sum.isMultiple(of: 20)
        }
    }

    /// Draws a new code of that form, each equally likely.
    package static func random(forPicture: Bool = false) throws(SealFailure) -> OneTimeCode {
        while true {
            let code = try drawn()
            if code.isForPicture == forPicture { return code }
        }
    }

    private static func drawn() throws(SealFailure) -> OneTimeCode {
        var letters = try secret(count: count)
        var drawn = try secret(count: 64)
        var written = 0
        while written < count {
            do { try drawn.randomize() } catch { throw .noRandomness }
            for index in 0..<drawn.count where written < count {
                let octet = drawn.withBytes { unsafe $0.unsafeLoad(fromByteOffset: index, as: UInt8.self) }
                // The 16 values above 12 x 20 would favour the first letters.
                guard octet < 240 else { continue }
                let (letter, _) = CodeAlphabet.lastLetter(UInt64(octet))
                letters.withMutableBytes {
                    $0.storeBytes(of: letter, toByteOffset: written, as: UInt8.self)
                }
                written += 1
            }
        }
        return OneTimeCode(letters: letters)
    }

    /// The letters grouped by four, for the one time that they are shown: 19 signs.
    package borrowing func shown() -> [UInt8] {
        letters.withBytes { letters in
            var text: [UInt8] = []
            for index in 0..<letters.byteCount {
                if index > 0, index.isMultiple(of: 4) { text.append(0x2d) }
                text.append(unsafe letters.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
            return text
        }
    }

    /// What mpind keeps of an activation code: SHA-256 of the letters.
    package borrowing func hash() -> [UInt8] { sha256(letters) }

    /// Names a join code at mpind without showing it: 16 octets (seal.md, section 2).
    package borrowing func joinID() throws(SealFailure) -> [UInt8] {
        do {
            let text = try Secret(joining: SealWriter("mpin join 1").octets, letters)
            return [UInt8](sha256(text).prefix(16))
        } catch { throw .outOfMemory }
    }

    /// K_join: opens the host's key, and is what mpind keeps (sealed) in place of the code.
    package borrowing func joinKey(host: [UInt8]) throws(SealFailure) -> Secret {
        guard (1...SealBound.text).contains(host.count) else { throw .malformed }
        var writer = SealWriter("mpin key join 1")
        writer.text(host)
        return try derived(letters, writer.octets)
    }
}

extension HostKey {
    /// The key as it travels to a host that joins: 48 octets. A join key seals one epoch's key and no other.
    package borrowing func sealed(joinKey: borrowing Secret) throws(SealFailure) -> [UInt8] {
        do {
            return try AESGCM.seal(key, key: joinKey, nonce: joinNonce, associated: bigEndian(epoch))
        } catch { throw SealFailure(error) }
    }

    /// Opens what `sealed(joinKey:)` sealed.
    package init(
        name: [UInt8], epoch: UInt32, sealedKey: [UInt8], joinKey: borrowing Secret
    ) throws(SealFailure) {
        let key: Secret
        do {
            key = try AESGCM.open(
                sealedKey, key: joinKey, nonce: joinNonce, associated: bigEndian(epoch))
        } catch { throw SealFailure(error) }
        try self.init(name: name, epoch: epoch, key: key)
    }
}

private let joinNonce = [UInt8](repeating: 0, count: 12)
