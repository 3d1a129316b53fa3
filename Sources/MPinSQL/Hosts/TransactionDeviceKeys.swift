// SPDX-License-Identifier: Apache-2.0
// What tells the device keys that this database was used with.
import MPinStorage

extension Transaction {
    func checkDeviceKeys(epoch: UInt32, check: [UInt8]) throws(StorageError) -> Bool {
        try run(
            "INSERT INTO device_keys (epoch, key_check) VALUES ($1, $2) ON CONFLICT (epoch) DO NOTHING",
            [.integer(epoch), .octets(check)])
        return try row(
            "SELECT 1 FROM device_keys WHERE epoch = $1 AND key_check = $2",
            [.integer(epoch), .octets(check)]) != nil
    }
}
