// SPDX-License-Identifier: Apache-2.0
// All that mpind must remember, as operations that mean something to it: one protocol for each domain.

/// Every operation is one transaction; what it says happened is committed when it returns. Using something up
/// is one statement, so of many racing callers one wins, on whichever replica. Time of life is the database's
/// clock. Ids, hashes and nonces are octets of fixed length, texts are compared octet by octet.
package typealias Storage = IdentityStorage & SuspensionStorage & RegistrationStorage & LoginStorage
    & VerdictStorage & OneTimePasswordStorage & SessionStorage & BrowserStorage & ApplicationStorage
    & HostStorage & AuditStorage & HousekeepingStorage
