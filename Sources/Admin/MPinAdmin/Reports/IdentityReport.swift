// SPDX-License-Identifier: Apache-2.0
// What commands report about an identity; never the token.
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

    /// The first eight digits of the id, as logs and people use them.
    var id8: String { String(id.prefix(8)) }
    var wayText: String { way == "pin" ? "PIN on this host" : "second device" }

    /// Names and values, for people.
    var details: [(String, String)] {
        var details = [("id", id), ("way", wayText), ("enrolled", enrolled)]
        if let backend { details.append(("backend", shown(backend))) }
        if let epoch { details.append(("epoch", "\(epoch)")) }
        if let remote { details.append(("remote", remote ? "yes" : "no")) }
        return details
    }
}
