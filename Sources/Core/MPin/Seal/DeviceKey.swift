// SPDX-License-Identifier: Apache-2.0
// The key of a second device. Its tags distinguish a try on the device from a try by a stranger
// (seal-devices.md, section 10).
package import Octets
package import Secrets

/// The device key D. A device that has the token also has this key, so mpind does not count tries without a
/// right tag against the device.
public struct DeviceKey: ~Copyable, Sendable {
    /// The number of octets of the key and of each tag.
    package static let count = 32

    private let key: Secret

    /// Takes the key as the device stores it; throws `malformed` unless it has 32 octets.
    package init(_ key: consuming Secret) throws(SealFailure) {
        guard key.count == DeviceKey.count else { throw .malformed }
        self.key = key
    }

    /// Copies the key as the server sent it; throws `malformed` unless it has 32 octets.
    package init(copying octets: [UInt8]) throws(SealFailure) {
        let key: Secret
        do throws(OutOfMemory) { key = try unsafe Secret(copying: octets.span.bytes) } catch {
            throw .outOfMemory
        }
        try self.init(key)
    }

    /// D as mpind makes it: HMAC(K_devices, "mpin device 1" 00 be32(epoch) id). Throws `malformed` unless
    /// `master` (K_devices) has 32 octets.
    package static func derive(
        master: borrowing Secret, epoch: UInt32, id: IdentityHash
    ) throws(SealFailure) -> DeviceKey {
        guard master.count == 32 else { throw .malformed }
        var writer = SealWriter("mpin device 1")
        writer.number(epoch)
        writer.fixed(id)
        return try DeviceKey(try derived(master, writer.octets))
    }

    /// A check value of K_devices, 32 octets, which mpind stores in its database. It identifies the K_devices
    /// of an epoch and reveals nothing else about it.
    package static func check(of master: borrowing Secret) throws(SealFailure) -> [UInt8] {
        try tagged(master, SealWriter("mpin device check 1").octets)
    }

    /// Calls `body` with the key's 32 octets. `body` must not copy them elsewhere.
    package borrowing func withOctets<R: ~Copyable, E: Error>(
        _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        try key.withBytes(body)
    }

    /// The `deviceTag` of a pass or a look-up, 32 octets.
    package borrowing func tag(of pass: DevicePass) throws(SealFailure) -> [UInt8] {
        try tagged(key, pass.octets)
    }

    /// Whether a device with this key made the pass; compared in constant time.
    package borrowing func verifies(_ tag: [UInt8], of pass: DevicePass) -> Bool {
        matches(tag, try? self.tag(of: pass))
    }

    /// The tag of a notice for this device, 32 octets.
    package borrowing func tag(of notice: TriesNotice) throws(SealFailure) -> [UInt8] {
        try tagged(key, notice.octets)
    }

    /// The notice, if it was sealed under this key for the identity `id` and the login of this ticket;
    /// otherwise nil.
    package borrowing func open(
        notice: [UInt8], tag: [UInt8], for id: IdentityHash, ticket: [UInt8]
    ) -> TriesNotice? {
        guard matches(tag, try? tagged(key, notice)),
            let opened = TriesNotice(decoding: notice, for: .device),
            opened.subject == id.octets + sha256(ticket)
        else { return nil }
        return opened
    }

    /// The tag, 32 octets, with which the server sends the key of a newer epoch to the device of `id`.
    package borrowing func tag(
        ofNewer newer: borrowing DeviceKey, for id: IdentityHash
    ) throws(SealFailure) -> [UInt8] {
        var writer = SealWriter("mpin device key 1")
        writer.fixed(id)
        newer.key.withBytes { octets in
            for index in octets.byteOffsets {
                writer.number(unsafe octets.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
        }
        return try tagged(key, writer.octets)
    }

    /// The key of a newer epoch, if its tag was made with this key; otherwise nil. Without the tag, a proxy
    /// that terminates TLS could give the device a key that the server does not know.
    package borrowing func open(newer octets: [UInt8], tag: [UInt8], for id: IdentityHash) -> DeviceKey? {
        guard let newer = try? DeviceKey(copying: octets) else { return nil }
        guard matches(tag, try? self.tag(ofNewer: newer, for: id)) else { return nil }
        return newer
    }
}

/// The octets that the tag of a pass, or of a look-up before it, covers.
package struct DevicePass: Equatable, Sendable {
    let octets: [UInt8]

    /// Pass 1.
    ///
    /// - Parameters:
    ///   - id: the identity.
    ///   - u: U as sent.
    ///   - ut: UT as sent; empty without a time permit.
    ///   - seen: what the device showed; empty if it showed nothing.
    package init(id: IdentityHash, u: [UInt8], ut: [UInt8], seen: [UInt8]) {
        var writer = SealWriter("mpin device pass 1 1")
        writer.fixed(id)
        for text in [u, ut, seen] { writer.text(text) }
        octets = writer.octets
    }

    /// A look-up of a session before a proof. It is tagged so that strangers' look-ups do not use up the
    /// device's limit.
    ///
    /// - Parameters:
    ///   - id: the identity.
    ///   - status: `status` of `POST codeStatus`, as sent.
    ///   - wid: `wid` of `POST codeStatus`, as sent.
    package init(id: IdentityHash, status: [UInt8], wid: [UInt8]) {
        var writer = SealWriter("mpin device look 1")
        writer.fixed(id)
        for text in [status, wid] { writer.text(text) }
        octets = writer.octets
    }

    /// The question which logins wait for an identity.
    ///
    /// - Parameters:
    ///   - id: the identity.
    ///   - time: when the device asks, in seconds since 1970-01-01 UTC, as sent.
    package init(id: IdentityHash, waitingAt time: UInt64) {
        var writer = SealWriter("mpin device waiting 1")
        writer.fixed(id)
        writer.number(time)
        octets = writer.octets
    }

    /// Pass 2: the proof, the pass 1 that it belongs to, and everything that it requests. The result is nil
    /// unless `id`, `n` and `y` have 32 octets.
    ///
    /// - Parameters:
    ///   - id: the identity.
    ///   - n: n of pass 1.
    ///   - y: y of pass 1.
    ///   - v: V as sent.
    ///   - wid: the session as sent; "0" for none.
    ///   - wantsOTP: whether the device requests a one-time password.
    package init(id: IdentityHash, n: ServerNonce, y: Challenge, v: [UInt8], wid: [UInt8], wantsOTP: Bool) {
        var writer = SealWriter("mpin device pass 2 1")
        writer.fixed(id)
        writer.fixed(n)
        writer.fixed(y)
        writer.text(v)
        writer.text(wid)
        writer.number(UInt8(wantsOTP ? 1 : 0))
        octets = writer.octets
    }
}
