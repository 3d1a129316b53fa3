// SPDX-License-Identifier: Apache-2.0
// `mpin enroll USER --phone`: binds the device whose id somebody reads out to an account of this host.
import MPinLogin
import MPinWire

extension EnrollCommand {
    /// The name that the device registered under proves nothing, for anybody may be given one: the id is what
    /// the administrator takes from the person, and from nobody else.
    func bindDevice(to user: String) throws(Failure) -> AllowReport {
        let label = try readLabel(identity)
        let settings = try server.settings(store)
        let account = try findAccount(user)
        let store = try openStore(settings.store)
        let host = try hostName(store)
        for line in instructions(settings) { progress(line) }
        let id = try deviceID()
        return try addDevice(id, label, to: account, host, in: store)
    }

    private func instructions(_ settings: Settings) -> [String] {
        let page = settings.phoneAddress.flatMap { Backend($0) }
        let server = page.map { text($0.origin) } ?? "https://ADDRESS-OF-THE-SERVER"
        return [
            "On the server, 'mpind user add \(shown(identity))' prints a code. With it, on the device:",
            "    mpin enroll --personal --identity \(shown(identity)) --backend \(server)",
            "The device then shows its id. Take it from the person, not from a message.",
        ]
    }

    private func deviceID() throws(Failure) -> [UInt8] {
        while true {
            let typed = try Asked.openly(
                "Id of the device: ", otherwise: "Say the id: mpin allow USER ID --way phone --label TEXT.")
            let digits = typed.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x2d }
            if let id = octets(fromHex: digits), id.count == 32 { return id }
            say("An id has 64 hex digits; the first eight of them are not enough.")
        }
    }
}

/// Lets a second device approve logins of an account.
func addDevice(
    _ id: [UInt8], _ label: [UInt8], to account: Account, _ host: [UInt8], in store: borrowing FileStore
) throws(Failure) -> AllowReport {
    let identity = Identity(id: id, label: label, enrolled: currentTime(), pin: nil)
    let isKnown: Bool
    do throws(StoreError) {
        if let file = try store.user(account, host: host) {
            isKnown = file.identities.contains { $0.id == id }
        } else {
            isKnown = false
        }
        if !isKnown { try store.add(identity, of: account, host: host) }
    } catch { throw Failure(error) }
    guard !isKnown else { throw Failure(.settings, "\(text(account.name)) has this identity already.") }
    return AllowReport(
        user: text(account.name), uid: account.uid, identity: IdentityReport(identity))
}
