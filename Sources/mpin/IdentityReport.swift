// SPDX-License-Identifier: Apache-2.0
// What commands tell of accounts and their identities; never a token.
import MPinLogin
import MPinProof
import MPinWire

struct IdentityReport: Encodable {
    let id: String
    let label: String
    let way: String
    let enrolled: String
    private(set) var mpinId: String?
    private(set) var suite: String?
    private(set) var epoch: UInt32?
    private(set) var backend: String?
    private(set) var remote: Bool?

    init(_ identity: Identity) {
        id = hexText(identity.id)
        label = String(decoding: identity.label, as: UTF8.self)
        way = identity.pin == nil ? "phone" : "pin"
        enrolled = String(decoding: identity.enrolled, as: UTF8.self)
        guard let pin = identity.pin else { return }
        mpinId = hexText(pin.mpinID)
        suite = "bn254cx"
        epoch = pin.epoch
        backend = String(decoding: pin.backend, as: UTF8.self)
        remote = pin.remote
    }

    /// The first eight digits: what logs and people use.
    var id8: String { String(id.prefix(8)) }
    var wayText: String { way == "pin" ? "PIN on this host" : "second device" }
}

/// One account and what may log in to it.
struct UserReport: Report {
    let user: String
    let uid: UInt32
    let host: String
    let identities: [IdentityReport]
    /// Unused ones; nil if no set was made.
    let backupCodes: Int?

    init(_ file: borrowing UserFile, backupCodes: Int?) {
        user = String(decoding: file.name, as: UTF8.self)
        uid = file.uid
        host = String(decoding: file.host, as: UTF8.self)
        identities = file.identities.map { IdentityReport($0) }
        self.backupCodes = backupCodes
    }

    var lines: [String] {
        let codes = backupCodes.map { ["  backup codes left: \($0)"] } ?? []
        let head = ["\(shown(user)) (uid \(uid)) on \(shown(host))"]
        return head + codes
            + identities.flatMap { identity in
                ["", "  \(shown(identity.label))"]
                    + identity.details.map { "    " + aligned($0.0, 11) + $0.1 }
            }
    }
}

extension IdentityReport {
    fileprivate var details: [(String, String)] {
        var details = [("id", id), ("way", wayText), ("enrolled", enrolled)]
        if let backend { details.append(("backend", shown(backend))) }
        if let epoch { details.append(("epoch", "\(epoch)")) }
        if let remote { details.append(("remote", remote ? "yes" : "no")) }
        return details
    }
}

/// Text of root's files, fit for a terminal.
func shown(_ text: String) -> String { mpin.text([UInt8](text.utf8)) }

func aligned(_ word: String, _ width: Int) -> String {
    word + String(repeating: " ", count: max(1, width - word.count))
}
