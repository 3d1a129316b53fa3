// SPDX-License-Identifier: Apache-2.0
// The keys of login hosts: random for each epoch, and stored sealed with a key that is not in the database.
import MPin
import MPinDatabase
import Secrets

extension ServiceContext {
    /// A function that draws the key of a host's epoch and seals it for the database.
    func newHostKey(_ host: String) -> HostKeySealing {
        { [secrets, effects] epoch in
            guard var key = try? Secret(count: 32), (try? key.randomize()) != nil,
                let nonce = try? effects.random(12),
                let sealed = try? AESGCM.seal(
                    key, key: secrets.hostKeys, nonce: nonce, associated: place(host, epoch))
            else { return nil }
            return nonce + sealed
        }
    }

    /// The key of a valid epoch; 403 for every other.
    func hostKey(_ host: String, _ epoch: UInt32) async throws -> OpenedHostKey {
        guard let record = try await hostKeyRecord(host, epoch) else {
            throw Refusal(response: notSealed(host: host))
        }
        return try opened(record, host)
    }

    /// The same as the database holds it; nil if the host no longer has it.
    func hostKeyRecord(_ host: String, _ epoch: UInt32) async throws -> HostKeyRecord? {
        try await storage.host(host)?.keys.first { $0.epoch == epoch }
    }

    /// The key of a record that was just read from the database.
    func opened(_ record: HostKeyRecord, _ host: String) throws -> OpenedHostKey {
        try hostKeys.key(record, of: host) {
            let key = try AESGCM.open(
                [UInt8](record.sealedKey.dropFirst(12)), key: secrets.hostKeys,
                nonce: [UInt8](record.sealedKey.prefix(12)), associated: place(host, record.epoch))
            return try HostKey(name: [UInt8](host.utf8), epoch: record.epoch, key: key)
        }
    }
}

/// The associated data of a sealed key: a key that was moved to another host or epoch cannot be opened.
private func place(_ host: String, _ epoch: UInt32) -> [UInt8] { [UInt8]("\(host) \(epoch)".utf8) }
