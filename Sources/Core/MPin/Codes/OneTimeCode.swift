// SPDX-License-Identifier: Apache-2.0
// Codes of sixteen letters that an administrator hands out: activation codes and join codes.
package import Octets
package import Secrets

/// An activation code or a join code. It has 69 bits of entropy (64 in a QR code), can be used once, and is
/// stored as letters without hyphens.
public struct OneTimeCode: ~Copyable, Sendable {
    /// The number of letters.
    package static let count = 16
    /// The 16 letters in upper case.
    package let letters: Secret

    /// Reads a typed or sent code, in upper or lower case, with or without blanks and hyphens. Throws
    /// `malformed` if it is not such a code.
    package init(typed: borrowing Secret) throws(SealFailure) {
        let letters: Secret?
        do { letters = try CodeAlphabet.letters(of: typed, count: Self.count) } catch { throw .outOfMemory }
        guard let letters else { throw .malformed }
        self.letters = letters
    }

    private init(letters: consuming Secret) { self.letters = letters }

    /// Whether the code has the form of codes for QR codes: the sum of its letters, as digits of base 20, is
    /// 0 modulo 20. A code to be typed never has this form, so it cannot get into a QR code by mistake, where
    /// the first person to scan it could log in at once.
    package var isForQRCode: Bool {
        letters.withBytes { letters in
            var sum: UInt64 = 0
            for index in 0..<letters.byteCount {
                let letter = unsafe letters.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                sum += UInt64(CodeAlphabet.letters.firstIndex(of: letter) ?? 0)
            }
            return CodeAlphabet.lastLetter(sum).letter == CodeAlphabet.letters[0]
        }
    }

    /// Draws a new code with or without that form; all such codes are equally likely.
    package static func random(forQRCode: Bool = false) throws(SealFailure) -> OneTimeCode {
        while true {
            let code = try drawn()
            if code.isForQRCode == forQRCode { return code }
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
                // The 16 values from 12 x 20 on would favour the first letters.
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

    /// The letters in groups of four with hyphens between them, 19 characters, for the one time that the code
    /// is shown.
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

    /// What mpind stores of an activation code.
    package borrowing func hash() -> OneTimeCodeHash { OneTimeCodeHash(own: sha256(letters)) }

    /// `joinId`, 16 octets, which identifies a join code to mpind without revealing it (seal.md, section 2).
    package borrowing func joinID() throws(SealFailure) -> [UInt8] {
        do {
            let text = try Secret(joining: SealWriter("mpin join 1").octets, letters)
            return [UInt8](sha256(text).prefix(16))
        } catch { throw .outOfMemory }
    }

    /// K_join, 32 octets (seal.md, section 2). It decrypts the host's key; mpind stores it, sealed, instead
    /// of the code.
    package borrowing func joinKey(host: [UInt8]) throws(SealFailure) -> Secret {
        guard (1...SealBound.text).contains(host.count) else { throw .malformed }
        var writer = SealWriter("mpin key join 1")
        writer.text(host)
        return try derived(letters, writer.octets)
    }
}

extension HostKey {
    /// K_host encrypted for a host that joins (`sealedKey`): 48 octets. One join key encrypts the key of only
    /// one epoch, because the nonce is constant.
    package borrowing func sealed(joinKey: borrowing Secret) throws(SealFailure) -> [UInt8] {
        do {
            return try AESGCM.seal(key, key: joinKey, nonce: joinNonce, associated: bigEndian(epoch))
        } catch { throw SealFailure(error) }
    }

    /// Decrypts the result of `sealed(joinKey:)`. Throws `notAuthentic` if it was not sealed under this join
    /// key for this epoch.
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
