// SPDX-License-Identifier: Apache-2.0
// Backup codes: each one lets the user of an account in once when PIN and second device cannot be used.
package import MPin
package import MPinProof
package import Secrets

/// The unused codes of a set, as hashes: only the user has the letters.
package struct BackupCodes: Equatable, Sendable {
    /// How many codes a set has by default, and at most.
    package static let usual = 8
    package static let most = 16

    /// Cost and salt are the same for the whole set, so a typed code is stretched only once.
    let cost: StretchCost
    let salt: [UInt8]
    /// 32 octets for each code.
    private(set) var hashes: [[UInt8]]

    package var left: Int { hashes.count }

    init(cost: StretchCost, salt: [UInt8], hashes: [[UInt8]]) {
        (self.cost, self.salt, self.hashes) = (cost, salt, hashes)
    }

    /// Draws a new set; `shown` has its codes as text, which nothing can show again.
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

    /// The stored hash of sixteen letters. It need not be secret: stretched, the letters cannot be guessed.
    private func hash(of letters: borrowing Secret) throws(OutOfMemory) -> [UInt8] {
        sha256(try stretch(letters, salt: salt, cost: cost, count: 32))
    }

    /// The hash of the typed code, if it is one of this set; nil otherwise. It is compared with every hash,
    /// in constant time.
    package func hash(matching typed: borrowing Secret) throws(OutOfMemory) -> [UInt8]? {
        guard let letters = try CodeAlphabet.letters(of: typed, count: OneTimeCode.count) else { return nil }
        let hash = try hash(of: letters)
        var isOne = false
        for known in hashes { isOne = constantTimeEqual(known, hash) || isOne }
        return isOne ? hash : nil
    }

    /// Adds a hash; false if it does not have 32 octets, the set is full, or the set has it already.
    mutating func add(_ hash: [UInt8]) -> Bool {
        guard hash.count == 32, left < BackupCodes.most, !hashes.contains(hash) else { return false }
        hashes.append(hash)
        return true
    }

    /// The same set with only the codes for which `isUnused` is true.
    func only(where isUnused: ([UInt8]) -> Bool) -> BackupCodes {
        BackupCodes(cost: cost, salt: salt, hashes: hashes.filter(isUnused))
    }
}

/// A code that must be struck out before it lets the user in.
package struct Strike: Equatable, Sendable {
    let place: BackupCodePlace
    package let hash: [UInt8]

    package init(place: BackupCodePlace, hash: [UInt8]) {
        self.place = place
        self.hash = hash
    }

    /// Strikes the code out for good. Returns how many codes are left; nil if another login used this one in
    /// the meantime.
    package func carryOut() throws(StoreError) -> Int? {
        try FileStore(at: place.store).strike(hash, at: place)
    }
}

/// The account whose codes they are, and the store that holds them.
package struct BackupCodePlace: Equatable, Sendable {
    let store: [UInt8]
    let uid: UInt32
    let name: [UInt8]
    let host: [UInt8]

    /// - Parameters:
    ///   - store: path of the store's folder.
    ///   - name: name of the account; it must be the one in the file.
    ///   - host: name of the host in the host key; it must be the one in the file.
    package init(store: [UInt8], uid: UInt32, name: [UInt8], host: [UInt8]) {
        self.store = store
        self.uid = uid
        self.name = name
        self.host = host
    }

    /// Removes what is kept of the server's answers about the account. A file that cannot be removed stays:
    /// the login is refused all the same.
    package func forgetStanding() { try? FileStore(at: store).forgetStanding(uid: uid) }
}
