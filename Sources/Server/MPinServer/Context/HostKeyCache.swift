// SPDX-License-Identifier: Apache-2.0
// The keys of login hosts as they were opened: each stays in locked memory until others take its place.
import MPin
import MPinDatabase
import Synchronization

/// The random key of one epoch of a host, as mpind sealed it.
struct HostKeyRecord: Hashable, Sendable {
    let epoch: UInt32
    let sealedKey: [UInt8]
}

/// An opened host key, which requests share. It is wiped when the last of them lets go of it.
final class OpenedHostKey: Sendable {
    /// K_host and the keys derived from it.
    let key: HostKey

    /// Takes the key over.
    init(_ key: consuming HostKey) { self.key = key }
}

/// A key is found only by the octets that the database holds for it now: whoever asks has just read them
/// there. So a key that was removed or replaced in the database, by this process or another one, is never
/// found again.
final class HostKeyCache: Sendable {
    fileprivate struct Name: Hashable {
        let host: String
        let record: HostKeyRecord
    }

    fileprivate struct Keys {
        var opened: [Name: OpenedHostKey] = [:]
        /// When each was used last: the number of that use.
        var lastUses: [Name: UInt64] = [:]
        var uses: UInt64 = 0
    }

    /// The most keys that are kept: 4 MiB of locked memory.
    static let most = 256
    private let keys = Mutex(Keys())

    /// Makes an empty cache.
    init() {}

    /// The key of this record of `host`; `open` opens it if it is not kept. Then it takes the place of the
    /// one that was used longest ago.
    func key(
        _ record: HostKeyRecord, of host: String, open: () throws -> HostKey
    ) throws -> OpenedHostKey {
        let name = Name(host: host, record: record)
        if let kept = keys.withLock({ $0.use(name) }) { return kept }
        let opened = OpenedHostKey(try open())
        keys.withLock { $0.keep(opened, as: name) }
        return opened
    }

    /// Drops all keys of a host, for example because it was removed.
    func drop(_ host: String) {
        keys.withLock { keys in
            for name in keys.opened.keys where name.host == host { keys.drop(name) }
        }
    }
}

extension HostKeyCache.Keys {
    fileprivate mutating func use(_ name: HostKeyCache.Name) -> OpenedHostKey? {
        guard let key = opened[name] else { return nil }
        uses += 1
        lastUses[name] = uses
        return key
    }

    fileprivate mutating func keep(_ key: OpenedHostKey, as name: HostKeyCache.Name) {
        opened[name] = key
        uses += 1
        lastUses[name] = uses
        if opened.count > HostKeyCache.most, let oldest = lastUses.min(by: { $0.value < $1.value }) {
            drop(oldest.key)
        }
    }

    fileprivate mutating func drop(_ name: HostKeyCache.Name) {
        opened[name] = nil
        lastUses[name] = nil
    }
}
