// SPDX-License-Identifier: Apache-2.0
// What mpind sends a device with a granted login: the wrong tries before it, and the key of a newer epoch.
import MPin
import MPinCurl
import MPinWire
import Octets

/// The wrong tries before a login, see ``Client/notice(of:)``.
public struct LoginNotice: Equatable, Sendable {
    /// How many wrong PINs there were since the previous login; 65,535 means that many or more.
    public let wrongTries: Int
    /// When the last wrong PIN came, in seconds since 1970-01-01 UTC by the server's clock; 0 if there was
    /// none.
    public let lastTime: Int
    /// Where the last wrong PIN came from, an address for example; at most 64 octets and safe to show. Empty
    /// if there was none.
    public let lastSource: String
    /// How many wrong tries are left before the user is blocked for good; nil while there are many. A new PIN
    /// resets the count. Unlike the rest of the notice, this number is not protected by the device key.
    public let triesLeft: Int?

    init(_ notice: TriesNotice, left: Int?) {
        wrongTries = Int(notice.count)
        lastTime = Int(clamping: notice.lastSeconds)
        lastSource = presentable(String(decoding: notice.lastSource, as: UTF8.self), limit: 64)
        triesLeft = left
    }
}

extension Client {
    /// The wrong tries that the server reported with this user's last successful login from this client. Show
    /// them: tries that the user did not make mean that somebody else has the token.
    ///
    /// - Returns: nil before a login, and if the server sent no notice with a right tag of the device key.
    ///   Milagro's servers send none.
    public func notice(of user: User) -> LoginNotice? {
        guard let record = try? record(of: user, in: .registered) else { return nil }
        return memory(of: record).notice
    }

    /// Keeps the notice, and the key of a newer epoch, that came with a login. The device key protects both,
    /// even from an attacker who ends the connection's TLS; only TLS protects the number of tries left.
    func keepNotice(in body: [UInt8], after proof: SentProof) {
        let record = proof.record
        memory(of: record).notice = nil
        guard record.isBound, let word = message(AuthenticateResponse.self, body).map(DeviceWord.init),
            let key = deviceKey(fromHex: record.deviceKey)
        else { return }
        let id = identityHash(record.mpinID)
        memory(of: record).notice = key.open(
            notice: word.notice, tag: word.noticeTag, for: id, ticket: [UInt8](proof.answer.authOTT.utf8)
        ).map { LoginNotice($0, left: word.triesLeft) }
        switch key.open(newer: word.deviceKey, tag: word.deviceKeyTag, for: id) {
        case .none: return
        case .some(let newer):
            var record = record
            record.deviceKey = hexText(newer.withOctets(copied))
            // A failure is ignored, because the login has succeeded: the old key works until the new one was
            // used.
            try? userStore.store(record)
        }
    }
}
