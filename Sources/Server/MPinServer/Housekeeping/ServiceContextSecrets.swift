// SPDX-License-Identifier: Apache-2.0
// Whether this server has the secrets that its database was used with.
import MPinDatabase

extension ServiceContext {
    /// Throws if it has others: host keys could not be opened, tags of devices and right PINs would be wrong.
    /// That is so after a restore of one without the other, and for a replica with a file of its own.
    package func checkSecrets() async throws {
        for check in try secrets.checks() where try await !storage.checkSecret(check) {
            throw SetupError(
                "The secrets in the file `server` are not those that this database was used with"
                    + " (\(check.name)). Restore the file and the database from the same backup; all servers"
                    + " of one database need the same file.")
        }
        guard try await storage.checkSecret(serverSecretCheck) else {
            throw SetupError(
                "The authority's master secret is not the one that this database was used with"
                    + " (\(serverSecretCheck.name)). Restore both from the same backup; all servers of one"
                    + " database need the same file `authority`.")
        }
    }
}
