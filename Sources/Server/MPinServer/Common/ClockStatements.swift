// SPDX-License-Identifier: Apache-2.0
// The time by the database's clock, and whether it agrees with this machine's.
import MPinDatabase

extension ServerDatabase {
    /// The time by the database's clock, after a trivial read of its file: whether it answers.
    /// Asks over the connection that reads.
    func clock() async throws(StorageError) -> UnixMilliseconds {
        try await transaction(.read) { t throws(StorageError) in
            try t.run("SELECT 1 FROM hosts LIMIT 1")
            return t.now
        }
    }

    /// Throws `.unavailable(.clock)` if the database's clock is too far from this machine's: then no client
    /// secret and no permit may be issued. A pass 1 checks it by itself.
    /// A transaction that reads nothing but the time.
    func checkClock() async throws(StorageError) {
        try await transaction(.read) { t throws(StorageError) in try t.checkClock() }
    }
}
