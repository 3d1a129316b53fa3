// SPDX-License-Identifier: Apache-2.0
// The daemon's secrets and their two files: `server` for mpind, and `authority` for the trust authority.
import MPin
import MPinDatabase
import MPinWire
import Octets
import Secrets

/// Hides this process's memory from other processes of the same user. Call it before any secret is read.
package func closeMemory() throws(SetupError) {
    guard ProcessMemory.hide() else {
        throw SetupError("The system does not let mpind hide its memory from other processes.")
    }
}

/// The secrets of mpind: the application's credentials, the device keys, and the keys that seal values in the
/// database.
package final class ServerSecrets: Sendable {
    /// Its key is the ASCII octets of 64 hex digits, as in Milagro's programs.
    package let application: ApplicationKey
    /// Seals the keys of login hosts that the database keeps, 32 octets.
    let hostKeys: Secret
    /// K_devices of the current epoch, which new device keys belong to, and of the epoch before it; 32 octets
    /// each.
    private let deviceKeys: Secret
    private let formerDeviceKeys: Secret?
    let deviceEpoch: UInt32
    /// Seals the join keys that the database keeps, 32 octets.
    let joinKeys: Secret
    /// Seals the one-time passwords that the database keeps, 32 octets.
    let passwords: Secret

    init(
        appID: String, appKey: consuming Secret, wrapping: borrowing Secret, deviceKeys: consuming Secret,
        formerDeviceKeys: consuming Secret? = nil, deviceEpoch: UInt32
    ) throws(SetupError) {
        do {
            self.hostKeys = try derive(key: wrapping, [UInt8]("mpin key host store 1".utf8))
            self.joinKeys = try derive(key: wrapping, [UInt8]("mpin key join store 1".utf8))
            self.passwords = try derive(key: wrapping, [UInt8]("mpin key otp store 1".utf8))
        } catch { throw SetupError.outOfMemory }
        self.application = ApplicationKey(id: appID, key: appKey)
        self.deviceKeys = deviceKeys
        self.formerDeviceKeys = formerDeviceKeys
        self.deviceEpoch = deviceEpoch
    }

    /// The device key of an identity (32 octets); nil for an epoch whose keys this server does not have any
    /// more.
    func deviceKey(_ epoch: UInt32, of id: IdentityHash) throws(SealFailure) -> DeviceKey? {
        if epoch == deviceEpoch { return try .derive(master: deviceKeys, epoch: epoch, id: id) }
        guard epoch &+ 1 == deviceEpoch else { return nil }
        switch formerDeviceKeys {
        case .none: return nil
        case .some(let master): return try .derive(master: master, epoch: epoch, id: id)
        }
    }

    /// The check values that the database keeps. They differ if two servers have other secrets.
    func checks() throws -> [SecretCheck] {
        [
            SecretCheck(name: "device keys \(deviceEpoch)", value: try DeviceKey.check(of: deviceKeys)),
            SecretCheck(
                name: "wrapping key", value: try hmac(key: hostKeys, [UInt8]("mpin check host keys 1".utf8))),
            SecretCheck(
                name: "application key", value: [UInt8](try application.signature("mpin check 1").utf8)),
        ]
    }

    /// Opens `server` in the data folder.
    /// - Parameter credentials: the folder of systemd's credentials; nil for that of this process.
    package convenience init(folder: String, credentials: String? = nil) throws(SetupError) {
        let file = try SecretFile(.server, in: folder, credentials: credentials)
        try file.allow(only: [
            "mpin-server", "sealed", "app-id", "app-key", "wrapping-key", "device-epoch", "device-keys",
            "former-device-keys",
        ])
        let epoch = try file.epoch("device-epoch")
        let appID = try file.text("app-id")
        guard octets(appID)?.count == 16 else { throw file.invalid("app-id") }
        try self.init(
            appID: appID, appKey: try file.text("app-key", count: 64),
            wrapping: try file.octets("wrapping-key", count: 32),
            deviceKeys: try file.octets("device-keys", count: 32),
            formerDeviceKeys: file.has("former-device-keys")
                ? try file.octets("former-device-keys", count: 32) : nil,
            deviceEpoch: epoch)
    }

    /// Draws new secrets and writes `server`, which must not exist yet.
    package static func create(folder: String) throws(SetupError) {
        var file = try SecretText()
        try file.append("mpin-server = 1\nsealed = no\napp-id = ")
        try file.append(hexOf: try drawn(16))
        try file.append("\napp-key = ")
        try file.append(hexOf: try drawn(32))
        try file.append("\nwrapping-key = ")
        try file.append(hexOf: try drawn(32))
        try file.append("\ndevice-epoch = 1\ndevice-keys = ")
        try file.append(hexOf: try drawn(32))
        try file.append("\n")
        try file.write(to: folder + "/server")
    }
}

/// Both shares of the master secret, as the authority's file keeps them.
package struct MasterFile: ~Copyable {
    private let epoch: UInt32
    private let first: MasterShare
    private let second: MasterShare

    /// Opens `authority` in the authority's folder.
    /// - Parameter credentials: the folder of systemd's credentials; nil for that of this process.
    package init(folder: String, credentials: String? = nil) throws(SetupError) {
        let file = try SecretFile(.authority, in: folder, credentials: credentials)
        try file.allow(only: ["mpin-authority", "sealed", "epoch", "share-1", "share-2"])
        let epoch = try file.epoch("epoch")
        let first = try share(try file.octets("share-1", count: 32))
        let second = try share(try file.octets("share-2", count: 32))
        self.epoch = epoch
        self.first = first
        self.second = second
    }

    /// Moves the shares into an authority, which is then their only holder.
    package consuming func authority(
        book: AuthorityBook, now: @escaping @Sendable () -> UnixTime
    ) -> MasterAuthority {
        MasterAuthority(firstShare: first, secondShare: second, epoch: epoch, book: book, now: now)
    }

    /// Draws both shares and writes `authority`, which must not exist yet.
    package static func create(folder: String) throws(SetupError) {
        var file = try SecretText()
        try file.append("mpin-authority = 1\nsealed = no\nepoch = 1\nshare-1 = ")
        let first = try randomShare()
        try first.withOctets { octets throws(SetupError) in try file.append(hexOf: octets) }
        try file.append("\nshare-2 = ")
        let second = try randomShare()
        try second.withOctets { octets throws(SetupError) in try file.append(hexOf: octets) }
        try file.append("\n")
        try file.write(to: folder + "/authority")
    }
}

private func share(_ octets: consuming Secret) throws(SetupError) -> MasterShare {
    do { return try MasterShare(octets) } catch {
        throw SetupError("A share of the master secret is damaged.")
    }
}

private func randomShare() throws(SetupError) -> MasterShare {
    do { return try MasterShare.random() } catch { throw SetupError("No randomness for the master secret.") }
}

private func drawn(_ count: Int) throws(SetupError) -> Secret {
    var secret = try newSecret(count)
    do { try secret.randomize() } catch { throw SetupError("The system has no randomness; try again later.") }
    return secret
}
