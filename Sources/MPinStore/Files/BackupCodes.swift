// SPDX-License-Identifier: Apache-2.0
// Backup codes: what an account may type once each when PIN and second device are of no help.
package import MPin
package import MPinProof
package import Secrets

/// The unused codes of a set, as hashes: the letters are with their owner alone.
package struct BackupCodes: Equatable, Sendable {
    /// How many a set has, and may have.
    package static let usual = 8
    package static let most = 16

    /// One salt for the set: what is typed is stretched once, however many codes there are.
    let cost: StretchCost
    let salt: [UInt8]
    /// 32 octets for each.
    private(set) var hashes: [[UInt8]]

    package var left: Int { hashes.count }

    init(cost: StretchCost, salt: [UInt8], hashes: [[UInt8]]) {
        (self.cost, self.salt, self.hashes) = (cost, salt, hashes)
    }

    /// A new set, and each of its codes as it is shown this once.
    package static func draw(
        _ count: Int
    ) throws(SealFailure) -> (set: BackupCodes, shown: [[UInt8]]) {
        let salt: [UInt8]
        do { salt = try randomOctets(16) } catch { throw .noRandomness }
        var set = BackupCodes(cost: .standard, salt: salt, hashes: [])
        var shown: [[UInt8]] = []
        for _ in 0..<count {
            let code = try OneTimeCode.random()
            do { set.hashes.append(try set.hash(of: code.letters)) } catch { throw .outOfMemory }
            shown.append(code.shown())
        }
        return (set, shown)
    }

    /// What is kept of sixteen letters. Stretched, they are beyond guessing, so their SHA-256 is public.
    private func hash(of letters: borrowing Secret) throws(OutOfMemory) -> [UInt8] {
        sha256(try stretch(letters, salt: salt, cost: cost, count: 32))
    }

    /// The hash of what was typed, if it is one of these codes: it is compared with each of them, in constant
    /// time.
    package func hash(matching typed: borrowing Secret) throws(OutOfMemory) -> [UInt8]? {
        guard let letters = try CodeAlphabet.letters(of: typed, count: OneTimeCode.count) else { return nil }
        let hash = try hash(of: letters)
        var isOne = false
        for known in hashes { isOne = constantTimeEqual(known, hash) || isOne }
        return isOne ? hash : nil
    }

    /// Adds a code; false if it is none, or one too many, or here already: twice it would be good twice.
    mutating func add(_ hash: [UInt8]) -> Bool {
        guard hash.count == 32, left < BackupCodes.most, !hashes.contains(hash) else { return false }
        hashes.append(hash)
        return true
    }

    /// The codes of this set that `isUnused` says are.
    func only(where isUnused: ([UInt8]) -> Bool) -> BackupCodes {
        BackupCodes(cost: cost, salt: salt, hashes: hashes.filter(isUnused))
    }
}

/// A code that is to be struck out before anybody is let in by it.
package struct Strike: Equatable, Sendable {
    let place: CodePlace
    package let hash: [UInt8]

    package init(place: CodePlace, hash: [UInt8]) {
        self.place = place
        self.hash = hash
    }

    /// Strikes it out for good. How many codes are left; nil if somebody else has used it in the meantime.
    package func carryOut() throws(StoreError) -> Int? {
        try FileStore(at: place.store).strike(hash, at: place)
    }
}

/// Whose codes, and in which store.
package struct CodePlace: Equatable, Sendable {
    let store: [UInt8]
    let uid: UInt32
    let name: [UInt8]
    let host: [UInt8]

    /// - Parameters:
    ///   - store: the store's folder.
    ///   - name: of the account, which must be the one in the file.
    ///   - host: of the host key, which must be the one in the file.
    package init(store: [UInt8], uid: UInt32, name: [UInt8], host: [UInt8]) {
        self.store = store
        self.uid = uid
        self.name = name
        self.host = host
    }
}
