// SPDX-License-Identifier: Apache-2.0
// What mpind tells a device beside a good login: the wrong tries before it, and the key of a newer epoch.
import MPin
import MPinCurl
import MPinWire
import Octets

/// The wrong tries before a login, see ``Client/notice(of:)``.
public struct LoginNotice: Equatable, Sendable {
    /// How many wrong PINs since the login before; 65,535 stands for that many or more.
    public let wrongTries: Int
    /// Of the last wrong one: seconds since 1970-01-01 UTC by the server's clock; 0 if there was none.
    public let lastTime: Int
    /// Where the last wrong one came from, an address for example, safe to show; empty if there was none.
    public let lastSource: String
    /// How many wrong tries are left before the PIN is blocked for good; nil while there are many. A new PIN
    /// sets the count back.
    public let triesLeft: Int?

    init(_ notice: TriesNotice, left: Int?) {
        wrongTries = Int(notice.count)
        lastTime = Int(clamping: notice.lastSeconds)
        lastSource = presentable(String(decoding: notice.lastSource, as: UTF8.self), limit: 64)
        triesLeft = left
    }
}

extension Client {
    /// What the server told of wrong tries at this user's last good login from here. Show it: tries that the
    /// user did not make mean that somebody has the token.
    ///
    /// - Returns: nil before a login, and where the server told nothing that its key vouches for. Servers of
    ///   Milagro's tell nothing.
    public func notice(of user: User) -> LoginNotice? {
        guard let record = try? record(of: user, in: .registered) else { return nil }
        return memory(of: record).notice
    }

    /// Notice and key are under the device key: whoever ends the connection's TLS can change neither. How
    /// many tries are left is the connection's word.
    func hear(_ body: [UInt8], after proof: SentProof) {
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
            // The login was good, whether this can be kept or not: the old key is until the new one was used.
            try? book.store(record)
        }
    }
}
