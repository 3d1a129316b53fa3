// SPDX-License-Identifier: Apache-2.0
// The storage of mpind: one protocol for each domain.

/// Every operation is one transaction, which is committed when the operation returns. Taking or using up a
/// record is one statement, so only one of several concurrent callers succeeds, on any replica. Times are of
/// the database's clock. Ids, hashes and nonces are octets of fixed length; texts are compared octet by
/// octet.
package typealias Storage = UserStorage & SuspensionStorage & RegistrationStorage & LoginStorage
    & VerdictStorage & OneTimePasswordStorage & SessionStorage & BrowserStorage & ApplicationStorage
    & HostStorage & AuditStorage & HousekeepingStorage
