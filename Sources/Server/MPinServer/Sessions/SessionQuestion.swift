// SPDX-License-Identifier: Apache-2.0
// What a console's session is for, a login or the binding of a phone, and which identities may approve it.
import MPin
import MPinDatabase
import MPinWire
import Octets

/// The sealed question that opens a session, and the epoch of the key that sealed it.
struct SessionQuestion: Sendable {
    enum SessionPurpose: Sendable {
        case login(SealedQuestion)
        case bind(Bind)
    }

    let purpose: SessionPurpose
    let host: String
    let epoch: UInt32
    /// A, which names the session.
    let a: QuestionHash
    let octets: [UInt8]
    /// In seconds.
    let life: UInt16
    let service: [UInt8]
    let account: [UInt8]
    /// The source, as the host reported it.
    let seat: [UInt8]

    init(_ question: SealedQuestion, host: String, epoch: UInt32) {
        (purpose, self.host, self.epoch) = (.login(question), host, epoch)
        (a, octets, life) = (question.a, question.octets, question.life)
        (service, account, seat) = (question.service, question.account, question.source)
    }

    init(_ bind: Bind, host: String, epoch: UInt32) {
        (purpose, self.host, self.epoch) = (.bind(bind), host, epoch)
        (a, octets, life) = (bind.a, bind.octets, bind.life)
        (service, account, seat) = (SealedQuestion.bindService, bind.account, bind.source)
    }

    /// The source under which the session is counted, and under which a user reports a login that is not
    /// theirs. Its networks are those by which wrong tries are counted.
    var source: String { host + "/" + place }

    /// The host counts the source's network apart from that of other hosts.
    var requester: Requester {
        Requester(source: source, network: host + "/" + countedSource(place, for: .network))
    }

    /// The address, or `local:` and a uid.
    private var place: String { countedSource(String(decoding: seat, as: UTF8.self), for: .tryAddress) }

    /// The devices that find this login in their list of what waits. A bind names none.
    var devices: [IdentityHash] {
        switch purpose {
        case .login(let question): question.ids
        case .bind: []
        }
    }

    /// The source as these lists count it: an address is the same one at every host, and all of a host's
    /// loopback is one source, because each of its accounts can connect from any address there.
    var listedSource: String {
        guard let address = IPAddress(ofPeer: seat) else { return source }
        return address.isLoopback ? requester.network : place
    }

    /// Whether the source identifies a caller; a report of one that does not would shut everybody out.
    var namesSource: Bool { isNamed(source: seat) }

    /// The attempt id.
    var attempt: String { attemptText(a) }
}

extension SessionRecord {
    /// The question that opened the session.
    func question() throws -> SessionQuestion {
        if let question = SealedQuestion(decoding: questionOctets) {
            return SessionQuestion(question, host: host, epoch: hostEpoch)
        }
        guard let bind = Bind(decoding: questionOctets) else { throw StorageError.corrupt }
        return SessionQuestion(bind, host: host, epoch: hostEpoch)
    }

    /// Where the login comes from, if this approval shows that its owner is there. The host asks for the
    /// verdict when the approval code was typed, which only a device of our own shows.
    func origin(approvedBy approver: IdentityRecord) -> TryOrigin? {
        guard approver.standing == .granted, approver.description.kind == .bound, !approver.isUnconfirmed,
            let question = SealedQuestion(decoding: questionOctets)
        else { return nil }
        return HostQuestion(sealed: question, host: host, epoch: hostEpoch).origin
    }
}

extension Waiting {
    /// Whether an identity may approve this session, by what it was registered for. A host's login lists the
    /// identities and says whether Milagro's clients, which show nothing, are accepted (T 6). An identity
    /// that was enrolled by a QR code and not confirmed may be a stranger's: it can only be bound.
    func takes(_ identity: IdentityRecord) throws -> Bool {
        let kind = identity.description.kind
        switch self {
        case .console(let session):
            switch try session.question().purpose {
            case .login(let question):
                let isShown =
                    kind == .bound || kind == .unbound && question.flags & SealedQuestion.acceptsUnseen != 0
                return isShown && !identity.isUnconfirmed && question.ids.contains(identity.description.id)
            case .bind(let bind): return identity.isBindable(to: bind, in: session)
            }
        case .browser, .application:
            return (kind == .bound || kind == .unbound) && !identity.isUnconfirmed
        }
    }
}

extension IdentityRecord {
    /// Whether this is a device with its own key, enrolled under the name that the host expects. The first
    /// identity to approve is final: later ones cannot change the host's answer. (A revoked one is refused
    /// when its proof is redeemed.)
    fileprivate func isBindable(to bind: Bind, in session: SessionRecord) -> Bool {
        guard description.kind == .bound, deviceEpoch != nil else { return false }
        guard session.approvedBy == nil || session.approvedBy == description.id else { return false }
        return bind.userID.isEmpty || bind.userID == [UInt8](description.userID.utf8)
    }
}

extension ServiceContext {
    /// Opens the question of a host that binds a phone, and uses its nonce up, as `question` does.
    func question(binding octets: HexOctets, _ tag: HexOctets) async throws -> SessionQuestion {
        guard let bind = Bind(decoding: octets.octets) else { throw Refusal(response: notSealed(host: "")) }
        let (host, epoch) = try await sealer(bind.host) { $0.verifies(tag.octets, of: bind) }
        try checkClock(bind.seconds, host)
        try await useUp(bind.nonce, host)
        return SessionQuestion(bind, host: host, epoch: epoch)
    }

    /// The live session of that name. A look-up by number counts against the device, or against strangers if
    /// there is none.
    func waiting(_ name: SessionName, for device: IdentityRecord?, _ peer: Peer) async throws -> Waiting? {
        switch name {
        case .wid(let wid): try await storage.waiting(wid: wid)
        case .number:
            try await storage.waiting(name, for: Requester(peer, device: device?.description.id))
        }
    }

    /// Whether the user has reported a login from the same source at the same host with "This was not me".
    func hasReported(_ waiting: Waiting, _ identity: IdentityRecord) async throws -> Bool {
        switch waiting {
        case .console(let session):
            try await storage.hasReported(session.question().source, id: identity.description.id)
        case .browser, .application: false
        }
    }
}
